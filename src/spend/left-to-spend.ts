import { type BudgetLimits, hasLimits, type Spent } from './budget.ts';
import type { Ledger } from './ledger.ts';

export interface LeftDeps {
  ledger: Pick<Ledger, 'refresh' | 'today' | 'underWay'>;
  limitsOf(conversationId: string): BudgetLimits;
  /** Resolves to the micro-dollars that count against the limit of a conversation. */
  spentOn(conversationId: string): Promise<number>;
  onError(error: unknown): void;
}

/**
 * Resolves to the micro-dollars that the limits leave a conversation, minus all requests that are under way. Resolves
 * to infinity without limits.
 */
export async function leftToSpend(deps: LeftDeps, conversationId: string): Promise<number> {
  const limits = deps.limitsOf(conversationId);
  if (!hasLimits(limits)) return Number.POSITIVE_INFINITY;
  // An unreadable ledger must not lock the user out: what this window has seen is counted.
  await deps.ledger.refresh().catch(deps.onError);
  const underWay = await deps.ledger.underWay(conversationId);
  const spent = {
    todayMicroUsd: deps.ledger.today().microUsd + underWay.microUsd,
    conversationMicroUsd: (await deps.spentOn(conversationId)) + underWay.conversationMicroUsd,
  };
  return roomIn(limits, spent);
}

function roomIn(limits: BudgetLimits, spent: Spent): number {
  const room = (usd: number | undefined, microUsd: number) =>
    usd === undefined || Number.isNaN(usd) ? Number.POSITIVE_INFINITY : Math.max(0, usd * 1e6 - microUsd);
  return Math.min(
    room(limits.dailyLimitUsd, spent.todayMicroUsd),
    room(limits.conversationLimitUsd, spent.conversationMicroUsd),
    room(limits.capUsd, spent.conversationMicroUsd),
  );
}
