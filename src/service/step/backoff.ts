const backoffsMs = [1_000, 2_000, 4_000, 8_000, 16_000];
/** Up to this part of a wait is added at random, so that windows that failed together do not return together. */
const jitter = 0.5;
/** A longer wait is reported and not slept, because nobody sits through it. */
export const maxWaitMs = 60_000;

export const maxWaits = backoffsMs.length;

/**
 * Returns the milliseconds before retry number `retry` (0 is the first): what the service asks for, else 1, 2, 4, 8,
 * 16 s and up to half as much again. Returns undefined when the service asks for more than a minute. `random` is in
 * [0, 1).
 */
export function backoffMs(askedMs: number | undefined, retry: number, random: number): number | undefined {
  const asked = askedMs ?? 0;
  if (asked > maxWaitMs) return undefined;
  if (asked > 0) return asked;
  const base = backoffsMs[Math.min(retry, maxWaits - 1)] ?? 0;
  return Math.round(base * (1 + jitter * random));
}
