import type { Clock } from '../../../src/base/clock.ts';

export interface FakeClock extends Clock {
  /** Lets `ms` pass: timers run in order, and what they set going settles in between. */
  advance(ms: number): Promise<void>;
  /** The machine slept: the wall clock went on, the monotonic clock did not. */
  suspend(ms: number): void;
  timers(): number;
}

export function createFakeClock(): FakeClock {
  let nowMs = 1000;
  let epochOffsetMs = 1_700_000_000_000;
  let timers: { at: number; run: () => void }[] = [];
  const after: Clock['after'] = (ms, run) => {
    const timer = { at: nowMs + Math.max(ms, 0), run };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  return {
    now: () => nowMs,
    epochMs: () => nowMs + epochOffsetMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const cancel = after(ms, resolve);
        signal.addEventListener('abort', () => {
          cancel();
          reject(signal.reason);
        });
      }),
    after,
    advance: async (ms) => {
      const end = nowMs + ms;
      await settle();
      for (;;) {
        const due = timers.filter((timer) => timer.at <= end).toSorted((left, right) => left.at - right.at)[0];
        if (due === undefined) break;
        timers = timers.filter((timer) => timer !== due);
        nowMs = Math.max(nowMs, due.at);
        due.run();
        await settle();
      }
      nowMs = end;
    },
    suspend: (ms) => {
      epochOffsetMs += ms;
    },
    timers: () => timers.length,
  };
}

/** Two turns of the event loop: enough for streams to pass on what they have. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
