import type { Failure } from '../../shared/failure/failure.ts';
import { kinds } from '../../shared/failure/kinds.ts';
import type { ChatRequest, StreamEvent, StreamResult } from '../contract.ts';
import { logFault, makeFailure } from '../failure/client-failures.ts';
import { ServiceError } from '../failure/errors.ts';
import { type AttemptResult, isReasoningOnly, lostFailure, runAttempt } from './attempt.ts';
import { maxWaitMs, maxWaits } from './backoff.ts';
import { findDegradation, learnFromFailure, strengthFor } from './degrade.ts';
import { learnStreamEnd } from './learned-stream-ends.ts';
import { isCapacity, isPatient, isRetryable, maxResends, type Next, retryLoop } from './retry.ts';
import {
  canContinue,
  continuedRequest,
  createOverlapFilter,
  isOfUser,
  joinReplies,
  maxContinuations,
} from './step-continuation.ts';
import { avoidTrippedModel, emitImages, findModel, switchModel } from './step-models.ts';
import {
  adaptedRequest,
  emitAnswered,
  emitAsking,
  emitNotice,
  type Step,
  type StepState,
  startState,
  streams,
} from './step-state.ts';
import { waitToRetry } from './step-wait.ts';

const unnamedFailuresToSwitch = 2;

/**
 * Runs one request with its retries, model switches and resends. Every decision to send again is made here. Once
 * something of a reply was shown it is never sent again: it stays, and another model continues from there.
 */
export async function runStep(step: Step): Promise<StreamResult> {
  const state = startState(step.request);
  avoidTrippedModel(step, state);
  emitImages(step, state);
  const result = (outcome: 'done' | 'stopped'): StreamResult => ({
    outcome,
    reply: state.reply,
    attempts: state.attempts,
  });
  try {
    await retryLoop(() => attemptOnce(step, state), {
      decide: (failure) => decideNext(step, state, failure),
      wait: (failure, counted) => waitToRetry(step, state, failure, counted),
    });
    return result(state.attempts.at(-1)?.outcome === 'stopped' ? 'stopped' : 'done');
  } catch (error) {
    if (step.signal.aborted) return result('stopped');
    const last = error instanceof ServiceError ? error.failure : internalFailure(step, state.model, error);
    // Of a reply that broke and could not be continued the user sees that it broke.
    const failure = last.kind === 'over-budget' || isLost(last) ? last : (state.broke ?? last);
    const diagnosed = await diagnose(step, state, withAllSaid(step, state, failure));
    return { outcome: 'failed', reply: state.reply, failure: diagnosed, attempts: state.attempts };
  }
}

async function attemptOnce(step: Step, state: StepState): Promise<void> {
  const { deps, access, request, onEvent, signal } = step;
  const { model, concessions, shown } = state;
  const adapted = adaptedRequest(step, state);
  const stream = streams(step, state);
  if (state.attempts.length > 0) {
    const refused = await deps.admit?.(adapted);
    signal.throwIfAborted();
    if (refused !== undefined) throw new ServiceError(refused);
  }
  const filter = shown === undefined ? { onEvent, dropped: () => 0 } : createOverlapFilter(shown.text, onEvent);
  state.callWasForming = false;
  const listen = (event: StreamEvent): void => {
    if (event.type === 'toolForming') state.callWasForming = true;
    if (isOfReply(event)) emitAnswered(step, state);
    filter.onEvent(event);
  };
  const last = await runAttempt({
    deps,
    access,
    request: adapted,
    requestedModel: request.model,
    stream,
    strength: strengthFor(model, concessions, deps.learned),
    reasoningCounts:
      // What is written into something else must be the answer itself.
      request.expects === undefined &&
      !wantsToGoOn(request) &&
      (state.reasonedOnly || deps.learned.get(model).answersAsReasoning?.works === true),
    onEvent: listen,
    signal,
  });
  state.last = last;
  learnStreamEnd(deps.learned, model, last.streamEnd, deps.clock.epochMs());
  state.reply = shown === undefined ? last.reply : joinReplies(shown, last.reply, filter.dropped());
  state.attempts.push(last.attempt);
  const failure = failureOf(step, state, last);
  if (failure !== undefined) throw new ServiceError(failure);
  if (last.attempt.outcome === 'complete') learnFromSuccess(step, state, stream && last.streamed, last);
}

