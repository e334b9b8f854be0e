import type { Clock } from '../../base/clock.ts';

const tickMs = 5000;
const suspendedMs = 60_000;
const resumeGraceMs = 5000;

export interface StallWatch {
  progress(limitMs: number): void;
  /** Doubles the current limit once, for bytes that show life but no progress, such as a comment. */
  signOfLife(): void;
  stop(): void;
}

/**
 * Watches the first-event and idle limits with one timer that checks from time to time, so that progress costs no
 * more than storing a number. Calls `onStall` once.
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
