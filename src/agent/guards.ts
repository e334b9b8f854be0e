import type { ToolCall } from '../shared/messages.ts';

/** Calls of one reply that are run; the others are answered with a sentence. */
export const maxCallsPerReply = 16;
/** Calls that only read and may run at the same time. */
export const maxParallelReads = 4;
/** Bytes of all results of one reply. A turn has no such limit: what is old in it is left out of its requests by the economy. */
export const maxReplyResultBytes = 200 * 1024;
/** Replies in a row without one well-formed call before the turn gives up. */
export const maxMalformedReplies = 3;
/** Calls written as text cost a whole reply each: one note to the model, then the person is asked. */
export const maxLeakedReplies = 2;

const noteAtRepeat = 3;
const stopAtRepeat = 5;

/** `count` is taken once per reply, however often the call stands in it. */
export interface RepeatGuard {
  /** `note`: run the call and add the note to its result. `stop`: end the turn. */
  judge(call: Pick<ToolCall, 'name' | 'arguments'>, step: number): 'run' | 'note' | 'stop';
  /**
   * `changed` changed something: looking again at the same thing is no longer a repetition, but doing `changed` again
   * without anything in between that changes something else is one.
   */
  forget(changed: Pick<ToolCall, 'name' | 'arguments'>): void;
}

export function createRepeatGuard(): RepeatGuard {
  const seen = new Map<string, { count: number; step: number }>();
  return {
    judge(call, step) {
      const key = keyOf(call);
      const entry = seen.get(key) ?? { count: 0, step: 0 };
      if (entry.step !== step) seen.set(key, { count: entry.count + 1, step });
      const count = seen.get(key)?.count ?? 0;
      if (count >= stopAtRepeat) return 'stop';
      return count >= noteAtRepeat ? 'note' : 'run';
    },
    forget(changed) {
      const key = keyOf(changed);
      const own = seen.get(key);
      seen.clear();
      if (own !== undefined) seen.set(key, own);
    },
  };
}

function keyOf(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  return `${call.name} ${canonical(call.arguments)}`;
}

export const repeatNote =
  '[You have made this exact call several times and the result is the same. Use what you have, try something else, or answer.]';

/** Equal for arguments that differ only in the order of keys or in white space. */
function canonical(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
  } catch {
    // No JSON: then only the very same text is the same call.
    return raw.trim();
  }
}
