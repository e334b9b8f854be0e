/** `svc.spend.*`, in USD; unset is no limit. */
export interface BudgetLimits {
  dailyLimitUsd?: number;
  conversationLimitUsd?: number;
  confirmAboveUsd?: number;
  /** One conversation carries it itself. */
  capUsd?: number;
}

/** `capMicroUsd`: at which the conversation stops of itself. */
export function withCap(limits: BudgetLimits, capMicroUsd: number | '' | undefined): BudgetLimits {
  return typeof capMicroUsd === 'number' ? { ...limits, capUsd: capMicroUsd / 1_000_000 } : limits;
}

/** Until now, in micro-dollars. */
export interface Spent {
  todayMicroUsd: number;
  conversationMicroUsd: number;
}

/** `limit`: must not be sent. `confirm`: ask first. All amounts in micro-dollars. */
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
 * May a request that is estimated at `estimateMicroUsd` be sent? Reaching a limit exactly is allowed, passing it
 * is not; once a limit is used up nothing more is, however small.
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

/** The setting, below `svc.`, of the limit that a refused request names in its facts; an older record may name none. */
export function limitSetting(limit: unknown): string {
  if (limit === 'conversation') return 'spend.conversationLimitUsd';
  return limit === 'confirm' ? 'spend.confirmAboveUsd' : 'spend.dailyLimitUsd';
}

/** False when a request needs no look at the ledger. */
export function hasLimits(limits: BudgetLimits): boolean {
  return [limits.dailyLimitUsd, limits.conversationLimitUsd, limits.capUsd, limits.confirmAboveUsd].some(
    (usd) => toMicroUsd(usd) !== undefined,
  );
}

/** A negative limit is read as zero: it was meant to allow nothing. */
function toMicroUsd(usd: number | undefined): number | undefined {
  if (typeof usd !== 'number' || Number.isNaN(usd) || usd === Number.POSITIVE_INFINITY) return undefined;
  return Math.max(0, Math.round(usd * 1_000_000));
}
