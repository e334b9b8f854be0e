import { isoTime } from '../base/iso-time.ts';
import { untilAborted } from '../base/until-aborted.ts';
import type { Admit, ChatRequest, ServiceClient, StreamEvent, StreamResult } from '../service/contract.ts';
import { emptyReply } from '../service/wire/empty-reply.ts';
import type { Failure } from '../shared/failure/failure.ts';
import type { Attempt } from '../shared/messages.ts';
import { formatMicroUsd } from '../shared/money.ts';
import { type BudgetAnswer, type BudgetLimits, checkBudget, hasLimits } from './budget.ts';
import type { CutInput, Estimator } from './estimate.ts';
import type { Ledger } from './ledger.ts';
import { type MeterContext, toLedgerEntry } from './ledger-entry.ts';
import { costMicroUsd } from './price.ts';

export interface MeteredClientDeps {
  client: ServiceClient;
  ledger: Pick<Ledger, 'record' | 'refresh' | 'today' | 'conversation'>;
  limits(): BudgetLimits;
  estimator: Estimator;
  clock: { epochMs(): number };
  /** Micro-dollars that count against the limit of a conversation; by default what the ledger has of it. */
  spentOn?(conversationId: string): Promise<number>;
  /** Asks the user about a request above `confirmAboveUsd`; without it such a request is refused. */
  confirm?(answer: Exclude<BudgetAnswer, { kind: 'ok' }>, signal: AbortSignal): Promise<boolean>;
  /** The ledger could not be read or written. The reply goes on; the sum in memory is right. */
  onError(error: unknown): void;
}

type Listener = (event: StreamEvent) => void;

/** `overBudget`: the user wants this turn although a limit is reached; it is counted and told (Continue Once). */
export type CreateMetered = (context: MeterContext, overBudget?: boolean) => ServiceClient;

/**
 * The one place where requests cost money: asks the budget before each and enters every attempt in the ledger
 * exactly once, whatever became of it. A refused request is a failure `over-budget` without any attempt.
 */
