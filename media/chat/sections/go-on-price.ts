import * as l10n from '@vscode/l10n';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import type { Panel } from '../panel.ts';

/**
 * Returns the price of continuing this turn or sending it again (`≈ $0.0060`), or undefined when it is not known.
 * Only the last turn can be continued; the price is that of the next message without the draft.
 */
export function priceToGoOn({ info, items, price }: Panel, turnId: string): string | undefined {
  const last = items.value.findLast(({ kind }) => kind !== 'modelChanged');
  const next = price.value;
  if (next === undefined || next.tokens === 0 || last?.kind !== 'answer' || last.turnId !== turnId) return undefined;
  const tokens = next.tokens - next.parts.draft - next.parts.attachments;
  return formatMicroUsd((next.microUsd * tokens) / next.tokens, true, info.peek()?.locale);
}

export function priceToAskAgain({ info }: Panel, microUsd: number | undefined): string | undefined {
  if (microUsd === undefined || microUsd === 0) return undefined;
  return formatMicroUsd(microUsd, true, info.peek()?.locale);
}

export function withPrice(label: string, price: string | undefined): string {
  return price === undefined ? label : l10n.t('{0} {1}', label, price);
}
