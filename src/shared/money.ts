import type { Cost } from './messages.ts';

/** The flat rate as people read it. */
export const priceText = '0.33 USD per 1M tokens';

/** One flat rate for every model, prompt and completion alike. */
export const microUsdPerMillionTokens = 330_000;

/** In whole micro-dollars, half a micro-dollar rounded up. Anything that is no count costs 0. */
export function costMicroUsd(totalTokens: number): number {
  if (!(totalTokens > 0) || !Number.isFinite(totalTokens)) return 0;
  // Integer arithmetic: a quotient of floats can land on the wrong side of the half.
  const scaled = Math.floor(totalTokens) * microUsdPerMillionTokens + 500_000;
  return (scaled - (scaled % 1_000_000)) / 1_000_000;
}

/**
 * Micro-dollars as shown to people: four decimals below ten cents, else two; `≈` in front of an estimate; `< $0.0001` for
 * what is less than that, estimated or not. `locale` is a BCP 47 tag.
 */
export function formatMicroUsd(microUsd: number, estimated: boolean, locale = 'en-US'): string {
  const usd = microUsd / 1e6;
  const digits = usd > 0 && usd < 0.1 ? 4 : 2;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  if (microUsd > 0 && usd < 0.0001) return `< ${format.format(0.0001)}`;
  return estimated ? `≈ ${format.format(usd)}` : format.format(usd);
}

/** `$0.0044`, or `≈ $0.0044` for an estimate; `chargeWords` also says what was not charged. */
export function formatCost(cost: Pick<Cost, 'microUsd' | 'estimated'>, locale?: string): string {
  return formatMicroUsd(cost.microUsd, cost.estimated, locale);
}
