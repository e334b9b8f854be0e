import type { Notice } from '../../shared/events.ts';
import type { Failure } from '../../shared/failure/failure.ts';
import type { Attempt } from '../../shared/messages.ts';
import type { Access, ClientDeps } from '../client-deps.ts';
import type { Admit, ChatRequest, Reply, StreamEvent } from '../contract.ts';
import { emptyReply } from '../wire/empty-reply.ts';
import { isRefused } from '../wire/request.ts';
import type { AttemptResult } from './attempt.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { type Concessions, toolFact } from './degrade.ts';
import { continuedRequest } from './step-continuation.ts';

export interface StepDeps extends ClientDeps {
  breaker: CircuitBreaker;
  /** Requests the model list, which is free, to distinguish a dead service from a dead connection. */
  isListReachable(signal: AbortSignal): Promise<boolean>;
  admit?: Admit;
}

export interface Step {
  deps: StepDeps;
  access: Access;
  request: ChatRequest;
  wantsStream: boolean;
  onEvent(event: StreamEvent): void;
  signal: AbortSignal;
}

export interface StepState {
  model: string;
  concessions: Concessions;
  attempts: Attempt[];
  reply: Reply;
  resends: number;
  retries: number;
  networkFailures: number;
  emptyReplies: number;
  reasonedOnly: boolean;
  /** Counts capacity refusals of the current model, which cost nothing. */
  capacityFailures: number;
  asking?: Extract<Notice, { kind: 'fallback' }>;
  givenUp: Set<string>;
  tried: Set<string>;
  last?: AttemptResult;
  callWasForming: boolean;
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

export function adaptedRequest({ deps, request }: Step, { model, concessions, shown }: StepState): ChatRequest {
  const facts = deps.learned.get(model);
  const tools =
    facts.tools?.works === false ? undefined : request.tools?.filter(({ name }) => !isRefused(facts, toolFact(name)));
  const whole = shown === undefined ? request : continuedRequest(request, shown);
  return { ...whole, model, tools, maxTokens: concessions.maxTokens ?? request.maxTokens };
}

export function streams({ deps, wantsStream }: Step, { model }: StepState): boolean {
  return wantsStream && deps.learned.get(model).streaming?.works !== false;
}

export function emitAsking(step: Step, state: StepState, notice: Extract<Notice, { kind: 'fallback' }>): void {
  state.asking = notice;
  emitNotice(step, notice);
}

export function emitAnswered(step: Step, state: StepState): void {
  if (state.asking !== undefined) emitNotice(step, { ...state.asking, answered: true });
  state.asking = undefined;
}

export function emitNotice({ onEvent }: Step, notice: Notice): void {
  onEvent({ type: 'notice', notice });
}
