import type { ApprovalAnswer, ApprovalRequest, ExecutionTarget, PlanItem, Question } from '../approval.ts';
import type {
  CommandEnd,
  ErrorsLeft,
  Notice,
  SentTokens,
  Steered,
  TurnFacts,
  TurnOutcome,
  Worktree,
} from '../events.ts';
import type { Failure } from '../failure/failure.ts';
import type { Asked, InteractionKind } from '../interaction.ts';
import type { Attachment, Cost, FinishReason, Written } from '../messages.ts';
import type { RequestRow } from './request-rows.ts';

/** The host has one, the panel a copy, both made with `reduceChat`. */
export interface ChatState {
  conversationId: string;
  title: string;
  /** A derived title no longer replaces it. */
  titledByUser?: true;
  pinned?: boolean;
  /** Micro-dollars at which the conversation stops. */
  budgetMicroUsd?: number;
  /** Where its tools work; absent: in the workspace. */
  worktree?: Worktree;
  /** The file that has what it had changed in a worktree, from when that was removed until the next message. */
  worktreePatch?: string;
  /** Names of tools of other extensions that were picked for it; absent: those of the setting. */
  pickedTools?: readonly string[];
  /** Model id chosen for the next turn; empty until one is chosen. */
  model: string;
  items: readonly ChatItem[];
  /** A message waits for the answer before it is sent. */
  asked?: Asked<'compact'>;
  /** The plan as the model last wrote it; absent until it wrote one. */
  plan?: readonly PlanItem[];
  /** The turn that wrote it. */
  planTurnId?: string;
  /** How many times it was rewound. */
  rewinds?: number;
  /** The turn that runs now. */
  running?: RunningTurn;
}

export type ChatItem = UserItem | AnswerItem | CompactedItem | ForkedItem | RewoundItem | ModelChangedItem;

/** A line across the conversation: what follows is asked of another model. */
export interface ModelChangedItem {
  kind: 'modelChanged';
  /** Unique among the items of its kind. */
  id: string;
  /** The model before, so that changing back takes the line away again. */
  from: string;
  model: string;
}

/** A line across the conversation: what stands above it was copied from another one. */
export interface ForkedItem {
  kind: 'forked';
  /** The conversation it was copied from. */
  id: string;
}

/** A line across the conversation: what once followed here is in the file and can be opened again. */
export interface RewoundItem {
  kind: 'rewound';
  /** How many times the conversation had been rewound before; unique among the items of its kind. */
  id: string;
  /** Messages and answers that it took away. */
  removed: number;
  /** They were deleted; otherwise something was sent in their place. */
  deleted?: true;
}

/** A line across the conversation: what stands above it is sent as `summary` from here on. */
export interface CompactedItem {
  kind: 'compacted';
  /** Names the compaction; unique among the items of its kind. */
  id: string;
  summary: string;
  tokensBefore: number;
  tokensAfter: number;
}

export interface UserItem extends Written {
  kind: 'user';
  id: string;
  at: number;
  attachments: readonly Attachment[];
}

/** As the user wrote it. */
export function asTyped({ text, typed }: Written): string {
  return typed ?? text;
}

/** Everything one turn answered: all its steps, in the order in which they happened. */
export interface AnswerItem {
  kind: 'answer';
  turnId: string;
  at: number;
  requestedModel: string;
  /** The model that answered last; its display name is the article's name. */
  model: string;
  parts: readonly Part[];
  finish: FinishReason;
  /** Absent while the turn runs. */
  outcome?: TurnOutcome;
  failure?: Failure;
  cost?: Cost;
  /** Estimated tokens that its requests did without. */
  savedTokens?: number;
  /** Its requests in order, and what their input was for in reported tokens. */
  requests?: readonly RequestRow[];
  sent?: SentTokens;
  durationMs?: number;
  /** Taken before the first write of the turn: what can be put back, paths as displayed. */
  checkpoint?: { id: string; paths: readonly string[] };
}

export type Part =
  | { type: 'text'; step: number; text: string }
  | { type: 'reasoning'; step: number; text: string }
  | ToolPart
  | { type: 'notice'; step: number; notice: Notice }
  /** Words of the user to the running turn, which it heard after everything of `step`. */
  | { type: 'steered'; step: number; messages: Steered['messages'] };

