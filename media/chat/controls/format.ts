import * as l10n from '@vscode/l10n';

/** `12 s`, `2 min 5 s`; `seconds` is a whole number. */
export function formatSeconds(seconds: number): string {
  return seconds < 60 ? l10n.t('{0} s', seconds) : l10n.t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}

/** `0.2 s`, `8.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number, locale: string): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds >= 59.95) return formatSeconds(Math.round(seconds));
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return l10n.t('{0} s', new Intl.NumberFormat(locale, digits).format(seconds));
}

/** `842`, `18.2k`, `1.3M`: where there is little room. */
export function formatShortCount(count: number, locale: string): string {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  if (count < 1000) return format.format(count);
  return count < 999_950 ? `${format.format(count / 1000)}k` : `${format.format(count / 1e6)}M`;
}

/** `18,200`: no more digits than an estimate has. */
export function formatAbout(count: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }).format(count);
}

export function formatCount(count: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(count);
}

const units = [
  ['year', 365 * 24 * 60],
  ['month', 30 * 24 * 60],
  ['week', 7 * 24 * 60],
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const;

/** `5 min. ago`, `yesterday`, as short as the language has it; both in epoch milliseconds. */
export function formatAgo(atMs: number, nowMs: number, locale: string): string {
  const minutes = Math.max(0, Math.floor((nowMs - atMs) / 60_000));
  const [unit, length] = units.find(([, each]) => minutes >= each) ?? ['minute', 1];
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  return minutes === 0 ? format.format(0, 'second') : format.format(-Math.floor(minutes / length), unit);
}
