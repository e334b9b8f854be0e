import type { Notice } from '../shared/events.ts';
import type { Failure } from '../shared/failure.ts';
import type { Attempt } from '../shared/messages.ts';
import { type AttemptResult, emptyReply, logFault, makeFailure, runAttempt } from './attempt.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Access, ClientDeps } from './client-deps.ts';
import type { ChatRequest, Reply, StreamEvent, StreamResult } from './contract.ts';
import { type Concessions, findDegradation, learnFromFailure } from './degrade.ts';
import { ServiceError } from './errors.ts';
import { nextModel } from './fallback.ts';
import { isCapacity, isRetryable, mostRequests, mostResends, retryDelayMs, retryLoop } from './retry.ts';

export interface StepDeps extends ClientDeps {
  breaker: CircuitBreaker;
  /** Free look at the model list, to tell a dead service from a dead connection (T12). */
  isListReachable(signal: AbortSignal): Promise<boolean>;
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
}

/**
 * One step: the request with its retries, model switches and resends, as one result. Everything that decides about
 * sending again is here; nothing is ever sent again after something of a reply was shown (T03). The continuation of a
 * visible partial reply on another model (U7) belongs after the loop, where the result still has all attempts.
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
    const failure = error instanceof ServiceError ? error.failure : internalFailure(deps, state.model, error);
    const diagnosed = await diagnose(deps, state, failure, signal);
    return { outcome: 'failed', reply: state.reply, failure: diagnosed, attempts: state.attempts };
  }
}

function startState(request: ChatRequest): StepState {
  return {
    model: request.model,
    concessions: { strength: 'normal' },
    attempts: [],
    reply: emptyReply(request.model, request.model),
    resends: 0,
    retries: 0,
    networkFailures: 0,
    emptyReplies: 0,
    capacityFailures: 0,
    givenUp: new Set(),
    tried: new Set([request.model]),
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
    strength: concessions.strength,
  };
  const last = await runAttempt(deps, access, plan, onEvent, signal);
  state.last = last;
  state.reply = last.reply;
  state.attempts.push(last.attempt);
  if (last.failure !== undefined) throw new ServiceError(last.failure);
  if (last.attempt.outcome === 'complete') learnFromSuccess(deps, model, plan.stream && last.streamed, last.reply);
}

/** The caller's request as this model takes it. */
function adapt(deps: StepDeps, state: StepState, request: ChatRequest): ChatRequest {
  const { model, concessions } = state;
  const tools = deps.learned.get(model).tools?.works === false ? undefined : request.tools;
  return { ...request, model, tools, maxTokens: concessions.maxTokens ?? request.maxTokens };
}

function streams(deps: StepDeps, model: string, wantsStream: boolean): boolean {
  return wantsStream && deps.learned.get(model).streaming?.works !== false;
}

function learnFromSuccess(deps: StepDeps, model: string, streamed: boolean, reply: Reply): void {
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
  const tell = (notice: Notice) => onEvent({ type: 'notice', notice });
  learnFromFailure(failure, model, deps.learned);
  if (isCapacity(failure)) deps.breaker.recordFailure(failure.namedModel ?? model, failure);
  if (['unreachable', 'origin-down', 'timeout'].includes(failure.kind)) state.networkFailures += 1;
  // An empty reply may have shown its reasoning; there is no text that a second one could repeat (W73).
  if (state.last?.visible === true && failure.kind !== 'empty-reply') return false;
  if (giveUpFeature(deps, state, request, wantsStream, failure, tell)) return true;
  if (state.attempts.length - state.resends >= mostRequests) return false;
  if (failure.kind === 'empty-reply') {
    state.emptyReplies += 1;
    return state.emptyReplies === 1 && (await waitToRetry(deps, state, failure, onEvent, signal));
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
  return waitToRetry(deps, state, failure, onEvent, signal);
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
): boolean {
  const { learned, breaker } = deps;
  if (failure.namedModel !== undefined) state.tried.add(failure.namedModel);
  const question = { rules: deps.fallback(), modelIds: deps.modelIds(), tried: state.tried, request, learned, breaker };
  const to = nextModel(question);
  if (to === undefined) return false;
  const from = state.model;
  state.tried.add(to);
  state.model = to;
  state.capacityFailures = 0;
  deps.log(`${from} is at capacity: ${to} is asked instead`);
  tell({ kind: 'fallback', from, to, failure, continued: false });
  return true;
}

/** Rejects when it is stopped while waiting (T08). False when the service asks for a longer wait than is slept. */
async function waitToRetry(
  deps: StepDeps,
  state: StepState,
  failure: Failure,
  onEvent: (event: StreamEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const delayMs = isStaleConnection(state, failure) ? 0 : retryDelayMs(failure, state.retries, deps.random());
  if (delayMs === undefined) return false;
  state.retries += 1;
  const attempt = state.attempts.length - state.resends + 1;
  if (delayMs > 0) {
    onEvent({ type: 'retrying', failure, delayMs, attempt, of: mostRequests });
    await deps.clock.sleep(delayMs, signal);
  }
  signal.throwIfAborted();
  return true;
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
