import { createEmitter, type Event } from '../base/emitter.ts';
import { type ChatState, emptyChat } from '../shared/chat/chat-state.ts';
import { foldChat, reduceChat } from '../shared/chat/reduce-chat.ts';
import { isStored } from '../shared/event-traits.ts';
import type { ChatEvent, DurableEvent } from '../shared/events.ts';
import { closeInterrupted, pushEvent } from './store/durable-events.ts';

/** Keeps, stores, folds and emits the events of one conversation, in this order. It knows nothing of turns. */
export interface Timeline {
  readonly events: readonly DurableEvent[];
  state(): ChatState;
  /** Stores what is durable, folds it, and notifies the listeners. It is synchronous and never throws. */
  emit(...batch: ChatEvent[]): void;
  show(batch: readonly ChatEvent[]): void;
  onDidEmit: Event<[events: readonly ChatEvent[]]>;
  removeListeners(): void;
  settled(): Promise<boolean>;
}

export interface TimelineDeps {
  id: string;
  events: readonly DurableEvent[];
  elsewhere?: boolean;
  append(event: DurableEvent): Promise<void>;
  clock: { epochMs(): number };
  onStorageError(error: unknown): void;
  onBug(error: unknown): void;
}

export function createTimeline(deps: TimelineDeps): Timeline {
  const events: DurableEvent[] = deps.elsewhere ? withoutQuestions(deps.events) : closeInterrupted(deps.events);
  // What a listener does wrong must not end the turn.
  const listeners = createEmitter<[events: readonly ChatEvent[]]>(deps.onBug);
  const storing = createStoring(deps);
  const empty: ChatState = { ...emptyChat, conversationId: deps.id };
  let state = foldChat(empty, events, (event) => ('at' in event ? event.at : 0));

  function show(batch: readonly ChatEvent[]): void {
    if (batch.length === 0) return;
    for (const event of batch) state = reduceChat(state, event, deps.clock.epochMs());
    listeners.fire(batch);
  }

  return {
    events,
    state: () => state,
    emit(...batch) {
      for (const event of batch) {
        if (!isStored(event)) continue;
        pushEvent(events, event);
        storing.append(event);
      }
      // A partial repeats what the deltas said; folding it would also take a call that is being written off the screen.
      show(batch.filter((event) => event.type !== 'stepPartial'));
    },
    show,
    onDidEmit: listeners.event,
    removeListeners: listeners.clear,
    settled: storing.settled,
  };
}

function withoutQuestions(all: readonly DurableEvent[]): DurableEvent[] {
  const answered = new Set(all.flatMap((event) => (event.type === 'answered' ? [event.id] : [])));
  const events: DurableEvent[] = [];
  for (const event of all) if (event.type !== 'asked' || answered.has(event.id)) pushEvent(events, event);
  return events;
}

function createStoring(deps: Pick<TimelineDeps, 'append' | 'onStorageError'>) {
  let failing = false;
  const open = new Set<Promise<void>>();
  return {
    append(event: DurableEvent): void {
      const done = deps.append(event).then(
        () => {
          failing = false;
        },
        (error: unknown) => {
          if (!failing) deps.onStorageError(error);
          failing = true;
        },
      );
      open.add(done);
      void done.finally(() => open.delete(done));
    },
    async settled(): Promise<boolean> {
      await Promise.all(open);
      return !failing;
    },
  };
}