function learnFromSuccess(
  { deps }: Step,
  { model, givenUp }: StepState,
  streamed: boolean,
  { reply, attempt, asReasoning }: AttemptResult,
): void {
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
  if (asReasoning && facts.answersAsReasoning === undefined) {
    const evidence = 'two replies held nothing but reasoning';
    learned.learn(model, { answersAsReasoning: { works: true, at, evidence } });
  }
  // The model keeps answer and reasoning apart after all.
  if (!asReasoning && reply.text !== '' && facts.answersAsReasoning !== undefined) {
    learned.learn(model, { answersAsReasoning: undefined });
  }
  // Only now: a refusal that the other form did not cure was about something else.
  if (givenUp.has(`${model} history`) && facts.plainHistory === undefined) {
    const evidence = 'the history was refused as it was and taken in another form';
    learned.learn(model, { plainHistory: { works: false, at, evidence } });
  }
}

const atOnce: Next = { counts: false, waits: false };
const free: Next = { counts: false, waits: true };
const paid: Next = { counts: true, waits: true };

function decideNext(step: Step, state: StepState, failure: Failure): Next | undefined {
  const { deps } = step;
  const { model } = state;
  if (failure.kind === 'over-budget') return undefined;
  learnFromFailure(failure, model, deps.learned);
  if (isCapacity(failure)) deps.breaker.recordFailure(failure.namedModel ?? model, failure);
  if (kinds[failure.kind].about === 'network') state.networkFailures += 1;
  // An empty reply may have shown its reasoning; there is no text that a second one could repeat.
  if (state.last?.visible === true && failure.kind !== 'empty-reply') return continueReply(step, state, failure);
  // Nothing more to say: then what was shown was perhaps all.
  if (state.shown !== undefined && failure.kind === 'empty-reply') return undefined;
  if (giveUpFeature(step, state, failure)) return atOnce;
  if (isCapacity(failure)) {
    state.capacityFailures += 1;
    if (leavesModel(step, state, failure)) {
      if (switchModel(step, state, failure)) return atOnce;
      // Each was asked once: what they said is the answer.
      if (state.tried.size > 1) return undefined;
    }
  }
  // Where a reply that broke off is gone on with, one that broke off before its first word begins anew.
  if (failure.kind === 'empty-reply' || (failure.kind === 'cut-off' && deps.fallback().enabled)) {
    state.emptyReplies += 1;
    state.reasonedOnly = state.last !== undefined && isReasoningOnly(state.last.reply);
    return state.emptyReplies === 1 ? paid : undefined;
  }
  if (isPatient(failure)) return isRetryable(failure) && state.retries < maxWaits ? free : undefined;
  return isRetryable(failure) ? paid : undefined;
}

/**
 * Returns whether another model is asked at once: a busy model that is named is left, and so is every model after the
 * first, because each is asked once.
 */
function leavesModel({ deps }: Step, { model, capacityFailures, tried }: StepState, failure: Failure): boolean {
  return (
    failure.kind === 'capacity-model' ||
    tried.size > 1 ||
    capacityFailures >= unnamedFailuresToSwitch ||
    deps.breaker.tripped(model) !== undefined ||
    (failure.retryAfterMs ?? 0) > maxWaitMs
  );
}

/** Includes the failure of an earlier half that lost a part, because such a reply must not count as an answer. */
function failureOf(
  { deps }: Step,
  { reply, model }: StepState,
  { attempt, failure }: AttemptResult,
): Failure | undefined {
  const mayStand = attempt.outcome === 'complete' || (failure !== undefined && isLost(failure));
  if (!mayStand || reply.lost === undefined || reply.toolCalls.length > 0) return failure;
  return lostFailure(deps, model, reply.lost);
}

