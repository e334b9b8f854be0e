import * as l10n from '@vscode/l10n';
import type { Cost } from '../../shared/messages.ts';
import { formatCost } from '../../shared/money.ts';

/** `1,240 in · 84 out · $0.0004`, the last line of an answer of `@svc`; empty when nothing was sent. */
export function costLineOf(cost: Cost, locale: string): string {
  if (cost.requests === 0) return '';
  const count = new Intl.NumberFormat(locale);
  const tokens = (figure: number) => `${cost.estimated ? '≈ ' : ''}${count.format(figure)}`;
  const charge = {
    yes: [formatCost(cost, locale)],
    maybe: [...(cost.microUsd > 0 ? [formatCost(cost, locale)] : []), l10n.t('Possibly charged')],
    no: [l10n.t('Not charged')],
  }[cost.charge];
  const hasTokens = cost.promptTokens > 0 || cost.completionTokens > 0;
  return [
    ...(hasTokens
      ? [l10n.t('{0} in', tokens(cost.promptTokens)), l10n.t('{0} out', tokens(cost.completionTokens))]
      : []),
    ...charge,
  ].join(' · ');
}
