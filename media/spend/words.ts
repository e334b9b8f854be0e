import * as l10n from '@vscode/l10n';
import { requestsWords } from '../../src/shared/charge-words.ts';
import { formatMicroUsd } from '../../src/shared/money.ts';
import type { SpendDay, SpendSum } from '../../src/shared/panel/spend-report.ts';

export function money(sum: Pick<SpendSum, 'microUsd' | 'estimated'>, locale: string): string {
  return formatMicroUsd(sum.microUsd, sum.estimated, locale);
}

/** Returns `Nov 20`. A day has no time zone, so it is parsed and formatted in the same one. */
export function dayName(day: string, locale: string, style: 'short' | 'long'): string {
  const format: Intl.DateTimeFormatOptions =
    style === 'short'
      ? { month: 'short', day: 'numeric' }
      : { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' };
  return new Intl.DateTimeFormat(locale, { ...format, timeZone: 'UTC' }).format(Date.parse(day));
}

export function daySentence(day: SpendDay, locale: string): string {
  const name = dayName(day.day, locale, 'long');
  if (day.requests === 0) return l10n.t('{0}: no requests', name);
  const models = day.models.map((model) => `${model.name} ${money(model, locale)}`).join(', ');
  return l10n.t('{0}: {1} in {2}; {3}', name, money(day, locale), requestsWords(day, locale), models);
}
