import type { HttpHeaders } from '../wire/http-response.ts';

/**
 * How long the service asks to wait, in milliseconds ≥ 0; undefined when it does not say or says nonsense.
 * Reads `retry-after-ms`, then `Retry-After` in seconds or as an HTTP date. Not capped: a long wait is shown, not slept.
 */
export function parseRetryAfter(headers: HttpHeaders, nowEpochMs: number): number | undefined {
  const inMs = readNumber(headers.get('retry-after-ms'));
  if (inMs !== undefined) return Math.max(0, Math.round(inMs));
  const text = headers.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  const seconds = readNumber(text);
  if (seconds !== undefined) return Math.max(0, Math.round(seconds * 1000));
  // Date.parse accepts nearly anything; an HTTP date has the name of a month in it.
  if (!/[a-z]{3}/i.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowEpochMs);
}

function readNumber(text: string | null): number | undefined {
  if (text === null || !/^\s*[-+]?\d{1,15}(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
