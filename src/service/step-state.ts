import type { Notice } from '../shared/events.ts';
import type { Failure } from '../shared/failure.ts';
import type { Attempt } from '../shared/messages.ts';
import type { AttemptResult } from './attempt.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Access, ClientDeps } from './client-deps.ts';
import type { Admit, ChatRequest, Reply, StreamEvent } from './contract.ts';
import type { Concessions } from './degrade.ts';
import { emptyReply } from './empty-reply.ts';
import { continuedRequest } from './step-continuation.ts';

export interface StepDeps extends ClientDeps {
  breaker: CircuitBreaker;
  /** Free look at the model list, to tell a dead service from a dead connection (T12). */
  isListReachable(signal: AbortSignal): Promise<boolean>;
  admit?: Admit;
}

/** What holds for all attempts of one step. */
export interface Step {
  deps: StepDeps;
  access: Access;
  /** As the caller asked. */
  request: ChatRequest;
  wantsStream: boolean;
  onEvent(event: StreamEvent): void;
  signal: AbortSignal;
}

/** What changes from attempt to attempt. */
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

export function tell({ onEvent }: Step, notice: Notice): void {
  onEvent({ type: 'notice', notice });
}
