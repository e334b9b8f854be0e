import type { TurnInput } from '../../agent/turn.ts';
import type { Clock } from '../../base/clock.ts';
import type { ChatEvent, DurableEvent } from '../../shared/events.ts';
import type { Ask } from '../../shared/interaction.ts';
import { liveEvents } from '../store/durable-events.ts';

export const longestWaitMs = 3_600_000;
const [firstPauseMs, longestPauseMs] = [30_000, 300_000];

export interface CapacityWaitDeps {
  clock: Pick<Clock, 'epochMs' | 'sleep'>;
  turnId: string;
  until: number;
  signal: AbortSignal;
  emit(event: ChatEvent): void;
  ask: Ask;
  settled(): Promise<boolean>;
}

/**
 * Waits until it is time to ask again, or no more. Before each request the conversation's file says that one may be
 * under way, so that a window which finds the turn after a crash knows whether it was perhaps sent; what cannot be
 * stored is not sent.
 */
export function createCapacityWait(deps: CapacityWaitDeps) {
  const { clock, turnId, until, signal } = deps;
  let pauses = false;
  let asked = 0;
  const asks = (): Promise<boolean> => {
    pauses = false;
    deps.emit({ type: 'waits', turnId });
    return deps.settled();
  };
  const roomAfter: TurnInput['roomAfter'] = async (failure, step) => {
    const left = until - clock.epochMs();
    if (left <= 0 || signal.aborted) return false;
    const delayMs = Math.min(left, longestPauseMs, firstPauseMs * 2 ** asked);
    asked += 1;
    pauses = true;
    deps.emit({ type: 'waits', turnId, until });
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const about = { failure, delayMs, attempt: asked + 1, of: asked + 1, until };
    const skipped = deps.ask('wait', about, { id: `${turnId}:room`, step, signal: either });
    await Promise.race([clock.sleep(delayMs, either).catch(() => undefined), skipped]);
    over.abort();
    return !signal.aborted && asks();
  };
  return { asks, roomAfter, pauses: () => pauses };
}

/** Returns until when an interrupted last turn would wait, or that a request of it was perhaps sent. */
export function waitsUntil(stored: readonly DurableEvent[]): number | 'perhaps-sent' | undefined {
  const events = liveEvents(stored);
  const waits = events.findLast((event) => event.type === 'waits');
  const started = events.findLast((event) => event.type === 'turnStarted');
  const ended = events.findLast((event) => event.type === 'turnEnded');
  const isLast = waits !== undefined && started?.turnId === waits.turnId;
  if (!isLast || ended?.turnId !== waits.turnId || ended.outcome !== 'interrupted') return undefined;
  return waits.until ?? 'perhaps-sent';
}
