import type { Clock } from './clock.ts';

/** A signal that ends with the caller's, or when a time is over. Whoever starts one closes it. */
export interface Deadline {
  signal: AbortSignal;
  /** The time was over before `met`. */
  isOver(): boolean;
  /** Ends the counting, because what was waited for is there. Returns the milliseconds that are left, at least 1. */
  met(): number;
  /** Ends what the signal was given to, unless that has ended already. */
  close(): void;
}

export function startDeadline(clock: Clock, maxMs: number, signal: AbortSignal): Deadline {
  const controller = new AbortController();
  const started = clock.now();
  let isOver = false;
  const onStop = () => controller.abort(signal.reason);
  signal.addEventListener('abort', onStop, { once: true });
  if (signal.aborted) onStop();
  const cancel = clock.after(maxMs, () => {
    isOver = true;
    controller.abort(new DOMException('no answer in time', 'TimeoutError'));
  });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    met: () => {
      cancel();
      return Math.max(1, maxMs - (clock.now() - started));
    },
    close: () => {
      cancel();
      signal.removeEventListener('abort', onStop);
      controller.abort();
    },
  };
}
