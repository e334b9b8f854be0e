export const dayMs = 24 * 60 * 60 * 1000;

export interface Clock {
  /** Returns monotonic milliseconds, which are for durations and timers and are never shown. */
  now(): number;
  epochMs(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  after(ms: number, run: () => void): () => void;
}

const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const settled = new AbortController();
      const cancel = systemClock.after(ms, () => {
        settled.abort();
        resolve();
      });
      const onAbort = () => {
        cancel();
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true, signal: settled.signal });
    }),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), maxTimerMs));
    return () => clearTimeout(timer);
  },
};
