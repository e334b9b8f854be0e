import type { ApprovalAnswer, ApprovalRequest, Question } from './approval.ts';
import type { Failure } from './failure/failure.ts';

/** How a wait before another try is cut short: with the same request, or with another model instead. */
export const waitSkips = ['now', 'other-model'] as const;
export type WaitSkip = (typeof waitSkips)[number];

/** The wait before attempt number `attempt` of at most `of`. */
export interface RetryWait {
  failure: Failure;
  delayMs: number;
  attempt: number;
  of: number;
  /** The model that `other-model` would ask instead; absent when there is none. */
  other?: string;
}

/** A request would cost more than the amount above which its user wants to be asked. Amounts are micro-dollars. */
export interface CostQuestion {
  /** The estimate is for the next request, without its answer. */
  estimateMicroUsd: number;
  /** The requests of this turn so far have cost this much. */
  spentMicroUsd: number;
  /** The amount is that of `svc.spend.confirmAboveUsd`. */
  limitMicroUsd: number;
}

/** A message is about to come near the model's window. Amounts are estimated micro-dollars. */
export interface CompactQuestion {
  near: { tokens: number; by: 'set' | 'learned' };
  priceMicroUsd: number;
  /** Each later request costs this much less. */
  savedMicroUsd: number;
  paysAfterRequests: number;
}

/** Everything that the user may be asked in a conversation: what it is about, and the answer. */
export interface Interactions {
  approval: { about: ApprovalRequest; value: ApprovalAnswer };
  question: { about: Question; value: string };
  cost: { about: CostQuestion; value: boolean };
  compact: { about: CompactQuestion; value: boolean };
  /** Nobody has to answer: the wait ends by itself. */
  wait: { about: RetryWait; value: WaitSkip };
}

export type InteractionKind = keyof Interactions;
export type About<Kind extends InteractionKind> = Interactions[Kind]['about'];
export type Answer<Kind extends InteractionKind> = Interactions[Kind]['value'];

export const interactionKinds: {
  readonly [Kind in InteractionKind]: {
    /** Both events are written to the conversation's file. */
    stored: boolean;
    /** Nothing goes on before the user has answered. */
    waitsForUser: boolean;
  };
} = {
  approval: { stored: true, waitsForUser: true },
  question: { stored: true, waitsForUser: true },
  cost: { stored: false, waitsForUser: true },
  compact: { stored: false, waitsForUser: true },
  wait: { stored: false, waitsForUser: false },
};

/** Distributes over the kinds, so that `kind` tells the type of `about`. `id` is unique among what is open in a conversation. */
export type Asked<Kind extends InteractionKind = InteractionKind> = Kind extends InteractionKind
  ? { id: string; kind: Kind; about: About<Kind> }
  : never;
export type Answered<Kind extends InteractionKind = InteractionKind> = Kind extends InteractionKind
  ? { id: string; kind: Kind; value: Answer<Kind> }
  : never;

/**
 * Asks the user, and waits as long as it takes. Resolves with `undefined` when the signal came first; never rejects. The question
 * and its answer are emitted as events.
 */
export type Ask = <Kind extends InteractionKind>(
  kind: Kind,
  about: About<Kind>,
  how: { id: string; step: number; signal: AbortSignal },
) => Promise<Answer<Kind> | undefined>;
