import { dropOldest } from '../base/drop-oldest.ts';
import { isoTime } from '../base/iso-time.ts';
import { untilAborted } from '../base/until-aborted.ts';
import type {
  Admit,
  ChatRequest,
  ReplyExpectation,
  ServiceClient,
  StreamEvent,
  StreamResult,
} from '../service/contract.ts';
import { emptyReply } from '../service/wire/empty-reply.ts';
import type { Failure } from '../shared/failure/failure.ts';
import type { Attempt } from '../shared/messages.ts';
import { formatMicroUsd } from '../shared/money.ts';
import { type BudgetAnswer, type BudgetLimits, checkBudget, hasLimits, spentSoFar, withCap } from './budget.ts';
import type { CutInput, Estimator } from './estimate.ts';
import type { Ledger } from './ledger.ts';
import { type MeterContext, toLedgerEntry } from './ledger-entry.ts';
import { costMicroUsd } from './price.ts';
import type { Planned, Reservation } from './reservations.ts';

export interface MeteredClientDeps {
  client: ServiceClient;
  ledger: Pick<Ledger, 'record' | 'refresh' | 'today' | 'conversation' | 'reserve' | 'underWay' | 'alone'>;
  limits(): BudgetLimits;
  estimator: Estimator;
  clock: { epochMs(): number };
  /** Returns the micro-dollars at which a conversation stops of itself, whatever limits are set. */
  capOf?(conversationId: string): number | undefined;
  spentOn?(conversationId: string): Promise<number>;
  asksInStream?(context: MeterContext): boolean;
  /** Asks the user about a request above `confirmAboveUsd`; without it such a request is refused. */
  confirm?(answer: Exclude<BudgetAnswer, { kind: 'ok' }>, signal: AbortSignal): Promise<boolean>;
  /** Called when the ledger could not be read or written. The reply goes on, and the sum in memory is right. */
  onError(error: unknown): void;
}

type Listener = (event: StreamEvent) => void;

/** Holds what a message may cost, and what it has cost before the turn. */
export interface MessageLimit {
  microUsd: number;
  spentMicroUsd: number;
}

/**
 * `overBudget` means that the user wants this turn although a limit is reached (Continue Once); it is still counted
 * and reported. `maxMicroUsd` limits the cost of all requests of this client, including the longest reply that each
 * may bring. `limit` holds for all requests of the context's turn, each with the reply that the model usually brings.
 */
export type CreateMetered = (
  context: MeterContext,
  overBudget?: boolean,
  maxMicroUsd?: number,
  limit?: MessageLimit,
) => ServiceClient;

/**
 * Requests cost money only here: the budget is checked before each, and every attempt enters the ledger exactly once,
 * whatever became of it. A refused request is a failure `over-budget` without any attempt.
 */
