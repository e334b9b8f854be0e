import { costMicroUsd, formatMicroUsd, microUsdPerMillionTokens } from '../shared/money.ts';

/** Amounts below this many micro-dollars have another form, because the usual one has no digit left for them. */
const minShown = 100;

export function requestPrice(tokens: number): string {
  const micro = costMicroUsd(tokens);
  if (micro >= minShown || tokens === 0) return formatMicroUsd(micro, true);
  return `≈ $${((tokens * microUsdPerMillionTokens) / 1e12).toFixed(6)}`;
}
