import type { HttpHeaders } from '../wire/http-response.ts';

const maxMs = 366 * 86_400_000;

/**
 * Returns how long the service asks to wait, in milliseconds ≥ 0, or undefined when it does not say or says nonsense.
 * Reads `retry-after-ms`, then `Retry-After` in seconds or as an HTTP date. The value is not capped, because a long
 * wait is shown and not slept.
 */
export function parseRetryAfter(headers: HttpHeaders, nowEpochMs: number): number | undefined {
  const inMs = readNumber(headers.get('retry-after-ms'));
  if (inMs !== undefined) return Math.max(0, Math.round(inMs));
  const text = headers.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  const seconds = readNumber(text);
  // More is no wait but a moment, as the limits tell theirs.
  if (seconds !== undefined && seconds <= 1e9) return Math.max(0, Math.round(seconds * 1000));
  return parseReset(text, nowEpochMs);
}

const limits = ['-requests', '-tokens', ''];

/**
 * Reads `x-ratelimit-reset-requests: 6m0s` and its kin. Of several, the longest of those that are used up counts; if
 * none says so, the shortest.
 */
export function parseLimitReset(headers: HttpHeaders, nowEpochMs: number): number | undefined {
  const resets = limits.flatMap((limit) => {
    const reset = headers.get(`x-ratelimit-reset${limit}`) ?? headers.get(`ratelimit-reset${limit}`);
    const ms = reset === null ? undefined : parseReset(reset.trim(), nowEpochMs);
    const left = headers.get(`x-ratelimit-remaining${limit}`) ?? headers.get(`ratelimit-remaining${limit}`);
    return ms === undefined ? [] : [{ ms, isUsedUp: readNumber(left) === 0 }];
  });
  const usedUp = resets.filter(({ isUsedUp }) => isUsedUp).map(({ ms }) => ms);
  if (usedUp.length > 0) return Math.max(...usedUp);
  return resets.length === 0 ? undefined : Math.min(...resets.map(({ ms }) => ms));
}

function parseReset(text: string, nowEpochMs: number): number | undefined {
  const number = readNumber(text);
  if (number === undefined) return parseDuration(text) ?? untilDate(text, nowEpochMs);
  if (number > 1e11) return plausible(number - nowEpochMs);
  if (number > 1e9) return plausible(number * 1000 - nowEpochMs);
  return plausible(number * 1000);
}

const parts: readonly (readonly [RegExp, number])[] = [
  [/^ms|^milli|^毫秒/, 1],
  [/^s|^秒/, 1000],
  [/^m|^分/, 60_000],
  [/^h|^小时/, 3_600_000],
  [/^d|^天/, 86_400_000],
];
const unit =
  '(?:ms|milliseconds?|毫秒|s(?:ec(?:ond)?s?)?|秒钟?|m(?:in(?:ute)?s?)?|分钟?|h(?:(?:ou)?rs?)?|小时|d(?:ays?)?|天)(?![a-z])';
const duration = String.raw`\d{1,9}(?:\.\d{1,9})? ?${unit}(?:,? ?(?:and )?\d{1,9}(?:\.\d{1,9})? ?${unit}){0,3}`;
const wholly = new RegExp(`^${duration}$`, 'i');

function parseDuration(text: string): number | undefined {
  if (!wholly.test(text)) return undefined;
  const ms = [...text.toLowerCase().matchAll(/(\d{1,9}(?:\.\d{1,9})?) ?([a-z\u4e00-\u9fff]{1,12})/g)].reduce(
    (sum, [, count, name = '']) => {
      const factor = parts.find(([begins]) => begins.test(name))?.[1] ?? 0;
      return sum + Number(count) * factor;
    },
    0,
  );
  return plausible(ms);
}

const again = String.raw`(?:(?:try(?:ing)?|retry(?:ing)?|available|resets?|wait|come back|expires?)\b(?: again)?(?: your request)?|请)\s{0,2}(?:(?:in|after|for|until|at least|about|approximately|ready in|等待|在|于)\s{0,2}){0,3}`;
const inWords = new RegExp(`${again}(${duration})`, 'i');
const afterNumber = /\bretry[ _-]?after\b["'`]?\s{0,2}[:=]?\s{0,2}(\d{1,6}(?:\.\d{1,6})?)(?![\d\w])/i;

/** Reads phrases such as "Please try again in 1m30.5s", "retry after 20 seconds" and "请在 12 秒后重试". */
export function waitInWords(text: string): number | undefined {
  const found = inWords.exec(text)?.[1];
  if (found !== undefined) return parseDuration(found);
  const seconds = afterNumber.exec(text)?.[1];
  return seconds === undefined ? undefined : plausible(Number(seconds) * 1000);
}

export function waitInField(name: string, value: unknown): number | undefined {
  if (typeof value === 'string') {
    const number = readNumber(value);
    return number === undefined ? parseDuration(value.trim()) : waitInField(name, number);
  }
  if (typeof value !== 'number' || !(value >= 0)) return undefined;
  return plausible(/ms$|milli/i.test(name) ? value : value * 1000);
}

function untilDate(text: string, nowEpochMs: number): number | undefined {
  // Date.parse accepts nearly anything; a date has the name of a month in it, or is in the form of ISO 8601.
  if (!/[a-z]{3}/i.test(text) && !/^\d{4}-\d\d-\d\dT/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowEpochMs);
}

function plausible(ms: number): number | undefined {
  return ms <= maxMs ? Math.max(0, Math.round(ms)) : undefined;
}

function readNumber(text: string | null): number | undefined {
  if (text === null || !/^\s*[-+]?\d{1,15}(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