export function createMeteredClient(deps: MeteredClientDeps): CreateMetered {
  const paid = new Map<string, number>();

  /** Writes the reservation before anything is sent. It counts in this window even where the disk is full. */
  async function hold(planned: Planned): Promise<Asked> {
    const held = deps.ledger.reserve(planned);
    await held.written.catch(deps.onError);
    return { answer: { kind: 'ok' }, held };
  }

  /** Checks and reserves with no other request of any window in between. Whoever gets `held` must end it. */
  function checkAndReserve(limits: BudgetLimits, { usualReply, ...planned }: WithReply): Promise<Asked> {
    if (!hasLimits(limits)) return hold(planned);
    return deps.ledger.alone(async () => {
      const { turnId = '', conversationId, promptTokens } = planned;
      const spent = await spentSoFar({ ...deps, spentOn }, limits, conversationId, paid.get(turnId));
      const answer = checkBudget(limits, spent, costMicroUsd(promptTokens), costMicroUsd(promptTokens + usualReply));
      return answer.kind === 'ok' ? hold(planned) : { answer };
    });
  }

  /** `agreedMicroUsd` is what the user has agreed to for this step already, or need not be asked about. */
  async function askBudget(
    planned: WithReply,
    { limit, signal, agreedMicroUsd = 0, confirm = deps.confirm }: AskingBudget,
  ): Promise<Asked> {
    const set = {
      ...withCap(deps.limits(), planned.conversationId && deps.capOf?.(planned.conversationId)),
      ...(limit && { messageLimitUsd: (limit.microUsd - limit.spentMicroUsd) / 1_000_000 }),
    };
    const isAgreed = costMicroUsd(planned.promptTokens) <= agreedMicroUsd;
    const limits = isAgreed ? { ...set, confirmAboveUsd: undefined } : set;
    const asked = await checkAndReserve(limits, planned);
    if (asked.answer.kind !== 'confirm' || confirm === undefined) return asked;
    // A dialog that is still open must not hold up Stop.
    if (!(await untilAborted(confirm(asked.answer, signal), signal))) return asked;
    // The answer took its time, so the limits are checked again.
    return checkAndReserve({ ...limits, confirmAboveUsd: undefined }, planned);
  }

  async function spentOn(conversationId: string): Promise<number> {
    try {
      return await (deps.spentOn?.(conversationId) ??
        deps.ledger.conversation(conversationId).then(({ microUsd }) => microUsd));
    } catch (error) {
      deps.onError(error);
      return 0;
    }
  }

  const notified = new Set<string>();
  function reportCut(model: string, cut: CutInput, context: MeterContext, onEvent: Listener): void {
    const key = `${context.conversationId ?? ''} ${model}`;
    if (notified.has(key)) return;
    notified.add(key);
    onEvent({ type: 'notice', notice: { kind: 'cut-input', model, ...cut } });
  }

  function createMeter(request: ChatRequest, context: MeterContext, onEvent: Listener) {
    const recorded = new Set<string>();
    let brokeOff = false;
    return (attempt: Attempt, held: Reservation | undefined): void => {
      if (recorded.has(attempt.requestId)) return;
      recorded.add(attempt.requestId);
      const stored = deps.ledger.record(toLedgerEntry(attempt, context)).catch(deps.onError);
      held?.end(stored).catch(deps.onError);
      if (context.turnId !== undefined && attempt.charge !== 'no') {
        paid.set(context.turnId, (paid.get(context.turnId) ?? 0) + costMicroUsd(attempt.usage?.totalTokens ?? 0));
        dropOldest(paid, maxTurns);
      }
      // What follows a reply that broke off continues it, which is a longer request than the one that was estimated.
      brokeOff ||= attempt.outcome === 'incomplete';
      if (attempt.countedPrompt !== undefined && attempt.outcome === 'complete' && !brokeOff) {
        const asked = { ...request, model: attempt.model };
        const cut = deps.estimator.learn(asked, attempt.countedPrompt, attempt.images);
        if (cut !== undefined) reportCut(attempt.model, cut, context, onEvent);
      }
    };
  }

  function learnReply(request: ChatRequest, { outcome, reply, attempts }: StreamResult): void {
    const [attempt, ...others] = attempts;
    if (outcome !== 'done' || attempt?.usage === undefined || others.length > 0) return;
    if (reply.toolCalls.length > 0 && request.expects?.inCalls !== true) return;
    deps.estimator.learnReply({ ...request, model: attempt.model }, attempt.usage.completionTokens);
  }

  return (context, overBudget = false, maxMicroUsd = Number.POSITIVE_INFINITY, limit = undefined) => {
    let lifted = false;
    const price = createPriceOfTurn();
    let sentBefore = 0;
    const plan = (request: ChatRequest): WithReply => {
      const { tokens, reply = 0 } = deps.estimator.prompt({ ...request, expects: expectationOf(request, context) });
      return { ...context, model: request.model, promptTokens: tokens, usualReply: reply };
    };
    /** Reserves even when the only obstacle is a limit that the user has waived for this turn. */
    const ask = async (request: ChatRequest, asking: AskingBudget, onEvent: Listener): Promise<Asked> => {
      const planned = plan(request);
      const estimate = costMicroUsd(planned.promptTokens);
      const max = costMicroUsd(planned.promptTokens + (request.maxTokens ?? 0));
      if (price.spent() + max > maxMicroUsd) {
        const sums = { limitMicroUsd: maxMicroUsd, spentMicroUsd: price.spent(), estimateMicroUsd: max };
        return { answer: { kind: 'limit', limit: 'cap', ...sums } };
      }
      const agreedMicroUsd = price.isAgreed(estimate) ? estimate : asking.agreedMicroUsd;
      const confirm = asking.confirm && price.asking(asking.confirm, estimate);
      const asked = await askBudget(planned, { ...asking, limit, agreedMicroUsd, confirm });
      const answer = ofMessage(asked.answer, limit);
      const which = answer.kind === 'limit' ? answer.limit : 'message';
      if (!overBudget || answer.kind !== 'limit' || which === 'message' || asking.signal.aborted)
        return { ...asked, answer };
      if (!lifted && which !== 'confirm')
        onEvent({
          type: 'notice',
          notice: {
            kind: 'over-limit',
            limit: which === 'cap' ? 'conversation' : which,
            limitMicroUsd: answer.limitMicroUsd,
          },
        });
      lifted = true;
      return hold(planned);
    };
    const asksInStream = deps.asksInStream?.(context) ?? false;
    const metered =
      (send: ServiceClient['stream'], inStream: boolean): ServiceClient['stream'] =>
      async (request, onEvent, signal) => {
        const first = plan(request);
        const confirm = inStream ? confirmBy(onEvent, price.spent) : deps.confirm;
        const { answer, held: reserved } = await ask(request, { signal, confirm }, onEvent);
        if (answer.kind !== 'ok') {
          if (signal.aborted) return { outcome: 'stopped', reply: emptyReply(request.model), attempts: [] };
          return refused(request, answer, { epochMs: deps.clock.epochMs(), sentBefore });
        }
        let held = reserved;
        const release = async (): Promise<void> => {
          await held?.end().catch(deps.onError);
          held = undefined;
        };
        /**
         * A retry, another model and the rest of a reply that broke are requests like the first one, so each is
         * checked.
         */
        const admit: Admit = async (next) => {
          await release();
          const agreedMicroUsd = costMicroUsd(first.promptTokens);
          const asked = await ask(next, { signal, confirm, agreedMicroUsd }, onEvent);
          held = asked.held;
          if (asked.answer.kind === 'ok') return undefined;
          return budgetFailure(next, asked.answer, { epochMs: deps.clock.epochMs(), sentBefore });
        };
        const meter = createMeter(request, context, onEvent);
        const growth = createGrowth((text) => deps.estimator.text(request.model, text).tokens);
        const listen = (event: StreamEvent): void => {
          if (event.type === 'requestSent') {
            sentBefore += 1;
            held?.identify(event.requestId);
          }
          if (event.type === 'attemptEnded') {
            meter(event.attempt, held);
            price.add(event.attempt);
            held = undefined;
          }
          const grown = growth(event);
          if (grown !== undefined) held?.grow(grown);
          onEvent(event);
        };
        try {
          if (signal.aborted) return { outcome: 'stopped', reply: emptyReply(request.model), attempts: [] };
          const result = await send(request, listen, signal, admit);
          learnReply({ ...request, expects: expectationOf(request, context) }, result);
          // An attempt whose event was lost is still owed.
          for (const attempt of result.attempts) meter(attempt, undefined);
          return result;
        } finally {
          await release();
        }
      };
    return {
      stream: metered((...args) => deps.client.stream(...args), asksInStream),
      complete: metered((...args) => deps.client.complete(...args), asksInStream),
      listModels: deps.client.listModels,
      checkKey: (key, signal) => deps.client.checkKey(key, signal),
    };
  };
}

