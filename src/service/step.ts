import type { Notice, WaitSkip } from '../shared/events.ts';
import type { Failure } from '../shared/failure.ts';
import type { Attempt } from '../shared/messages.ts';
import { type AttemptResult, runAttempt } from './attempt.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Access, ClientDeps } from './client-deps.ts';
import { logFault, makeFailure } from './client-failures.ts';
import type { Admit, ChatRequest, Reply, StreamEvent, StreamResult } from './contract.ts';
import { type Concessions, findDegradation, learnFromFailure, strengthFor } from './degrade.ts';
import { emptyReply } from './empty-reply.ts';
import { ServiceError } from './errors.ts';
import { nextModel } from './fallback.ts';
import { asksAboutImages } from './images.ts';
import { isCapacity, isRetryable, mostRequests, mostResends, retryDelayMs, retryLoop } from './retry.ts';
import {
  canContinue,
  continuedRequest,
  createOverlapFilter,
  joinReplies,
  mostContinuations,
} from './step-continuation.ts';

export interface StepDeps extends ClientDeps {
  breaker: CircuitBreaker;
  /** Free look at the model list, to tell a dead service from a dead connection (T12). */
  isListReachable(signal: AbortSignal): Promise<boolean>;
  admit?: Admit;
}

/** A named and an unnamed capacity error alike get one more try of the same model before it is left (S8, S9). */
const capacityFailuresToSwitch = 2;

interface StepState {
  model: string;
  concessions: Concessions;
  attempts: Attempt[];
  reply: Reply;
  /** Sent again without a refused feature; not part of the budget of `mostRequests`. */
  resends: number;
  retries: number;
  networkFailures: number;
  emptyReplies: number;
  capacityFailures: number;
  givenUp: Set<string>;
  tried: Set<string>;
  last?: AttemptResult;
  /** A call was being written in the last attempt. */
  callWasForming: boolean;
  /** U7: what was shown before the reply broke, and what broke it. */
  shown?: Reply;
  broke?: Failure;
  continuations: number;
}

/**
 * One step: the request with its retries, model switches and resends, as one result. Everything that decides about
 * sending again is here. After something of a reply was shown it is never sent again (T03): what was shown stays, and
 * another model goes on from there (U7).
 */
export async function runStep(
  deps: StepDeps,
  access: Access,
  request: ChatRequest,
  wantsStream: boolean,
  onEvent: (event: StreamEvent) => void,
  signal: AbortSignal,
): Promise<StreamResult> {
  const state = startState(request);
  const tell = (notice: Notice) => onEvent({ type: 'notice', notice });
  avoidTrippedModel(deps, state, request, tell);
  tellOfImages(deps, state.model, request, tell);
  const result = (outcome: 'done' | 'stopped'): StreamResult => ({
    outcome,
    reply: state.reply,
    attempts: state.attempts,
  });
  try {
    await retryLoop(
      () => attemptOnce(deps, access, state, request, wantsStream, onEvent, signal),
      (failure) => prepareNext(deps, state, request, wantsStream, failure, onEvent, signal),
    );
    return result(state.attempts.at(-1)?.outcome === 'stopped' ? 'stopped' : 'done');
  } catch (error) {
    if (signal.aborted) return result('stopped');
    const last = error instanceof ServiceError ? error.failure : internalFailure(deps, state.model, error);
    // Of a reply that broke and could not be continued the user sees that it broke.
    const failure = last.kind === 'over-budget' ? last : (state.broke ?? last);
    const diagnosed = await diagnose(deps, state, failure, signal);
    return { outcome: 'failed', reply: state.reply, failure: diagnosed, attempts: state.attempts };
  }
}

function startState(request: ChatRequest): StepState {
  return {
    model: request.model,
    concessions: { strength: 'normal' },
    attempts: [],
    reply: emptyReply(request.model),
    resends: 0,
    retries: 0,
    networkFailures: 0,
    emptyReplies: 0,
    capacityFailures: 0,
    givenUp: new Set(),
    tried: new Set([request.model]),
    callWasForming: false,
    continuations: 0,
  };
}

