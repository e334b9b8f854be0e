import type { ApprovalAnswer, ApprovalRequest, Question } from './approval.ts';
import type { Failure } from './failure/failure.ts';

export const waitSkips = ['now', 'other-model'] as const;
export type WaitSkip = (typeof waitSkips)[number];

export interface RetryWait {
  failure: Failure;
  delayMs: number;
  attempt: number;
  of: number;
  other?: string;
  until?: number;
}

export interface CostQuestion {
  estimateMicroUsd: number;
  spentMicroUsd: number;
  limitMicroUsd: number;
}

export interface CompactQuestion {
  near: { tokens: number; by: 'set' | 'learned' };
  priceMicroUsd: number;
  savedMicroUsd: number;
  paysAfterRequests: number;
}

export interface Interactions {
  approval: { about: ApprovalRequest; value: ApprovalAnswer };
  question: { about: Question; value: string };
  cost: { about: CostQuestion; value: boolean };
  compact: { about: CompactQuestion; value: boolean };
  wait: { about: RetryWait; value: WaitSkip };
}

export type InteractionKind = keyof Interactions;
export type About<Kind extends InteractionKind> = Interactions[Kind]['about'];
export type Answer<Kind extends InteractionKind> = Interactions[Kind]['value'];

export const interactionKinds: {
  readonly [Kind in InteractionKind]: {
    stored: boolean;
    waitsForUser: boolean;
  };
} = {
  approval: { stored: true, waitsForUser: true },
  question: { stored: true, waitsForUser: true },
  cost: { stored: false, waitsForUser: true },
  compact: { stored: false, waitsForUser: true },
  wait: { stored: false, waitsForUser: false },
};

/**
 * Distributes over the kinds, so that `kind` determines the type of `about`. `id` is unique among the open questions
 * of a conversation.
 */
export type Asked<Kind extends InteractionKind = InteractionKind> = Kind extends InteractionKind
  ? { id: string; kind: Kind; about: About<Kind> }
  : never;
export type Answered<Kind extends InteractionKind = InteractionKind> = Kind extends InteractionKind
  ? { id: string; kind: Kind; value: Answer<Kind> }
  : never;

/**
 * Waits for the user without a time limit. Resolves with `undefined` when the signal came first; never rejects. The
 * question and its answer are emitted as events.
 */
export type Ask = <Kind extends InteractionKind>(
  kind: Kind,
  about: About<Kind>,
  how: { id: string; step: number; signal: AbortSignal },
) => Promise<Answer<Kind> | undefined>;
