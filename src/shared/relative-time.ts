const steps: readonly [limitMs: number, unitMs: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [3_600_000, 60_000, 'minute'],
  [86_400_000, 3_600_000, 'hour'],
  [7 * 86_400_000, 86_400_000, 'day'],
  [30 * 86_400_000, 7 * 86_400_000, 'week'],
  [365 * 86_400_000, 30 * 86_400_000, 'month'],
];

export function relativeTime(atMs: number, nowMs: number, locale: string): string {
  const age = Math.max(0, nowMs - atMs);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  if (age < 60_000) return format.format(0, 'second');
  const [, unitMs, unit] = steps.find(([limitMs]) => age < limitMs) ?? [0, 365 * 86_400_000, 'year' as const];
  return format.format(-Math.floor(age / unitMs), unit);
}
