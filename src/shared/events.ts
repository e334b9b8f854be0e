import type { ApprovalAnswer, ApprovalRequest, CommandPlace, PlanItem, Question } from './approval.ts';
import type { Failure } from './failure/failure.ts';
import type { Attachment, Attempt, Cost, FinishReason, ToolCall, Usage, Written } from './messages.ts';

/**
 * One vocabulary from the agent loop to the disk and the pixels. A conversation is the list of its durable events:
 * `reduce-chat.ts` folds them into what is shown, the log stores them, and the history for the model is derived from them.
 * Transient events only move the picture of the running turn; they are never stored.
 *
 * Grammar: created, (rewound | rewound? userMessage turnStarted step* turnEnded | titleChanged | modelChanged | pinChanged |
 *          compacted | forked)*
 * step = requestSent (retrying | notice | delta | toolForming)* stepFinished call*
 * call = (questionAsked questionAnswered?)? (approvalRequested approvalAnswered?)? (toolStarted (toolOutput | checkpointTaken | planUpdated |
 *        questionAsked questionAnswered?)*)? toolFinished
 * A call without `approvalAnswered` or `questionAnswered` was stopped while it waited.
 */
export type ChatEvent = DurableEvent | TransientEvent;

export type DurableEvent =
  | { type: 'created'; conversationId: string; at: number; workspace?: string }
  /** `by`: given by the user, which a derived title never replaces. */
  | { type: 'titleChanged'; title: string; by?: 'user' }
  | { type: 'modelChanged'; model: string }
  | { type: 'pinChanged'; pinned: boolean }
  /** What stands before was copied from another conversation, money included: it was spent there. */
  | { type: 'forked'; from: string; at: number }
  /**
   * The user goes on from before the message: it and what followed are neither shown nor sent any more, and stay in the
   * file. What the conversation itself is called, costs and uses is not undone. `deleted`: nothing is sent in its place.
   */
  | { type: 'rewound'; toMessageId: string; at: number; deleted?: true }
  | ({ type: 'userMessage'; id: string; at: number; attachments: Attachment[] } & Written)
  | { type: 'turnStarted'; turnId: string; at: number; model: string }
  /** What a step has streamed so far, stored about once a second so that a crash loses little. */
  | { type: 'stepPartial'; turnId: string; step: number; model: string; text: string; reasoning: string }
  | StepFinished
  | ToolFinished
  | { type: 'notice'; turnId: string; step: number; notice: Notice }
  /** A call waits for consent; until `approvalAnswered` nothing has happened. */
  | { type: 'approvalRequested'; turnId: string; step: number; request: ApprovalRequest }
  | { type: 'approvalAnswered'; turnId: string; callId: string; answer: ApprovalAnswer }
  | { type: 'questionAsked'; turnId: string; step: number; question: Question }
  | { type: 'questionAnswered'; turnId: string; callId: string; answer: string }
  /** The whole plan, replacing an earlier one. */
  | { type: 'planUpdated'; turnId: string; items: PlanItem[] }
  /** Before the first write of a turn: what `restoreCheckpoint` puts back. Paths as displayed. */
  | { type: 'checkpointTaken'; turnId: string; checkpointId: string; paths: string[] }
  /**
   * From here on everything before the turn `turnId` is sent as `summary`, or, when no turn has that id, everything before
   * this event; the stored events stay. `step`: within that turn, and its steps from this one on are kept.
   * `attempts`: what writing the summary took.
   */
  | {
      type: 'compacted';
      turnId: string;
      summary: string;
      tokensBefore: number;
      tokensAfter: number;
      step?: number;
      attempts?: Attempt[];
    }
  /** A summary within the turn came to nothing, and everything is sent as before; the turn paid for it. */
  | { type: 'summaryDropped'; turnId: string; step: number; attempts: Attempt[] }
  | { type: 'turnEnded'; turnId: string; at: number; outcome: TurnOutcome; cost: Cost; failure?: Failure };

