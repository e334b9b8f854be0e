import type { Clock } from '../../base/clock.ts';

/** How often it looks; also the longest delay with which a shortened limit takes effect. */
const tickMs = 5000;
/** A gap between wall clock and monotonic clock that only a suspended machine explains. */
const suspendedMs = 60_000;
/** In this time a stream has to prove that it outlived the suspension. */
const resumeGraceMs = 5000;

export interface StallWatch {
  /** Something was understood; the next thing must come within `limitMs`. */
  progress(limitMs: number): void;
  /** Bytes came that say nothing yet, a comment say: doubles the current limit, once. */
  signOfLife(): void;
  stop(): void;
}

/**
 * The first-event and idle timers. One timer that looks from time to time, so that progress costs no more than
 * storing a number. Calls `onStall` once.
 */
export function createStallWatch(clock: Clock, firstLimitMs: number, onStall: () => void): StallWatch {
  let since = clock.now();
  let limitMs = firstLimitMs;
  let extended = false;
  let lastTick = { now: since, epochMs: clock.epochMs() };

  const allowedMs = () => (extended ? limitMs * 2 : limitMs);
  const arm = (tick: () => void): (() => void) =>
    clock.after(Math.min(tickMs, since + allowedMs() - clock.now()), tick);
  let cancel = arm(function tick() {
    const now = clock.now();
    const epochMs = clock.epochMs();
    if (epochMs - lastTick.epochMs - (now - lastTick.now) > suspendedMs) {
      since = now;
      limitMs = Math.min(limitMs, resumeGraceMs);
      extended = false;
    }
    lastTick = { now, epochMs };
    if (now - since >= allowedMs()) onStall();
    else cancel = arm(tick);
  });

  return {
    progress: (nextLimitMs) => {
      since = clock.now();
      limitMs = nextLimitMs;
      extended = false;
    },
    signOfLife: () => {
      extended = true;
    },
    stop: () => cancel(),
  };
}
