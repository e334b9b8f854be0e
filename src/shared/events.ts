import type * as z from 'zod/mini';
import type { ExecutionTarget } from './approval.ts';
import type * as schema from './event-schema.ts';
import type { Failure } from './failure/failure.ts';

/**
 * One vocabulary from the agent loop to the disk and the pixels. A conversation is the list of its durable events:
 * `reduce-chat.ts` folds them into what is shown, the log stores them, and the history for the model is derived from them.
 * Transient events only move the picture of the running turn; they are never stored.
 *
 * Grammar: created, (rewound | rewound? userMessage turnStarted step* notice? turnEnded | titleChanged | modelChanged | pinChanged |
 *          budgetSet | worktreeChanged | toolsPicked | compacted | forked)*
 * step = (costAsked costAnswered?)? requestSent (retrying | notice | delta | toolForming)* stepFinished call* steered?
 * call = (questionAsked questionAnswered?)? (approvalRequested approvalAnswered?)? (toolStarted (toolOutput | checkpointTaken | planUpdated |
 *        subagentPaid | questionAsked questionAnswered?)*)? toolFinished
 * A call without `approvalAnswered` or `questionAnswered` was stopped while it waited.
 */
export type ChatEvent = DurableEvent | TransientEvent;

export type DurableEvent = z.output<typeof schema.durableEvent>;
export interface StepFinished extends z.output<typeof schema.stepFinished> {}
export type SentTokens = NonNullable<StepFinished['sent']>;
export interface ToolFinished extends z.output<typeof schema.toolFinished> {}
export type Steered = Extract<DurableEvent, { type: 'steered' }>;
/** `pipe`: exit codes of the parts of the pipe that the line ended with. */
export type CommandEnd = NonNullable<ToolFinished['end']>;
export type Worktree = z.output<typeof schema.worktree>;
export type SubagentPaid = Extract<DurableEvent, { type: 'subagentPaid' }>;
export type CheckpointTaken = Extract<DurableEvent, { type: 'checkpointTaken' }>;

/** Things a user must be told that are no failure of the turn. */
export type Notice = z.output<typeof schema.notice>;
export type ErrorsLeft = Omit<Extract<Notice, { kind: 'errors-left' }>, 'kind'>;
/** Where the answer of a turn may leave another picture than its deeds do. */
export type TurnFacts = Omit<Extract<Notice, { kind: 'ending' }>, 'kind'>;
export type LaterChanges = Omit<Extract<Notice, { kind: 'later-changes' }>, 'kind'>;
export type OutsideChanges = Omit<Extract<Notice, { kind: 'world-changes' }>, 'kind'>;
export type TurnOutcome = Extract<DurableEvent, { type: 'turnEnded' }>['outcome'];

/** How a wait before another try is cut short: the same request now, or another model instead. */
export const waitSkips = ['now', 'other-model'] as const;
export type WaitSkip = (typeof waitSkips)[number];

/** A wait before attempt number `attempt` of at most `of`. */
export interface RetryWait {
  failure: Failure;
  delayMs: number;
  attempt: number;
  of: number;
  /** The model that `other-model` would ask instead; absent when there is none. */
  other?: string;
}

/** Asked before a request above the amount that its user wants to be asked about. Micro-dollars. */
export interface CostQuestion {
  /** The request that would be sent next, without its answer. */
  estimateMicroUsd: number;
  /** Requests of this turn so far. */
  spentMicroUsd: number;
  /** `svc.spend.confirmAboveUsd`. */
  limitMicroUsd: number;
}

export type TransientEvent =
  | { type: 'requestSent'; turnId: string; step: number; model: string; at: number }
  | { type: 'responseStarted'; turnId: string; step: number; model: string }
  | ({ type: 'retrying'; turnId: string; step: number } & RetryWait)
  /** Nothing is sent before `costAnswered`, or before the turn is stopped. */
  | ({ type: 'costAsked'; turnId: string; step: number } & CostQuestion)
  | { type: 'costAnswered'; turnId: string; step: number }
  | { type: 'textDelta'; turnId: string; step: number; text: string }
  | { type: 'reasoningDelta'; turnId: string; step: number; text: string }
  /** A call is being written; a preview only, never run. `key` is stable within the step. */
  | { type: 'toolForming'; turnId: string; step: number; key: string; name: string; argumentsDelta: string }
  | {
      type: 'toolStarted';
      turnId: string;
      step: number;
      callId: string;
      name: string;
      title: string;
      at: number;
      place?: ExecutionTarget;
    }
  /** More of what a running tool prints, for the card's live tail. */
  | { type: 'toolOutput'; turnId: string; step: number; callId: string; text: string }
  | { type: 'stopping'; turnId: string };
