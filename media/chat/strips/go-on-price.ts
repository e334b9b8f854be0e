import { formatMicroUsd } from '../../../src/shared/money.ts';
import type { Panel } from '../panel.ts';

/**
 * What it would cost to go on with this turn or to send it again, in words: `≈ $0.0060`. Undefined when nobody knows.
 * Only the last turn is gone on with; what would be sent is the next message without what is being typed.
 */
export function priceToGoOn({ info, items, price }: Panel, turnId: string): string | undefined {
  const last = items.value.findLast(({ kind }) => kind !== 'modelChanged');
  const next = price.value;
  if (next === undefined || next.tokens === 0 || last?.kind !== 'answer' || last.turnId !== turnId) return undefined;
  const tokens = next.tokens - next.parts.draft - next.parts.attachments;
  return formatMicroUsd((next.microUsd * tokens) / next.tokens, true, info.peek()?.locale);
}

/** What asking the same again would cost: what it cost before. Undefined when it never cost anything. */
export function priceToAskAgain({ info }: Panel, microUsd: number | undefined): string | undefined {
  if (microUsd === undefined || microUsd === 0) return undefined;
  return formatMicroUsd(microUsd, true, info.peek()?.locale);
}
