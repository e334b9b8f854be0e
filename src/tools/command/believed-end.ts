import type { Clock } from '../../base/clock.ts';

const promptMs = 1000;
const pollEveryMs = 100;

export interface BelievedEndDeps {
  hasChildren(): Promise<boolean>;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Any program can print the sequence by which a shell reports the end of a command, and go on. The code is therefore
 * accepted only when nothing runs below the shell any more; it is undefined when something was still there a second
 * later. Resolves at once after the signal.
 */
export async function believedEnd(reported: number | undefined, deps: BelievedEndDeps): Promise<number | undefined> {
  const { clock, signal } = deps;
  const since = clock.now();
  while (!signal.aborted && (await deps.hasChildren())) {
    await clock.sleep(pollEveryMs, signal).catch(() => undefined);
  }
  return signal.aborted || clock.now() - since > promptMs ? undefined : reported;
}