/** The whole result of one request (with its retries): replaces everything streamed for that step. */
export interface StepFinished {
  type: 'stepFinished';
  turnId: string;
  step: number;
  requestedModel: string;
  /** The model that answered; what the reply itself names is `reportedModel` when it differs. */
  model: string;
  reportedModel?: string;
  text: string;
  reasoning: string;
  /** Empty unless the reply had terminal evidence and valid calls; only these are ever run. */
  toolCalls: ToolCall[];
  finish: FinishReason;
  /** False when the reply was cut, stopped or failed: its text is kept, its calls are not. */
  complete: boolean;
  usage?: Usage;
  /** Estimated tokens of the history that were not sent again because they were no longer needed. */
  savedTokens?: number;
  sent?: SentTokens;
  attempts: Attempt[];
}

/** What the tokens of a prompt were for, before calibration. */
export interface SentTokens {
  /** System text, rules and tool definitions. */
  overhead: number;
  /** The conversation up to the message that is answered, with what is attached to it. */
  history: number;
  /** Calls and results of the steps before this one in the same turn. */
  steps: number;
}

export interface ToolFinished {
  type: 'toolFinished';
  turnId: string;
  step: number;
  callId: string;
  name: string;
  /** One line for the card: `Read src/a.ts 1–120`. */
  title: string;
  state: 'done' | 'failed' | 'cancelled';
  /** Sent back to the model, already capped. */
  forModel: string;
  /** Shown in the card when it should differ from `forModel`. */
  forUser?: string;
  durationMs: number;
  /** Where a command ran, when there was a choice. */
  place?: CommandPlace;
  /** What it made that git, the editor or assistants obey, as displayed. */
  appeared?: readonly string[];
}

/** How a wait before another try is cut short: the same request now, or another model instead. */
export const waitSkips = ['now', 'other-model'] as const;
export type WaitSkip = (typeof waitSkips)[number];

/** Things a user must be told that are no failure of the turn. */
export type Notice =
  /**
   * `from` failed and `to` is asked instead; told once more with `answered` when its reply has begun. `continued`: the reply
   * of `from` was cut, and `to` is to go on with it.
   */
  | { kind: 'fallback'; from: string; to: string; failure: Failure; continued: boolean; answered?: true }
  /** The model refused a feature; the request was sent again without it and that is remembered. */
  | { kind: 'degraded'; model: string; feature: 'streaming' | 'tools' | 'images' | 'parameter'; parameter?: string }
  /** The service counted far fewer tokens than were sent: it seems to have left out part of them. */
  | { kind: 'cut-input'; model: string; sentTokens: number; countedTokens: number }
  /** The turn came near to the model's limit; what it held before is sent as a summary from here on. */
  | { kind: 'compacted'; tokensBefore: number; tokensAfter: number; microUsd: number; estimated: boolean }
  /** Continue Once: the limit was reached and this turn goes on all the same. */
  | { kind: 'over-limit'; limit: 'daily' | 'conversation'; limitMicroUsd: number }
  /** Told to the model before the first step of a turn. */
  | ({ kind: 'later-changes' } & LaterChanges)
  /** A sentence of the loop's own. */
  | { kind: 'note'; text: string };

/** Paths, as displayed, of files that are no longer as the model left them: as before its changes, or otherwise. */
export interface LaterChanges {
  undone: string[];
  changed: string[];
}

/** `limit`: the step cap, the repeat guard or a budget ended the turn; the failure says which. */
export type TurnOutcome = 'finished' | 'stopped' | 'failed' | 'limit' | 'interrupted';

/** A wait before attempt number `attempt` of at most `of`. */
export interface RetryWait {
  failure: Failure;
  delayMs: number;
  attempt: number;
  of: number;
  /** The model that `other-model` would ask instead; absent when there is none. */
  other?: string;
}

export type TransientEvent =
  | { type: 'requestSent'; turnId: string; step: number; model: string; at: number }
  | { type: 'responseStarted'; turnId: string; step: number; model: string }
  | ({ type: 'retrying'; turnId: string; step: number } & RetryWait)
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
      place?: CommandPlace;
    }
  /** More of what a running tool prints, for the card's live tail. */
  | { type: 'toolOutput'; turnId: string; step: number; callId: string; text: string }
  | { type: 'stopping'; turnId: string };
