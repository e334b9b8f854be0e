import { type Clock, systemClock } from '../base/clock.ts';
import type { ChatEvent } from '../shared/events.ts';

const frameMs = 16;

/**
 * Collects events and passes them on at most once a frame. The first after a pause is passed on at once, so a single
 * delta never waits. Neighboring deltas of one step are joined.
 */
export function createEventBatch(
  post: (events: ChatEvent[]) => void,
  clock: Pick<Clock, 'now' | 'after'> = systemClock,
): {
  add(events: readonly ChatEvent[]): void;
  clear(): void;
} {
  let waiting: ChatEvent[] = [];
  let cancel: (() => void) | undefined;
  let postedAt = Number.NEGATIVE_INFINITY;
  const flush = () => {
    cancel?.();
    cancel = undefined;
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    postedAt = clock.now();
    post(events);
  };
  return {
    add(events) {
      for (const event of events) {
        // The last words do not wait for what their end sets off.
        if (isText(waiting.at(-1)) && !isText(event)) flush();
        append(waiting, event);
      }
      if (cancel !== undefined || waiting.length === 0) return;
      const dueMs = postedAt + frameMs - clock.now();
      if (dueMs <= 0) flush();
      else cancel = clock.after(dueMs, flush);
    },
    clear() {
      waiting = [];
    },
  };
}

type TextEvent = Extract<ChatEvent, { type: 'textDelta' | 'reasoningDelta' }>;

function isText(event: ChatEvent | undefined): event is TextEvent {
  return event?.type === 'textDelta' || event?.type === 'reasoningDelta';
}

function append(events: ChatEvent[], event: ChatEvent): void {
  const last = events.at(-1);
  if (isText(last) && last.type === event.type && last.turnId === event.turnId && last.step === event.step) {
    events[events.length - 1] = { ...last, text: last.text + event.text };
  } else {
    events.push(event);
  }
}
