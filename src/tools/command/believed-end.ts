import type { Clock } from '../../base/clock.ts';

/** Programs that a prompt starts after a command, to show a branch or a time, are gone by then. */
const promptMs = 1000;
const pollEveryMs = 100;

export interface BelievedEndDeps {
  /** Whether anything that the shell started still runs. */
  hasChildren(): Promise<boolean>;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Any program can print the sequence by which a shell says that a command has ended, and go on. So its word is taken only
 * when nothing is left below the shell: the code that was told, or none when something was still there a second later.
 * Resolves then; after the signal at once.
 */
export async function believedEnd(told: number | undefined, deps: BelievedEndDeps): Promise<number | undefined> {
  const { clock, signal } = deps;
  const since = clock.now();
  while (!signal.aborted && (await deps.hasChildren())) {
    await clock.sleep(pollEveryMs, signal).catch(() => undefined);
  }
  return signal.aborted || clock.now() - since > promptMs ? undefined : told;
}
