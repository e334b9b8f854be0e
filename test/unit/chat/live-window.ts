import type { TurnInput, TurnResult } from '../../../src/agent/turn.ts';
import { createOpenConversations } from '../../../src/chat/open-conversations.ts';
import type { QueuedMessage } from '../../../src/conversation/queue.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { answering, converse, model } from '../conversation/samples.ts';

/** A window's conversations over a disk in memory. Turns answer at once, or with `held` when `finish` is called. */
export function openWindow(
  disk = new Map<string, DurableEvent[]>(),
  queues = new Map<string, readonly QueuedMessage[]>(),
) {
  let made = disk.size;
  const waiting = new Map<string, () => void>();
  const disposed: string[] = [];
  const conversations = createOpenConversations({
    live: new Map(),
    read: async (id) => {
      const events = structuredClone(disk.get(id));
      return events && { events, elsewhere: false };
    },
    build(id, { events }, queued, onIdle) {
      const play = async (input: TurnInput): Promise<TurnResult> => {
        const go = Promise.withResolvers<void>();
        waiting.set(id, go.resolve);
        input.signal.addEventListener('abort', () => go.resolve());
        await go.promise;
        const done = await answering(`answer of ${id}`)(input);
        return input.signal.aborted ? { ...done, outcome: 'stopped' } : done;
      };
      const { conversation } = converse(
        Array.from({ length: 20 }, () => play),
        {
          id,
          events,
          queued,
          onIdle,
          append: async (event) => void disk.set(id, [...(disk.get(id) ?? []), structuredClone(event)]),
        },
      );
      const dispose = conversation.dispose;
      conversation.dispose = () => {
        disposed.push(id);
        dispose();
      };
      return conversation;
    },
    newId: () => `conversation-${++made}`,
    queues: { load: (id) => queues.get(id) ?? [], save: (id, queued) => void queues.set(id, queued) },
  });
  return { conversations, disk, queues, disposed, finish: (id: string) => waiting.get(id)?.() };
}

export const message = (text: string) => ({ text, attachments: [], model });

/** A stored conversation with one answered message. */
export async function storedConversation(disk: Map<string, DurableEvent[]>, text: string): Promise<string> {
  const { conversations, finish } = openWindow(disk);
  const conversation = conversations.create();
  const turn = conversation.send(message(text));
  await Promise.resolve();
  finish(conversation.id);
  await turn;
  return conversation.id;
}
