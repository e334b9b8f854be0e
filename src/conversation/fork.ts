import { eventTraits } from '../shared/event-traits.ts';
import type { DurableEvent } from '../shared/events.ts';
import { liveEvents } from './store/durable-events.ts';

/** Names where a copy ends: with the answers to a message, or before the n-th rewind. */
export type ForkPoint = { messageId: string } | { rewind: number } | 'end';

export interface ForkOptions {
  from: string;
  id: string;
  atMs: number;
  workspace?: string;
}

/**
 * Returns the events of a new conversation that begins like this one, up to `point`, without what was rewound before.
 * Returns undefined when there is no such point. The list ends with `forked`, the link to the original.
 */
export function forkEvents(
  events: readonly DurableEvent[],
  point: ForkPoint,
  { from, id, atMs, workspace }: ForkOptions,
): DurableEvent[] | undefined {
  const upTo = endOf(events, point);
  if (upTo === undefined) return undefined;
  const copied = liveEvents(upTo).filter(({ type }) => eventTraits[type].of !== 'itself');
  const created: DurableEvent = { type: 'created', conversationId: id, at: atMs };
  if (workspace !== undefined) created.workspace = workspace;
  return [created, ...copied, { type: 'forked', from, at: atMs }];
}

function endOf(events: readonly DurableEvent[], point: ForkPoint): readonly DurableEvent[] | undefined {
  if (point === 'end') return events;
  if ('rewind' in point) {
    const rewinds = events.flatMap((event, at) => (event.type === 'rewound' ? [at] : []));
    const at = rewinds[point.rewind];
    return at === undefined ? undefined : events.slice(0, at);
  }
  const live = liveEvents(events);
  const at = live.findIndex((event) => event.type === 'userMessage' && event.id === point.messageId);
  if (at < 0) return undefined;
  const next = live.findIndex((event, place) => place > at && event.type === 'userMessage');
  return next < 0 ? live : live.slice(0, next);
}
