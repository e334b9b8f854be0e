import * as l10n from '@vscode/l10n';
import { chargeWords } from '../../../shared/charge-words.ts';
import type { Cost } from '../../../shared/messages.ts';

export function costLineOf(cost: Cost, locale: string): string {
  if (cost.requests === 0) return '';
  const count = new Intl.NumberFormat(locale);
  const tokens = (figure: number) => `${cost.estimated ? '≈ ' : ''}${count.format(figure)}`;
  const hasTokens = cost.promptTokens > 0 || cost.completionTokens > 0;
  return [
    ...(hasTokens
      ? [l10n.t('{0} in', tokens(cost.promptTokens)), l10n.t('{0} out', tokens(cost.completionTokens))]
      : []),
    chargeWords(cost, locale),
  ].join(' · ');
}
