import type { ConversationStore } from '../../../src/conversation/store/store.ts';
import { createConversationStore } from '../../../src/conversation/store/store.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { noCost } from '../../../src/spend/price.ts';
import { model, stepFinished } from './samples.ts';

let ids = 0;
/** A store of a window of its own. Heartbeats are tested with the lease; here none is due. */
export function openStore(dir: string, epochMs: () => number = Date.now): ConversationStore {
  return createConversationStore({
    dir,
    clock: { epochMs, after: () => () => undefined },
    newId: () => `window-${++ids}`,
  });
}

export function turnOf(n: number, question = `question ${n}`, answer = `answer ${n}`): DurableEvent[] {
  return [
    { type: 'userMessage', id: `u${n}`, at: n * 10, text: question, attachments: [] },
    { type: 'turnStarted', turnId: `t${n}`, at: n * 10 + 1, model },
    stepFinished(`t${n}`, { text: answer }),
    {
      type: 'turnEnded',
      turnId: `t${n}`,
      at: n * 10 + 5,
      outcome: 'finished',
      cost: { ...noCost, totalTokens: 1000, microUsd: 330, charge: 'yes', requests: 1 },
    },
  ];
}

export async function appendAll(store: ConversationStore, id: string, events: readonly DurableEvent[]): Promise<void> {
  await Promise.all(events.map((event) => store.append(id, event)));
}

/** Stores a conversation with one turn and this title. */
export async function storeOne(store: ConversationStore, id: string, n = 1, title = id): Promise<DurableEvent[]> {
  const events: DurableEvent[] = [
    { type: 'created', conversationId: id, at: n * 10 },
    { type: 'titleChanged', title },
    ...turnOf(n),
  ];
  await appendAll(store, id, events);
  return events;
}