function isLost({ facts }: Failure): boolean {
  return facts?.lost !== undefined;
}

/** Thoughts behind a result are no answer of a model that could call a tool. */
function wantsToGoOn({ messages, tools }: ChatRequest): boolean {
  return (
    tools !== undefined && messages.findLast((message) => message.role === 'tool' || isOfUser(message))?.role === 'tool'
  );
}

function isOfReply({ type }: StreamEvent): boolean {
  return type === 'text' || type === 'reasoning' || type === 'toolForming';
}

/**
 * Lets the next model continue a reply that broke after something was shown, or the same model once when there is no
 * other. With fallback switched off, the card asks the user instead.
 */
function continueReply(step: Step, state: StepState, failure: Failure): Next | undefined {
  const { deps, request, signal } = step;
  const { model: from, reply, last } = state;
  if (last === undefined || !canContinue(failure.kind, last.reply, state.callWasForming)) return undefined;
  if (!deps.fallback().enabled || state.continuations >= maxContinuations || signal.aborted) return undefined;
  const other = findModel(step, state, { request: continuedRequest(request, reply) });
  const sameOnce = isCapacity(failure) || state.continuations > 0 ? undefined : from;
  const to = other ?? sameOnce;
  if (to === undefined) return undefined;
  state.shown = reply;
  state.broke ??= failure;
  state.continuations += 1;
  state.capacityFailures = 0;
  state.tried.add(to);
  state.model = to;
  deps.log(`${from} broke off (${failure.kind}): ${to} goes on with its reply`);
  emitAsking(step, state, { kind: 'fallback', from, to, failure, continued: true });
  return to === from ? free : atOnce;
}

function giveUpFeature(step: Step, state: StepState, failure: Failure): boolean {
  const { deps } = step;
  const { model, concessions } = state;
  const degradation = findDegradation({
    failure,
    request: adaptedRequest(step, state),
    stream: streams(step, state),
    concessions,
    learned: deps.learned,
  });
  if (degradation === undefined || state.resends >= maxResends) return false;
  const key = `${model} ${degradation.key}`;
  if (state.givenUp.has(key)) return false;
  state.givenUp.add(key);
  state.resends += 1;
  degradation.apply();
  deps.log(`${model}: sent again without ${degradation.key}, which was refused`);
  if (degradation.notice !== undefined) emitNotice(step, degradation.notice);
  return true;
}

/** Adds what each model said that had no room. One that was left alone had none a moment ago. */
function withAllSaid({ deps }: Step, { attempts, broke }: StepState, failure: Failure): Failure {
  const leftAlone = deps.fallback().enabled ? deps.modelIds() : [];
  const said = [...leftAlone.map((model) => ({ model, failure: deps.breaker.tripped(model) })), ...attempts];
  const busy = new Map<string, string>();
  for (const { model, failure: each } of said) {
    if (each !== undefined && isCapacity(each)) busy.set(model, `${model}: ${each.serverMessage ?? each.message}`);
  }
  // A reply that broke, and then nobody who had room to go on with it.
  if (!isCapacity(failure)) {
    return broke === undefined || busy.size === 0
      ? failure
      : { ...failure, facts: { ...failure.facts, busy: [...busy.keys()].join(' ') } };
  }
  if (busy.size < 2) return failure;
  const serverMessage = [...busy.values()].join('\n').slice(0, 4096).toWellFormed();
  return { ...failure, serverMessage, facts: { ...failure.facts, asked: [...busy.keys()].join(' ') } };
}

async function diagnose({ deps, signal }: Step, state: StepState, failure: Failure): Promise<Failure> {
  if (state.networkFailures < 2) return failure;
  const reachable = await deps.isListReachable(signal);
  if (signal.aborted) return failure;
  return { ...failure, facts: { ...failure.facts, listReachable: reachable ? 'yes' : 'no' } };
}

function internalFailure({ deps }: Step, model: string, error: unknown): Failure {
  logFault(deps, error);
  return makeFailure(deps, 'internal', model, error instanceof Error ? error.message : undefined);
}
