import { costMicroUsd, formatMicroUsd, microUsdPerMillionTokens } from '../shared/money.ts';

/** Below this amount the usual form has no digit left, and what a file adds to one request is often less. */
const minShown = 100;

export function requestPrice(tokens: number): string {
  const micro = costMicroUsd(tokens);
  if (micro >= minShown || tokens === 0) return formatMicroUsd(micro, true);
  return `≈ $${((tokens * microUsdPerMillionTokens) / 1e12).toFixed(6)}`;
}
