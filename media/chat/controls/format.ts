import * as l10n from '@vscode/l10n';

export function formatSeconds(seconds: number): string {
  return seconds < 60 ? l10n.t('{0} s', seconds) : l10n.t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}

export function formatDuration(ms: number, locale: string): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds >= 59.95) return formatSeconds(Math.round(seconds));
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return l10n.t('{0} s', new Intl.NumberFormat(locale, digits).format(seconds));
}

export function formatShortCount(count: number, locale: string): string {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  if (count < 1000) return format.format(count);
  return count < 999_950 ? `${format.format(count / 1000)}k` : `${format.format(count / 1e6)}M`;
}

export function formatAbout(count: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }).format(count);
}

export function formatCount(count: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(count);
}