export interface ToolPart {
  type: 'tool';
  step: number;
  /** Call id, or the forming key until the call is complete. */
  id: string;
  name: string;
  title: string;
  /** Raw argument text, for the card's details. */
  arguments: string;
  /** `approval`: nothing has happened and nothing will before an answer. */
  state: 'forming' | 'pending' | 'approval' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Asked before the call could run; without `answer` while it waits, or when the turn was stopped first. */
  approval?: { request: ApprovalRequest; answer?: ApprovalAnswer };
  /** A question of the call itself; without `answer` while it waits, or when the turn was stopped first. */
  question?: { question: Question; answer?: string };
  /** While it runs: the last lines that it printed, at most `maxTailLines`. Gone when it has ended. */
  tail?: string;
  output?: string;
  startedAt?: number;
  durationMs?: number;
  /** How a command line ended. */
  end?: CommandEnd;
  /** Where a command runs, when there is a choice. */
  place?: ExecutionTarget;
  /** Paths as displayed of new files that git, the editor or assistants obey. */
  appeared?: readonly string[];
  /** Paths as displayed of changed files that programs of the editor load. */
  loaded?: readonly string[];
  /** Only with a call that asks a subagent. */
  sub?: SubagentFigures;
}

/** The price of a subagent, in micro-dollars: told before, paid so far, and what it saved the answer. */
export interface SubagentFigures {
  estimatedMicroUsd: number;
  maxMicroUsd: number;
  paid: Pick<Cost, 'charge' | 'microUsd' | 'estimated'>;
  /** Once it has answered; `requests`: those of the same answer that have done without what it looked at. */
  saved?: { keptTokens: number; aheadTokens: number; requests: number };
}

export interface RunningTurn {
  turnId: string;
  /** While something is asked, what it is. */
  phase: 'sending' | 'streaming' | 'tool' | 'stopping' | Exclude<InteractionKind, 'compact'>;
  model: string;
  /** Epoch milliseconds since this phase began, for "waiting 12 s". */
  since: number;
  /** With `cost` and `wait`; other questions stand with their calls. */
  asked?: Asked<'cost' | 'wait'>;
  /** With `sending`: a request has left. Before it, the turn is prepared. */
  sent?: true;
}

export const emptyChat: ChatState = { conversationId: '', title: '', model: '', items: [] };

/** Everything that was attached to messages, to those for a running turn as well. */
export function sentAttachments({ items }: ChatState): Attachment[] {
  return items.flatMap((item) => {
    if (item.kind === 'user') return item.attachments;
    if (item.kind !== 'answer') return [];
    return item.parts
      .flatMap((part) => (part.type === 'steered' ? part.messages : []))
      .flatMap((one) => one.attachments);
  });
}

/** The errors that a turn's changes left when it ended. */
export function errorsLeft({ parts }: AnswerItem): ErrorsLeft | undefined {
  const found = parts.findLast((part) => part.type === 'notice' && part.notice.kind === 'errors-left');
  return found?.type === 'notice' && found.notice.kind === 'errors-left' ? found.notice : undefined;
}

/** Where the answer of a turn may leave another picture than its deeds do. */
export function turnFactsIn({ parts }: AnswerItem): TurnFacts | undefined {
  const found = parts.findLast((part) => part.type === 'notice' && part.notice.kind === 'ending');
  return found?.type === 'notice' && found.notice.kind === 'ending' ? found.notice : undefined;
}

/** The models that a turn left for another one, in order, and why. */
export function modelsLeft({ parts }: AnswerItem): { from: string; failure: Failure }[] {
  return parts.flatMap((part) => (part.type === 'notice' && part.notice.kind === 'fallback' ? [part.notice] : []));
}

/** Whether nothing goes on before the user has answered. */
export function waitsForUser(state: ChatState): boolean {
  return asksQuestion(state) || pendingApprovals(state).length > 0;
}

/** Whether something else than consent is asked. */
export function asksQuestion({ running, asked }: ChatState): boolean {
  return asked !== undefined || running?.phase === 'question' || running?.phase === 'cost';
}

/** Requests that wait for an answer, oldest first. */
export function pendingApprovals(state: ChatState): ApprovalRequest[] {
  const answer = state.items.findLast((item) => item.kind === 'answer');
  if (answer?.kind !== 'answer' || answer.outcome !== undefined) return [];
  return answer.parts.flatMap((part) =>
    part.type === 'tool' && part.state === 'approval' && part.approval !== undefined ? [part.approval.request] : [],
  );
}
