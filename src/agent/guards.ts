export const maxCallsPerReply = 16;
export const maxParallelReads = 4;
/** This is the limit of one reply; a turn has none, because the economy leaves old results out of its requests. */
export const maxReplyResultBytes = 200 * 1024;
export const maxReplyImages = 4;
export const maxMalformedReplies = 3;
/** Each such reply costs a whole request: the model gets one note, then the user is asked. */
export const maxLeakedReplies = 2;
export const maxReminders = 2;
