import { steeringMessage } from '../agent/history.ts';
import type { DurableEvent } from '../shared/events.ts';
import type { HistoryMessage } from '../shared/messages.ts';
import type { Message } from './conversation.ts';
import { createMessageQueue, type MessageQueue, type QueuedMessage } from './queue.ts';
import type { Timeline } from './timeline.ts';
import type { TurnSummary } from './turns/turns.ts';

export interface Outbox {
  queue: MessageQueue;
  /**
   * Returns undefined when the queue is full. Resolves when the message's turn is over, with undefined when it was
   * taken out again.
   */
  add(message: Message, atNextStep?: boolean): Promise<TurnSummary | undefined> | undefined;
  remove(id: string): QueuedMessage | undefined;
  discard(): void;
  sendNext(start: (message: QueuedMessage) => Promise<TurnSummary>): void;
  /**
   * Takes the messages that wait for the next step of this turn, as one that is stored by then; undefined where none
   * waits.
   */
  steer(turnId: string, step: number, ends: Promise<TurnSummary>): Promise<HistoryMessage | undefined>;
  close(): void;
}

export interface OutboxDeps {
  queued?: readonly QueuedMessage[];
  clock: { epochMs(): number };
  newId(): string;
  onBug(error: unknown): void;
}

export function createOutbox(deps: OutboxDeps, timeline: Timeline): Outbox {
  const known = messageIds(timeline.events);
  // A crash may have come between storing a message in the conversation and taking it out of the queue.
  const queue = createMessageQueue(
    deps.onBug,
    deps.queued?.filter(({ id }) => !known.has(id)),
  );
  const waiting = new Map<string, (turn: Promise<TurnSummary | undefined> | undefined) => void>();
  const settle = (id: string, turn?: Promise<TurnSummary | undefined>): void => {
    waiting.get(id)?.(turn);
    waiting.delete(id);
  };
  const settleAll = (): void => {
    for (const id of [...waiting.keys()]) settle(id);
  };
  return {
    queue,
    add(message, atNextStep = false) {
      const { id = deps.newId() } = message;
      if (!queue.add({ ...message, id, ...(atNextStep && { atNextStep }) })) return undefined;
      const { promise, resolve } = Promise.withResolvers<TurnSummary | undefined>();
      waiting.set(id, resolve);
      return promise;
    },
    remove(id) {
      settle(id);
      return queue.remove(id);
    },
    discard() {
      queue.clear();
      settleAll();
    },
    sendNext(start) {
      const next = queue.next();
      if (next === undefined) return;
      const turn = start({ ...next, model: timeline.state().model || next.model });
      void timeline.settled().then(() => queue.stored([next.id]));
      settle(
        next.id,
        turn.catch((error: unknown) => {
          deps.onBug(error);
          return undefined;
        }),
      );
    },
    async steer(turnId, step, ends) {
      const taken = queue.takeForStep();
      if (taken.length === 0) return undefined;
      const messages = taken.map(({ id, text, typed, attachments }) => ({ ...{ id, text, attachments }, typed }));
      timeline.emit({ type: 'steered', turnId, step, at: deps.clock.epochMs(), messages });
      for (const { id } of taken) settle(id, ends);
      await timeline.settled();
      queue.stored(taken.map(({ id }) => id));
      return steeringMessage(messages);
    },
    close: settleAll,
  };
}

function messageIds(events: readonly DurableEvent[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const event of events) {
    if (event.type === 'userMessage') ids.add(event.id);
    if (event.type === 'steered') for (const { id } of event.messages) ids.add(id);
  }
  return ids;
}