type Confirm = NonNullable<MeteredClientDeps['confirm']>;

interface AskingBudget {
  signal: AbortSignal;
  limit?: MessageLimit | undefined;
  agreedMicroUsd?: number;
  confirm?: Confirm;
}

function confirmBy(onEvent: Listener, spent: () => number): Confirm {
  return async ({ estimateMicroUsd, limitMicroUsd }, signal) => {
    const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
    const about = { estimateMicroUsd, limitMicroUsd, spentMicroUsd: spent() };
    onEvent({ type: 'asked', kind: 'cost', about, answer: resolve });
    return (await untilAborted(promise, signal)) === true;
  };
}

/**
 * Counts what the requests of one turn have cost. After one yes the user is asked again only when the turn would cost
 * twice what it did then, because a question at every step would be answered without reading.
 */
function createPriceOfTurn() {
  let spentMicroUsd = 0;
  let agreedSum = 0;
  return {
    spent: () => spentMicroUsd,
    add(attempt: Attempt): void {
      if (attempt.charge !== 'no') spentMicroUsd += costMicroUsd(attempt.usage?.totalTokens ?? 0);
    },
    isAgreed: (estimateMicroUsd: number) => spentMicroUsd + estimateMicroUsd <= 2 * agreedSum,
    asking:
      (confirm: Confirm, estimateMicroUsd: number): Confirm =>
      async (answer, signal) => {
        const goesOn = await confirm(answer, signal);
        if (goesOn) agreedSum = spentMicroUsd + estimateMicroUsd;
        return goesOn;
      },
  };
}

