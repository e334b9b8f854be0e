import type { Attempt, Charge, Cost } from '../shared/messages.ts';
import { costMicroUsd, microUsdPerMillionTokens } from '../shared/money.ts';

export { costMicroUsd, microUsdPerMillionTokens };

export const noCost: Readonly<Cost> = {
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  microUsd: 0,
  estimated: false,
  charge: 'no',
  requests: 0,
};

export function counts(attempt: Pick<Attempt, 'charge'>): boolean {
  return attempt.charge !== 'no';
}

/**
 * Rounds each attempt by itself, so that sums of parts equal the whole and the ledger's lines add up to what the
 * answers show. Attempts that are not charged count as requests only.
 */
export function sumCost(attempts: readonly Attempt[]): Cost {
  const cost: Cost = { ...noCost, requests: attempts.length };
  for (const attempt of attempts) {
    cost.charge = strongerCharge(cost.charge, attempt.charge);
    if (!counts(attempt)) continue;
    // Charged without a count: the sum is a lower bound, so it must not seem exact.
    cost.estimated ||= attempt.usage?.estimated ?? true;
    cost.promptTokens += attempt.usage?.promptTokens ?? 0;
    cost.completionTokens += attempt.usage?.completionTokens ?? 0;
    cost.totalTokens += attempt.usage?.totalTokens ?? 0;
    cost.microUsd += costMicroUsd(attempt.usage?.totalTokens ?? 0);
  }
  return cost;
}

export function strongerCharge(a: Charge, b: Charge): Charge {
  if (a === 'yes' || b === 'yes') return 'yes';
  return a === 'maybe' || b === 'maybe' ? 'maybe' : 'no';
}
