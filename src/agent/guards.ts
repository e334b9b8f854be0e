/** Calls of one reply that are run; the others are answered with a sentence. */
export const maxCallsPerReply = 16;
/** Calls that only read and may run at the same time. */
export const maxParallelReads = 4;
/** Bytes of all results of one reply. A turn has no such limit: what is old in it is left out of its requests by the economy. */
export const maxReplyResultBytes = 200 * 1024;
/** Images that come with the results of one reply. */
export const maxReplyImages = 4;
/** Replies in a row of which not one call could be read before the turn gives up. */
export const maxMalformedReplies = 3;
/** Calls written as text cost a whole reply each: one note to the model, then the person is asked. */
export const maxLeakedReplies = 2;
/** Reminders in a row that an announced step was not made; then it is the answer. */
export const maxReminders = 2;
