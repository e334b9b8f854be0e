import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  timeoutMs?: number;
  pollMs?: number;
}

/**
 * Resolves with the first truthy value that `probe` gives. Rejects after `timeoutMs` (60 s) with `what` in the message, and
 * with the last thing the probe threw as its cause: a probe may throw while what it looks at is being replaced.
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  { timeoutMs = 60_000, pollMs = 50 }: WaitOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause });
    await delay(pollMs);
  }
}
