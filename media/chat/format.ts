import * as l10n from '@vscode/l10n';

/** `0.2 s`, `8.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number, locale: string): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds >= 59.95) {
    const whole = Math.round(seconds);
    return l10n.t('{0} min {1} s', Math.floor(whole / 60), whole % 60);
  }
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return l10n.t('{0} s', new Intl.NumberFormat(locale, digits).format(seconds));
}

export function formatCount(count: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(count);
}
