import type { DurableEvent } from '../shared/events.ts';

export function createCallIds(events: readonly DurableEvent[]): () => string {
  let last = 0;
  for (const event of events) {
    if (event.type !== 'stepFinished') continue;
    for (const call of event.toolCalls) last = Math.max(last, Number(/^c(\d{1,9})$/.exec(call.id)?.[1] ?? 0));
  }
  return () => {
    last += 1;
    return `c${last}`;
  };
}
