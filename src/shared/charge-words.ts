import * as l10n from '@vscode/l10n';
import type { Cost } from './messages.ts';
import { formatCost } from './money.ts';

/**
 * Writes a cost in the words of every surface: `$0.0044` as the service counted it, `≈ $0.0044` as estimated, `≈
 * $0.0044 · Possibly charged` where it is not known, or `Not charged`. `locale` is a BCP 47 tag.
 */
export function chargeWords(cost: Pick<Cost, 'charge' | 'microUsd' | 'estimated'>, locale?: string): string {
  switch (cost.charge) {
    case 'yes':
      return formatCost(cost, locale);
    case 'no':
      return l10n.t('Not charged');
    case 'maybe': {
      const perhaps = l10n.t('Possibly charged');
      return cost.microUsd > 0 ? `${formatCost(cost, locale)} · ${perhaps}` : perhaps;
    }
  }
}

export function requestsWords(
  sum: { requests: number; notCharged: number; possiblyCharged: number },
  locale: string,
): string {
  const count = new Intl.NumberFormat(locale);
  return [
    sum.requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', count.format(sum.requests)),
    ...(sum.notCharged > 0 ? [l10n.t('{0} not charged', count.format(sum.notCharged))] : []),
    ...(sum.possiblyCharged > 0 ? [l10n.t('{0} possibly charged', count.format(sum.possiblyCharged))] : []),
  ].join(', ');
}
