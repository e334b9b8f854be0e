import type { Notice } from '../../shared/events.ts';
import type { Failure } from '../../shared/failure/failure.ts';
import type { Attempt } from '../../shared/messages.ts';
import type { Access, ClientDeps } from '../client-deps.ts';
import type { Admit, ChatRequest, Reply, StreamEvent } from '../contract.ts';
import { emptyReply } from '../wire/empty-reply.ts';
import type { AttemptResult } from './attempt.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Concessions } from './degrade.ts';
import { continuedRequest } from './step-continuation.ts';

export interface StepDeps extends ClientDeps {
  breaker: CircuitBreaker;
  /** Free look at the model list, to tell a dead service from a dead connection. */
  isListReachable(signal: AbortSignal): Promise<boolean>;
  admit?: Admit;
}

/** Holds for all attempts of one step. */
export interface Step {
  deps: StepDeps;
  access: Access;
  /** As the caller asked. */
  request: ChatRequest;
  wantsStream: boolean;
  onEvent(event: StreamEvent): void;
  signal: AbortSignal;
}

/** Changes from attempt to attempt. */
export interface StepState {
  model: string;
  concessions: Concessions;
  attempts: Attempt[];
  reply: Reply;
  /** Sent again without a refused feature; not part of the budget of `mostRequests`. */
  resends: number;
  retries: number;
  networkFailures: number;
  emptyReplies: number;
  /** The model that is asked now has answered with reasoning alone in this step. */
  reasonedOnly: boolean;
  /** Refusals of the model that is asked now for want of room: they cost nothing. */
  capacityFailures: number;
  /** Told again once the model that it names answers. */
  asking?: Extract<Notice, { kind: 'fallback' }>;
  givenUp: Set<string>;
  tried: Set<string>;
  last?: AttemptResult;
  /** A call was being written in the last attempt. */
  callWasForming: boolean;
  /** The reply as shown before it broke, and the failure that broke it. */
  shown?: Reply;
  broke?: Failure;
  continuations: number;
}

export function startState({ model }: ChatRequest): StepState {
  return {
    model,
    concessions: { strength: 'normal' },
    attempts: [],
    reply: emptyReply(model),
    resends: 0,
    retries: 0,
    networkFailures: 0,
    emptyReplies: 0,
    reasonedOnly: false,
    capacityFailures: 0,
    givenUp: new Set(),
    tried: new Set([model]),
    callWasForming: false,
    continuations: 0,
  };
}

/** The caller's request as the model that is asked now takes it. */
export function adaptedRequest({ deps, request }: Step, { model, concessions, shown }: StepState): ChatRequest {
  const tools = deps.learned.get(model).tools?.works === false ? undefined : request.tools;
  const whole = shown === undefined ? request : continuedRequest(request, shown);
  return { ...whole, model, tools, maxTokens: concessions.maxTokens ?? request.maxTokens };
}

/** Whether the model that is asked now is asked for a stream. */
export function streams({ deps, wantsStream }: Step, { model }: StepState): boolean {
  return wantsStream && deps.learned.get(model).streaming?.works !== false;
}

/** Another model is asked instead, and that is said; that it answered is said when it does. */
export function emitAsking(step: Step, state: StepState, notice: Extract<Notice, { kind: 'fallback' }>): void {
  state.asking = notice;
  emitNotice(step, notice);
}

/** The first of a reply has come. */
export function emitAnswered(step: Step, state: StepState): void {
  if (state.asking !== undefined) emitNotice(step, { ...state.asking, answered: true });
  state.asking = undefined;
}

export function emitNotice({ onEvent }: Step, notice: Notice): void {
  onEvent({ type: 'notice', notice });
}
