import type * as z from 'zod/mini';
import type { ExecutionTarget } from './approval.ts';
import type * as schema from './event-schema.ts';
import type { Answered, Asked } from './interaction.ts';

/**
 * This is one vocabulary from the agent loop to the disk and the screen. A conversation is the list of its durable events:
 * `reduce-chat.ts` folds them into the shown state, the log stores them, and the history for the model is derived from
 * them. Transient events only change how the running turn is shown; they are never stored.
 *
 * Grammar: created, (rewound | rewound? userMessage turnStarted step* notice? turnEnded | titleChanged | modelChanged | pinChanged |
 *          budgetSet | worktreeChanged | toolsPicked | compacted | forked)*
 * step = (asked answered?)? requestSent (asked | notice | delta | toolForming)* stepFinished call* steered?
 * call = (asked answered?)* (toolStarted (toolOutput | checkpointTaken | planUpdated | subagentPaid | asked answered?)*)? toolFinished
 * A call that was asked about and has no answer was stopped while it waited.
 */
export type ChatEvent = DurableEvent | TransientEvent;

export type DurableEvent = z.output<typeof schema.durableEvent>;
export interface StepFinished extends z.output<typeof schema.stepFinished> {}
export type SentTokens = NonNullable<StepFinished['sent']>;
export interface ToolFinished extends z.output<typeof schema.toolFinished> {}
export interface Decided extends z.output<typeof schema.decided> {}
export type Steered = Extract<DurableEvent, { type: 'steered' }>;
export type CommandEnd = NonNullable<ToolFinished['end']>;
export type Worktree = z.output<typeof schema.worktree>;
export type SubagentPaid = Extract<DurableEvent, { type: 'subagentPaid' }>;
export type CheckpointTaken = Extract<DurableEvent, { type: 'checkpointTaken' }>;

export type Notice = z.output<typeof schema.notice>;
export type ErrorsLeft = Omit<Extract<Notice, { kind: 'errors-left' }>, 'kind'>;
export type TurnFacts = Omit<Extract<Notice, { kind: 'ending' }>, 'kind'>;
export type ChangesSinceTurn = Omit<Extract<Notice, { kind: 'later-changes' }>, 'kind'>;
export type OutsideChanges = Omit<Extract<Notice, { kind: 'world-changes' }>, 'kind'>;
export type TurnOutcome = Extract<DurableEvent, { type: 'turnEnded' }>['outcome'];

export type TransientEvent =
  | { type: 'requestSent'; turnId: string; step: number; model: string; at: number }
  | { type: 'responseStarted'; turnId: string; step: number; model: string }
  /**
   * Nothing is sent before the price is agreed to, or before the turn is stopped. A wait ends with the next
   * `requestSent`.
   */
  | ({ type: 'asked'; turnId: string; step: number } & Asked<'cost' | 'wait'>)
  | ({ type: 'answered'; turnId: string } & Answered<'cost' | 'wait'>)
  | ({ type: 'asked'; turnId?: undefined } & Asked<'compact'>)
  | ({ type: 'answered'; turnId?: undefined } & Answered<'compact'>)
  | { type: 'textDelta'; turnId: string; step: number; text: string }
  | { type: 'reasoningDelta'; turnId: string; step: number; text: string }
  /** A call is being written. This is a preview only and never run; `key` is stable within the step. */
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
  | { type: 'toolOutput'; turnId: string; step: number; callId: string; text: string }
  | { type: 'stopping'; turnId: string };
