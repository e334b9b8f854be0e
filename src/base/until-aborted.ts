import type { Clock } from './clock.ts';

/** Resolves with undefined once the signal is aborted, and that was `ms` ago where a grace is given. */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  grace?: { clock: Pick<Clock, 'after'>; ms: number },
): Promise<T | undefined> {
  const over = Promise.withResolvers<undefined>();
  let cancel: (() => void) | undefined;
  const onAbort = () => {
    if (grace === undefined) over.resolve(undefined);
    else cancel = grace.clock.after(grace.ms, () => over.resolve(undefined));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    cancel?.();
    signal.removeEventListener('abort', onAbort);
  }
}
