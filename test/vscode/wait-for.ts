import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  timeoutMs?: number;
  pollMs?: number;
}

/**
 * Resolves with the first truthy value that `probe` gives. Rejects after `timeoutMs` (60 s) of an idle machine with `what` in the
 * message, and with the last thing the probe threw as its cause: a probe may throw while what it looks at is being replaced. Where
 * eight programs share a core, each second counts as an eighth: what is slow for that reason is not broken.
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  { timeoutMs = 60_000, pollMs = 50 }: WaitOptions = {},
): Promise<T> {
  let left = timeoutMs;
  let cause: unknown;
  for (;;) {
    const from = Date.now();
    try {
      const value = await probe();
      if (value) return value;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (left <= 0) throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause });
    await delay(pollMs);
    left -= (Date.now() - from) / programsPerCore();
  }
}

/** At least one. */
function programsPerCore(): number {
  return Math.max(1, (os.loadavg()[0] ?? 0) / os.availableParallelism());
}
