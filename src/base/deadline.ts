import type { Clock } from './clock.ts';

/** The signal ends with that of the caller, or when the time is over. Whoever starts a deadline must close it. */
export interface Deadline {
  signal: AbortSignal;
  isOver(): boolean;
  met(): number;
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
