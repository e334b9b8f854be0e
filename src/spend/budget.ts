import type { Ledger } from './ledger.ts';

/** Amounts are in USD; an unset one is no limit. */
export interface BudgetLimits {
  dailyLimitUsd?: number;
  conversationLimitUsd?: number;
  confirmAboveUsd?: number;
  capUsd?: number;
  messageLimitUsd?: number;
}

export function withCap(limits: BudgetLimits, capMicroUsd: number | '' | undefined): BudgetLimits {
  return typeof capMicroUsd === 'number' ? { ...limits, capUsd: capMicroUsd / 1_000_000 } : limits;
}

export interface Spent {
  todayMicroUsd: number;
  conversationMicroUsd: number;
  messageMicroUsd?: number;
}

/** `limit` means that the request must not be sent, `confirm` that the user must be asked first. */
export type BudgetAnswer =
  | { kind: 'ok' }
  | {
      kind: 'limit' | 'confirm';
      limit: 'message' | 'daily' | 'conversation' | 'cap' | 'confirm';
      limitMicroUsd: number;
      spentMicroUsd: number;
      estimateMicroUsd: number;
    };

/**
 * Decides whether a request may be sent. The limit of a message is held with the usual reply, `wholeMicroUsd`.
 * Reaching a limit exactly is allowed, passing it is not; once a limit is used up nothing more is, however small.
 */
export function checkBudget(
  limits: BudgetLimits,
  spent: Spent,
  promptMicroUsd: number,
  wholeMicroUsd = promptMicroUsd,
): BudgetAnswer {
  for (const { limit, limitMicroUsd, spentMicroUsd } of limitsIn(limits, spent)) {
    const estimateMicroUsd = limit === 'message' ? wholeMicroUsd : promptMicroUsd;
    if (spentMicroUsd + estimateMicroUsd > limitMicroUsd || spentMicroUsd >= limitMicroUsd) {
      return { kind: 'limit', limit, limitMicroUsd, spentMicroUsd, estimateMicroUsd };
    }
  }
  const askAbove = toMicroUsd(limits.confirmAboveUsd);
  if (askAbove !== undefined && promptMicroUsd > askAbove) {
    const estimateMicroUsd = promptMicroUsd;
    return { kind: 'confirm', limit: 'confirm', limitMicroUsd: askAbove, spentMicroUsd: 0, estimateMicroUsd };
  }
  return { kind: 'ok' };
}

function limitsIn(limits: BudgetLimits, spent: Spent) {
  // What the user said of this message comes first: no other limit that is lifted lifts it.
  const rows = [
    ['message', limits.messageLimitUsd, spent.messageMicroUsd ?? 0],
    ['daily', limits.dailyLimitUsd, spent.todayMicroUsd],
    ['conversation', limits.conversationLimitUsd, spent.conversationMicroUsd],
    ['cap', limits.capUsd, spent.conversationMicroUsd],
  ] as const;
  return rows.flatMap(([limit, usd, spentMicroUsd]) => {
    const limitMicroUsd = toMicroUsd(usd);
    return limitMicroUsd === undefined ? [] : [{ limit, limitMicroUsd, spentMicroUsd }];
  });
}

export interface SpentDeps {
  ledger: Pick<Ledger, 'refresh' | 'today' | 'underWay'>;
  /** Resolves to the micro-dollars that count against the limit of the conversation. */
  spentOn(conversationId: string): Promise<number>;
  onError(error: unknown): void;
}

/** All requests that are under way count as spent. */
export async function spentSoFar(
  { ledger, spentOn, onError }: SpentDeps,
  limits: BudgetLimits,
  conversationId: string | undefined,
  paidMicroUsd = 0,
): Promise<Spent> {
  // An unreadable ledger must not lock the user out: what this window has seen is counted.
  await ledger.refresh().catch(onError);
  const counts = limits.conversationLimitUsd !== undefined || limits.capUsd !== undefined;
  const ofConversation = counts && conversationId !== undefined ? await spentOn(conversationId) : 0;
  const underWay = await ledger.underWay(conversationId);
  return {
    todayMicroUsd: ledger.today().microUsd + underWay.microUsd,
    conversationMicroUsd: ofConversation + underWay.conversationMicroUsd,
    messageMicroUsd: paidMicroUsd + underWay.conversationMicroUsd,
  };
}

/** Resolves to the micro-dollars that the limits leave a conversation, and to infinity without limits. */
export async function leftToSpend(deps: SpentDeps, limits: BudgetLimits, conversationId: string): Promise<number> {
  if (!hasLimits(limits)) return Number.POSITIVE_INFINITY;
  const left = limitsIn(limits, await spentSoFar(deps, limits, conversationId));
  return Math.min(...left.map(({ limitMicroUsd, spentMicroUsd }) => Math.max(0, limitMicroUsd - spentMicroUsd)));
}

export function limitSetting(limit: unknown): string {
  if (limit === 'conversation') return 'spend.conversationLimitUsd';
  return limit === 'confirm' ? 'spend.confirmAboveUsd' : 'spend.dailyLimitUsd';
}

export function hasLimits(limits: BudgetLimits): boolean {
  const { dailyLimitUsd, conversationLimitUsd, capUsd, messageLimitUsd, confirmAboveUsd } = limits;
  return [dailyLimitUsd, conversationLimitUsd, capUsd, messageLimitUsd, confirmAboveUsd].some(
    (usd) => toMicroUsd(usd) !== undefined,
  );
}

/** A negative limit counts as zero, because it was meant to allow nothing. */
function toMicroUsd(usd: number | undefined): number | undefined {
  if (typeof usd !== 'number' || Number.isNaN(usd) || usd === Number.POSITIVE_INFINITY) return undefined;
  return Math.max(0, Math.round(usd * 1_000_000));
}
