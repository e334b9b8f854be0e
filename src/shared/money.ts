import type { Cost } from './messages.ts';

export const priceText = '0.33 USD per 1M tokens';

export const microUsdPerMillionTokens = 330_000;

/** Returns whole micro-dollars, half a micro-dollar rounded up. Anything that is no valid count costs 0. */
export function costMicroUsd(totalTokens: number): number {
  if (!(totalTokens > 0) || !Number.isFinite(totalTokens)) return 0;
  // Integer arithmetic: a quotient of floats can land on the wrong side of the half.
  const scaled = Math.floor(totalTokens) * microUsdPerMillionTokens + 500_000;
  return (scaled - (scaled % 1_000_000)) / 1_000_000;
}

export function wholeCents(microUsd: number): number {
  return Math.ceil(microUsd / 10_000) * 10_000;
}

/**
 * Shows four decimals below ten cents and two above, `≈` in front of an estimate, and `< $0.0001` for less than that,
 * estimated or not. `locale` is a BCP 47 tag.
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

export function formatCost(cost: Pick<Cost, 'microUsd' | 'estimated'>, locale?: string): string {
  return formatMicroUsd(cost.microUsd, cost.estimated, locale);
}