export function createMeteredClient(deps: MeteredClientDeps): CreateMetered {
  /** Estimates of requests under way in this window: two at once must not both fit into what is left for one. */
  let underWayMicroUsd = 0;

  /** Checks and reserves without a pause between the two; whoever gets `ok` gives the estimate back when done. */
  function checkAndReserve(limits: BudgetLimits, conversationMicroUsd: number, estimate: number): BudgetAnswer {
    const spent = {
      todayMicroUsd: deps.ledger.today().microUsd + underWayMicroUsd,
      conversationMicroUsd: conversationMicroUsd + underWayMicroUsd,
    };
    const answer = checkBudget(limits, spent, estimate);
    if (answer.kind === 'ok') underWayMicroUsd += estimate;
    return answer;
  }

  /** `agreedMicroUsd`: what the user has said yes to for this step already, or need not be asked about. */
  async function askBudget(
    context: MeterContext,
    estimate: number,
    signal: AbortSignal,
    agreedMicroUsd = 0,
  ): Promise<BudgetAnswer> {
    const set = deps.limits();
    const limits = estimate <= agreedMicroUsd ? { ...set, confirmAboveUsd: undefined } : set;
    if (!hasLimits(limits)) return checkAndReserve({}, 0, estimate);
    // An unreadable ledger must not lock the user out: what this window has seen is counted.
    await deps.ledger.refresh().catch(deps.onError);
    const conversation = limits.conversationLimitUsd === undefined ? 0 : await spentOn(context.conversationId);
    const answer = checkAndReserve(limits, conversation, estimate);
    if (answer.kind !== 'confirm' || deps.confirm === undefined) return answer;
    // A dialog that is still open must not hold up Stop.
    if (!(await untilAborted(deps.confirm(answer, signal), signal))) return answer;
    // The answer took its time: the limits are looked at again.
    return checkAndReserve({ ...limits, confirmAboveUsd: undefined }, conversation, estimate);
  }

  async function spentOn(conversationId: string | undefined): Promise<number> {
    if (conversationId === undefined) return 0;
    try {
      return await (deps.spentOn?.(conversationId) ?? spentInLedger(deps.ledger, conversationId));
    } catch (error) {
      deps.onError(error);
      return 0;
    }
  }

  /** Told once for a model in a conversation. */
  const told = new Set<string>();
  function tellCut(model: string, cut: CutInput, context: MeterContext, onEvent: Listener): void {
    const key = `${context.conversationId ?? ''} ${model}`;
    if (told.has(key)) return;
    told.add(key);
    onEvent({ type: 'notice', notice: { kind: 'cut-input', model, ...cut } });
  }

  function createMeter(request: ChatRequest, context: MeterContext, onEvent: Listener): (attempt: Attempt) => void {
    const recorded = new Set<string>();
    let brokeOff = false;
    return (attempt) => {
      if (recorded.has(attempt.requestId)) return;
      recorded.add(attempt.requestId);
      deps.ledger.record(toLedgerEntry(attempt, context)).catch(deps.onError);
      // What follows a reply that broke off continues it, which is a longer request than the one that was estimated.
      brokeOff ||= attempt.outcome === 'incomplete';
      if (attempt.countedPrompt !== undefined && attempt.outcome === 'complete' && !brokeOff) {
        const asked = { ...request, model: attempt.model };
        const cut = deps.estimator.learn(asked, attempt.countedPrompt, attempt.images);
        if (cut !== undefined) tellCut(attempt.model, cut, context, onEvent);
      }
    };
  }

  return (context, overBudget = false) => {
    let lifted = false;
    /** Reserves all the same where only a limit is in the way that was lifted for this turn. */
    const ask = async (onEvent: Listener, ...args: [number, AbortSignal, number?]): Promise<BudgetAnswer> => {
      const answer = await askBudget(context, ...args);
      if (!overBudget || answer.kind !== 'limit' || args[1].aborted) return answer;
      const { limit, limitMicroUsd } = answer;
      if (!lifted && limit !== 'confirm')
        onEvent({ type: 'notice', notice: { kind: 'over-limit', limit, limitMicroUsd } });
      lifted = true;
      return checkAndReserve({}, 0, args[0]);
    };
    const metered =
      (send: ServiceClient['stream']): ServiceClient['stream'] =>
      async (request, onEvent, signal) => {
        const estimate = costMicroUsd(deps.estimator.prompt(request).tokens);
        const answer = await ask(onEvent, estimate, signal);
        if (answer.kind !== 'ok') {
          if (signal.aborted) return { outcome: 'stopped', reply: emptyReply(request.model), attempts: [] };
          return refused(request, answer, deps.clock.epochMs());
        }
        let reserved = estimate;
        /** A retry, another model and the rest of a reply that broke are requests like the first one. */
        const admit: Admit = async (next) => {
          underWayMicroUsd -= reserved;
          reserved = 0;
          const nextEstimate = costMicroUsd(deps.estimator.prompt(next).tokens);
          const nextAnswer = await ask(onEvent, nextEstimate, signal, estimate);
          if (nextAnswer.kind !== 'ok') return budgetFailure(next, nextAnswer, deps.clock.epochMs());
          reserved = nextEstimate;
          return undefined;
        };
        const meter = createMeter(request, context, onEvent);
        const listen = (event: StreamEvent): void => {
          if (event.type === 'attemptEnded') meter(event.attempt);
          onEvent(event);
        };
        try {
          if (signal.aborted) return { outcome: 'stopped', reply: emptyReply(request.model), attempts: [] };
          const result = await send(request, listen, signal, admit);
          // An attempt whose event was lost is still owed.
          result.attempts.forEach(meter);
          return result;
        } finally {
          underWayMicroUsd -= reserved;
        }
      };
    return {
      stream: metered((...args) => deps.client.stream(...args)),
      complete: metered((...args) => deps.client.complete(...args)),
      listModels: deps.client.listModels,
      checkKey: (key, signal) => deps.client.checkKey(key, signal),
    };
  };
}

async function spentInLedger(ledger: Pick<Ledger, 'conversation'>, conversationId: string): Promise<number> {
  return (await ledger.conversation(conversationId)).microUsd;
}

type Refusal = Exclude<BudgetAnswer, { kind: 'ok' }>;

function refused(request: ChatRequest, answer: Refusal, epochMs: number): StreamResult {
  const failure = budgetFailure(request, answer, epochMs);
  return { outcome: 'failed', reply: emptyReply(request.model), failure, attempts: [] };
}

function budgetFailure(request: ChatRequest, answer: Refusal, epochMs: number): Failure {
  const { limit, limitMicroUsd, spentMicroUsd, estimateMicroUsd } = answer;
  return {
    kind: 'over-budget',
    message: `Not sent: ${limit} limit ${usd(limitMicroUsd)}, spent ${usd(spentMicroUsd)}, estimate ${usd(estimateMicroUsd)}`,
    model: request.model,
    endpoint: 'POST /chat/completions',
    at: isoTime(epochMs),
    facts: { limit, limitMicroUsd, spentMicroUsd, estimateMicroUsd },
  };
}

const usd = (microUsd: number): string => formatMicroUsd(microUsd, false);