/** `held` is set with `ok`, and only then. */
interface Asked {
  answer: BudgetAnswer;
  held?: Reservation;
}

interface WithReply extends Planned {
  usualReply: number;
}

const maxTurns = 50;

/** A request that expects nothing itself is followed by what is usual on its surface. */
function expectationOf({ expects }: ChatRequest, { surface }: MeterContext): ReplyExpectation {
  return expects ?? { of: surface, tokens: 0, inCalls: true };
}

function ofMessage(answer: BudgetAnswer, limit: MessageLimit | undefined): BudgetAnswer {
  if (answer.kind !== 'limit' || answer.limit !== 'message' || limit === undefined) return answer;
  const spentMicroUsd = answer.spentMicroUsd + limit.spentMicroUsd;
  return { ...answer, limitMicroUsd: limit.microUsd, spentMicroUsd };
}

const growEvery = 400;

function createGrowth(count: (text: string) => number): (event: StreamEvent) => number | undefined {
  let tokens = 0;
  let pending = '';
  return (event) => {
    if (event.type === 'requestSent') [tokens, pending] = [0, ''];
    if (event.type === 'text' || event.type === 'reasoning') pending += event.text;
    if (event.type === 'toolForming') pending += event.argumentsDelta;
    if (pending.length < growEvery) return undefined;
    tokens += count(pending);
    pending = '';
    return tokens;
  };
}

type Refusal = Exclude<BudgetAnswer, { kind: 'ok' }>;

interface RefusedAt {
  epochMs: number;
  sentBefore: number;
}

function refused(request: ChatRequest, answer: Refusal, at: RefusedAt): StreamResult {
  const failure = budgetFailure(request, answer, at);
  return { outcome: 'failed', reply: emptyReply(request.model), failure, attempts: [] };
}

function budgetFailure(request: ChatRequest, answer: Refusal, { epochMs, sentBefore }: RefusedAt): Failure {
  const { limit, limitMicroUsd, spentMicroUsd, estimateMicroUsd } = answer;
  return {
    kind: 'over-budget',
    message: `Not sent: ${limit} limit ${usd(limitMicroUsd)}, spent ${usd(spentMicroUsd)}, estimate ${usd(estimateMicroUsd)}`,
    model: request.model,
    endpoint: 'POST /chat/completions',
    at: isoTime(epochMs),
    facts: { limit, limitMicroUsd, spentMicroUsd, estimateMicroUsd, ...(sentBefore > 0 && { sentBefore }) },
  };
}

const usd = (microUsd: number): string => formatMicroUsd(microUsd, false);
