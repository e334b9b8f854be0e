import { costMicroUsd, formatMicroUsd, microUsdPerMillionTokens } from '../shared/money.ts';

/** Below it the usual form has no digit left: what a file adds to one request is often less. */
const minShown = 100;

/** The cost of so many tokens in one request, as `≈ $0.0021`, or `≈ $0.000007`. */
export function requestPrice(tokens: number): string {
  const micro = costMicroUsd(tokens);
  if (micro >= minShown || tokens === 0) return formatMicroUsd(micro, true);
  return `≈ $${((tokens * microUsdPerMillionTokens) / 1e12).toFixed(6)}`;
}
