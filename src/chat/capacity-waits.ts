import type { StoredValues } from '../storage/stored-values.ts';
import type { OpenConversations } from './open-conversations.ts';

const prefix = 'waits.';

/**
 * Remembers which conversations wait for a model with room, so that a window which opens again goes on with them,
 * shown or not. `resume` resolves with the titles of those that were perhaps sent and so are left to the user.
 */
export function createCapacityWaits(
  values: Pick<StoredValues, 'get' | 'update' | 'keys'>,
  conversations: Pick<OpenConversations, 'acquire' | 'release' | 'onDidEmit'>,
) {
  const follow = conversations.onDidEmit(({ id }, events) => {
    for (const event of events) {
      if (event.type === 'waits') void values.update(`${prefix}${id}`, true);
      else if (event.type === 'turnEnded' && values.get(`${prefix}${id}`))
        void values.update(`${prefix}${id}`, undefined);
    }
  });
  return {
    async resume(): Promise<string[]> {
      const left: string[] = [];
      for (const key of values.keys().filter((each) => each.startsWith(prefix))) {
        const conversation = await conversations.acquire(key.slice(prefix.length)).catch(() => undefined);
        const how = conversation?.resumeWait() ?? 'over';
        if (conversation && how === 'perhaps-sent') left.push(conversation.state().title);
        // Another window may wait with it.
        if (how !== 'resumed' && !conversation?.readOnly) void values.update(key, undefined);
        if (conversation) conversations.release(conversation);
      }
      return left;
    },
    dispose: follow.dispose,
  };
}
