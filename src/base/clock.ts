export const dayMs = 24 * 60 * 60 * 1000;

/** Time as the service client sees it; tests put in a clock of their own. */
export interface Clock {
  /** Monotonic milliseconds: for durations and timers, never shown. */
  now(): number;
  /** Milliseconds since 1970: for what is stored and shown. */
  epochMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Runs once after `ms`, on a later turn of the event loop; returns what calls it off. */
  after(ms: number, run: () => void): () => void;
}

/** Longer than this, Node's timers fire at once. */
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
