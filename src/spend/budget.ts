/** Amounts are in USD; an unset one is no limit. */
export interface BudgetLimits {
  dailyLimitUsd?: number;
  conversationLimitUsd?: number;
  confirmAboveUsd?: number;
  capUsd?: number;
}

export function withCap(limits: BudgetLimits, capMicroUsd: number | '' | undefined): BudgetLimits {
  return typeof capMicroUsd === 'number' ? { ...limits, capUsd: capMicroUsd / 1_000_000 } : limits;
}

export interface Spent {
  todayMicroUsd: number;
  conversationMicroUsd: number;
}

/** `limit` means that the request must not be sent, `confirm` that the user must be asked first. */
export type BudgetAnswer =
  | { kind: 'ok' }
  | {
      kind: 'limit' | 'confirm';
      limit: 'daily' | 'conversation' | 'cap' | 'confirm';
      limitMicroUsd: number;
      spentMicroUsd: number;
      estimateMicroUsd: number;
    };

/**
 * Decides whether a request may be sent. Reaching a limit exactly is allowed, passing it is not; once a limit is used
 * up nothing more is, however small.
 */
export function checkBudget(limits: BudgetLimits, spent: Spent, estimateMicroUsd: number): BudgetAnswer {
  const checks = [
    ['daily', limits.dailyLimitUsd, spent.todayMicroUsd],
    ['conversation', limits.conversationLimitUsd, spent.conversationMicroUsd],
    ['cap', limits.capUsd, spent.conversationMicroUsd],
  ] as const;
  for (const [limit, usd, spentMicroUsd] of checks) {
    const limitMicroUsd = toMicroUsd(usd);
    if (limitMicroUsd === undefined) continue;
    if (spentMicroUsd + estimateMicroUsd > limitMicroUsd || spentMicroUsd >= limitMicroUsd) {
      return { kind: 'limit', limit, limitMicroUsd, spentMicroUsd, estimateMicroUsd };
    }
  }
  const askAbove = toMicroUsd(limits.confirmAboveUsd);
  if (askAbove !== undefined && estimateMicroUsd > askAbove) {
    return { kind: 'confirm', limit: 'confirm', limitMicroUsd: askAbove, spentMicroUsd: 0, estimateMicroUsd };
  }
  return { kind: 'ok' };
}

export function limitSetting(limit: unknown): string {
  if (limit === 'conversation') return 'spend.conversationLimitUsd';
  return limit === 'confirm' ? 'spend.confirmAboveUsd' : 'spend.dailyLimitUsd';
}

export function hasLimits(limits: BudgetLimits): boolean {
  return [limits.dailyLimitUsd, limits.conversationLimitUsd, limits.capUsd, limits.confirmAboveUsd].some(
    (usd) => toMicroUsd(usd) !== undefined,
  );
}

/** A negative limit counts as zero, because it was meant to allow nothing. */
function toMicroUsd(usd: number | undefined): number | undefined {
  if (typeof usd !== 'number' || Number.isNaN(usd) || usd === Number.POSITIVE_INFINITY) return undefined;
  return Math.max(0, Math.round(usd * 1_000_000));
}
