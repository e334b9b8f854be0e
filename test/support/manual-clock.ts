import type { Clock } from '../../src/base/clock.ts';

/** Time that the test moves: what is due by then runs in its order, each at its own time. */
export function createManualClock(): Pick<Clock, 'now' | 'epochMs' | 'after'> & { pass(ms: number): void } {
  let now = 0;
  const timers = new Set<{ at: number; run(): void }>();
  return {
    now: () => now,
    epochMs: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        now = next.at;
        next.run();
      }
      now = end;
    },
  };
}