/** T11: a model that was at capacity again and again is left alone for a while, and that is said. */
function avoidTrippedModel(
  deps: StepDeps,
  state: StepState,
  request: ChatRequest,
  tell: (notice: Notice) => void,
): void {
  const failure = deps.breaker.tripped(request.model);
  if (failure === undefined) return;
  switchModel(deps, state, request, failure, tell);
}

/** S24: the question goes without its images to a model that is known to refuse them, and that is said, once a turn. */
function tellOfImages(deps: StepDeps, model: string, { messages }: ChatRequest, tell: (notice: Notice) => void): void {
  if (deps.learned.get(model).images?.works !== false || messages.at(-1)?.role !== 'user') return;
  if (asksAboutImages(messages)) tell({ kind: 'degraded', model, feature: 'images' });
}

async function attemptOnce(
  deps: StepDeps,
  access: Access,
  state: StepState,
  request: ChatRequest,
  wantsStream: boolean,
  onEvent: (event: StreamEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { model, concessions } = state;
  const plan = {
    request: adapt(deps, state, request),
    requestedModel: request.model,
    stream: streams(deps, model, wantsStream),
    strength: strengthFor(model, concessions, deps.learned),
  };
  if (state.attempts.length > 0) {
    const refused = await deps.admit?.(plan.request);
    signal.throwIfAborted();
    if (refused !== undefined) throw new ServiceError(refused);
  }
  const { shown } = state;
  const filter = shown === undefined ? { onEvent, dropped: () => 0 } : createOverlapFilter(shown.text, onEvent);
  state.callWasForming = false;
  const listen = (event: StreamEvent): void => {
    if (event.type === 'toolForming') state.callWasForming = true;
    filter.onEvent(event);
  };
  const last = await runAttempt(deps, access, plan, listen, signal);
  state.last = last;
  state.reply = shown === undefined ? last.reply : joinReplies(shown, last.reply, filter.dropped());
  state.attempts.push(last.attempt);
  if (last.failure !== undefined) throw new ServiceError(last.failure);
  if (last.attempt.outcome !== 'complete') return;
  learnFromSuccess(deps, model, plan.stream && last.streamed, last);
  // Only now: a refusal that the other form did not cure was about something else.
  if (state.givenUp.has(`${model} history`) && deps.learned.get(model).plainHistory === undefined) {
    const at = new Date(deps.clock.epochMs()).toISOString();
    const evidence = 'the history was refused as it was and taken in another form';
    deps.learned.learn(model, { plainHistory: { works: false, at, evidence } });
  }
}

/** The caller's request as this model takes it. */
function adapt(deps: StepDeps, state: StepState, request: ChatRequest): ChatRequest {
  const { model, concessions, shown } = state;
  const tools = deps.learned.get(model).tools?.works === false ? undefined : request.tools;
  const whole = shown === undefined ? request : continuedRequest(request, shown);
  return { ...whole, model, tools, maxTokens: concessions.maxTokens ?? request.maxTokens };
}

function streams(deps: StepDeps, model: string, wantsStream: boolean): boolean {
  return wantsStream && deps.learned.get(model).streaming?.works !== false;
}

function learnFromSuccess(deps: StepDeps, model: string, streamed: boolean, { reply, attempt }: AttemptResult): void {
  const { learned, breaker, clock } = deps;
  breaker.recordSuccess(model);
  const facts = learned.get(model);
  const at = new Date(clock.epochMs()).toISOString();
  if (streamed && facts.streaming === undefined) {
    learned.learn(model, { streaming: { works: true, at, evidence: 'a reply was streamed' } });
  }
  if (reply.toolCalls.length > 0 && facts.tools === undefined) {
    learned.learn(model, { tools: { works: true, at, evidence: 'a reply called a tool' } });
  }
  if ((attempt.images ?? 0) > 0 && facts.images === undefined) {
    learned.learn(model, { images: { works: true, at, evidence: 'a request with an image was answered' } });
  }
}

/** After a failed attempt: decides, waits, and changes what the next attempt does. False ends the step. */
async function prepareNext(
  deps: StepDeps,
  state: StepState,
  request: ChatRequest,
  wantsStream: boolean,
  failure: Failure,
  onEvent: (event: StreamEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const { model } = state;
  if (failure.kind === 'over-budget') return false;
  const tell = (notice: Notice) => onEvent({ type: 'notice', notice });
  learnFromFailure(failure, model, deps.learned);
  if (isCapacity(failure)) deps.breaker.recordFailure(failure.namedModel ?? model, failure);
  if (['unreachable', 'origin-down', 'timeout'].includes(failure.kind)) state.networkFailures += 1;
  // An empty reply may have shown its reasoning; there is no text that a second one could repeat (W73).
  if (state.last?.visible === true && failure.kind !== 'empty-reply') {
    return continueReply(deps, state, request, failure, onEvent, signal);
  }
  // Nothing more to say: then what was shown was perhaps all.
  if (state.shown !== undefined && failure.kind === 'empty-reply') return false;
  if (giveUpFeature(deps, state, request, wantsStream, failure, tell)) return true;
  if (state.attempts.length - state.resends >= mostRequests + state.continuations) return false;
  if (failure.kind === 'empty-reply') {
    state.emptyReplies += 1;
    return state.emptyReplies === 1 && (await waitToRetry(deps, state, request, failure, onEvent, signal));
  }
  if (!isRetryable(failure)) return false;
  if (isCapacity(failure)) {
    state.capacityFailures += 1;
    const leave =
      state.capacityFailures >= capacityFailuresToSwitch ||
      deps.breaker.tripped(model) !== undefined ||
      retryDelayMs(failure, 0, 0) === undefined;
    if (leave && switchModel(deps, state, request, failure, tell)) return true;
  }
  return waitToRetry(deps, state, request, failure, onEvent, signal);
}

/**
 * U7: a reply that broke after something of it was shown is gone on with by the next model, or once by the same one when there is
 * no other. Not when the user switched fallback off: then the card offers to continue.
 */
async function continueReply(
  deps: StepDeps,
  state: StepState,
  request: ChatRequest,
  failure: Failure,
  onEvent: (event: StreamEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const { model: from, reply, last } = state;
  if (last === undefined || !canContinue(failure.kind, last.reply, state.callWasForming)) return false;
  if (!deps.fallback().enabled || state.continuations >= mostContinuations || signal.aborted) return false;
  const other = findModel(deps, state, continuedRequest(request, reply));
  const sameOnce = isCapacity(failure) || state.continuations > 0 ? undefined : from;
  const to = other ?? sameOnce;
  if (to === undefined) return false;
  state.shown = reply;
  state.broke ??= failure;
  state.continuations += 1;
  state.capacityFailures = 0;
  state.tried.add(to);
  state.model = to;
  deps.log(`${from} broke off (${failure.kind}): ${to} goes on with its reply`);
  onEvent({ type: 'notice', notice: { kind: 'fallback', from, to, failure, continued: true } });
  return to === from ? waitToRetry(deps, state, request, failure, onEvent, signal) : true;
}

/** S22, S23, H10: the same request once more without what the model refused. */
function giveUpFeature(
  deps: StepDeps,
  state: StepState,
  request: ChatRequest,
  wantsStream: boolean,
  failure: Failure,
  tell: (notice: Notice) => void,
): boolean {
  const { model, concessions } = state;
  const degradation = findDegradation({
    failure,
    request: adapt(deps, state, request),
    stream: streams(deps, model, wantsStream),
    concessions,
    learned: deps.learned,
  });
  if (degradation === undefined || state.resends >= mostResends) return false;
  const key = `${model} ${degradation.key}`;
  if (state.givenUp.has(key)) return false;
  state.givenUp.add(key);
  state.resends += 1;
  degradation.apply();
  deps.log(`${model}: sent again without ${degradation.key}, which was refused`);
  if (degradation.notice !== undefined) tell(degradation.notice);
  return true;
}

function switchModel(
  deps: StepDeps,
  state: StepState,
  request: ChatRequest,
  failure: Failure,
  tell: (notice: Notice) => void,
  to = findModel(deps, state, request),
): boolean {
  if (failure.namedModel !== undefined) state.tried.add(failure.namedModel);
  if (to === undefined) return false;
  const from = state.model;
  state.tried.add(to);
  state.model = to;
  state.capacityFailures = 0;
  deps.log(`${from} failed (${failure.kind}): ${to} is asked instead`);
  tell({ kind: 'fallback', from, to, failure, continued: state.shown !== undefined });
  return true;
}

function findModel(
  deps: StepDeps,
  { tried }: StepState,
  request: ChatRequest,
  rules = deps.fallback(),
): string | undefined {
  const { learned, breaker } = deps;
  return nextModel({ rules, modelIds: deps.modelIds(), tried, request, learned, breaker });
}

/**
 * Rejects when it is stopped while waiting (T08). False when the service asks for a longer wait than is slept. The user may cut the
 * wait short, and may do so with another model also where fallback is off: it is asked for.
 */
async function waitToRetry(
  deps: StepDeps,
  state: StepState,
  request: ChatRequest,
  failure: Failure,
  onEvent: (event: StreamEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const delayMs = isStaleConnection(state, failure) ? 0 : retryDelayMs(failure, state.retries, deps.random());
  if (delayMs === undefined) return false;
  state.retries += 1;
  const attempt = state.attempts.length - state.resends + 1;
  if (delayMs > 0) {
    const other = findModel(deps, state, request, { ...deps.fallback(), enabled: true });
    const wait = { failure, delayMs, attempt, of: mostRequests + state.continuations, ...(other && { other }) };
    const how = await sleepUnlessSkipped(deps, delayMs, signal, (skip) => onEvent({ type: 'retrying', ...wait, skip }));
    const tell = (notice: Notice) => onEvent({ type: 'notice', notice });
    if (how === 'other-model' && other !== undefined) switchModel(deps, state, request, failure, tell, other);
  }
  signal.throwIfAborted();
  return true;
}

/** Resolves to how the wait was cut short, if it was. */
async function sleepUnlessSkipped(
  { clock }: StepDeps,
  delayMs: number,
  signal: AbortSignal,
  begin: (skip: (how: WaitSkip) => void) => void,
): Promise<WaitSkip | undefined> {
  const cut = new AbortController();
  let skipped: WaitSkip | undefined;
  begin((how) => {
    skipped ??= how;
    cut.abort();
  });
  try {
    await clock.sleep(delayMs, AbortSignal.any([signal, cut.signal]));
  } catch (error) {
    if (signal.aborted || skipped === undefined) throw error;
  }
  return skipped;
}

/** N17: a kept connection that the server had closed meanwhile fails at once and says nothing about the service. */
function isStaleConnection(state: StepState, failure: Failure): boolean {
  return state.attempts.length === 1 && failure.status === undefined && failure.facts?.cause === 'reset';
}

async function diagnose(deps: StepDeps, state: StepState, failure: Failure, signal: AbortSignal): Promise<Failure> {
  if (state.networkFailures < 2) return failure;
  const reachable = await deps.isListReachable(signal);
  if (signal.aborted) return failure;
  return { ...failure, facts: { ...failure.facts, listReachable: reachable ? 'yes' : 'no' } };
}

function internalFailure(deps: ClientDeps, model: string, error: unknown): Failure {
  logFault(deps, error);
  return makeFailure(deps, 'internal', model, error instanceof Error ? error.message : undefined);
}
