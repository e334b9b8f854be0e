import type { ApprovalAnswer, ApprovalRequest, ExecutionTarget, PlanItem, Question } from '../approval.ts';
import type {
  CommandEnd,
  Decided,
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

/** The host holds this state and the panel a copy; both are made with `reduceChat`. */
export interface ChatState {
  conversationId: string;
  title: string;
  titledByUser?: true;
  pinned?: boolean;
  budgetMicroUsd?: number;
  budgetRun?: { steps: number; stepTokens: number };
  /** The conversation's tools work in this worktree; when it is absent, they work in the workspace. */
  worktree?: Worktree;
  /** This file has the changes of a removed worktree. It is set from the removal until the next message. */
  worktreePatch?: string;
  pickedTools?: readonly string[];
  model: string;
  items: readonly ChatItem[];
  asked?: Asked<'compact'>;
  plan?: readonly PlanItem[];
  planTurnId?: string;
  rewinds?: number;
  running?: RunningTurn;
}

export type ChatItem = UserItem | AnswerItem | CompactedItem | ForkedItem | RewoundItem | ModelChangedItem;

export interface ModelChangedItem {
  kind: 'modelChanged';
  id: string;
  from: string;
  model: string;
}

export interface ForkedItem {
  kind: 'forked';
  id: string;
}

export interface RewoundItem {
  kind: 'rewound';
  id: string;
  removed: number;
  deleted?: true;
}

export interface CompactedItem {
  kind: 'compacted';
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
  limitMicroUsd?: number;
}

export function asTyped({ text, typed }: Written): string {
  return typed ?? text;
}

export interface AnswerItem {
  kind: 'answer';
  turnId: string;
  at: number;
  requestedModel: string;
  model: string;
  parts: readonly Part[];
  finish: FinishReason;
  outcome?: TurnOutcome;
  failure?: Failure;
  limitMicroUsd?: number;
  cost?: Cost;
  savedTokens?: number;
  requests?: readonly RequestRow[];
  sent?: SentTokens;
  durationMs?: number;
  /** The checkpoint is taken before the first write of the turn. The paths are as displayed. */
  checkpoint?: { id: string; paths: readonly string[] };
}

export type Part =
  | { type: 'text'; step: number; text: string }
  | { type: 'reasoning'; step: number; text: string }
  | ToolPart
  | { type: 'notice'; step: number; notice: Notice }
  | { type: 'steered'; step: number; messages: Steered['messages'] };

export interface ToolPart {
  type: 'tool';
  step: number;
  /** This is the call id, or the forming key until the call is complete. */
  id: string;
  name: string;
  title: string;
  arguments: string;
  /** While the state is `approval`, nothing has happened, and nothing will before an answer. */
  state: 'forming' | 'pending' | 'approval' | 'running' | 'done' | 'failed' | 'cancelled';
  approval?: { request: ApprovalRequest; answer?: ApprovalAnswer };
  question?: { question: Question; answer?: string };
  tail?: string;
  output?: string;
  startedAt?: number;
  durationMs?: number;
  end?: CommandEnd;
  place?: ExecutionTarget;
  appeared?: readonly string[];
  loaded?: readonly string[];
  decided?: readonly Decided[];
  sub?: SubagentFigures;
}

export interface SubagentFigures {
  estimatedMicroUsd: number;
  maxMicroUsd: number;
  paid: Pick<Cost, 'charge' | 'microUsd' | 'estimated'>;
  saved?: { keptTokens: number; aheadTokens: number; requests: number };
}

export interface RunningTurn {
  turnId: string;
  phase: 'sending' | 'streaming' | 'tool' | 'stopping' | Exclude<InteractionKind, 'compact'>;
  model: string;
  since: number;
  asked?: Asked<'cost' | 'wait'>;
  sent?: true;
}

export const emptyChat: ChatState = { conversationId: '', title: '', model: '', items: [] };

export function sentAttachments({ items }: ChatState): Attachment[] {
  return items.flatMap((item) => {
    if (item.kind === 'user') return item.attachments;
    if (item.kind !== 'answer') return [];
    return item.parts
      .flatMap((part) => (part.type === 'steered' ? part.messages : []))
      .flatMap((one) => one.attachments);
  });
}

export function errorsLeft({ parts }: AnswerItem): ErrorsLeft | undefined {
  const found = parts.findLast((part) => part.type === 'notice' && part.notice.kind === 'errors-left');
  return found?.type === 'notice' && found.notice.kind === 'errors-left' ? found.notice : undefined;
}

export function turnFactsIn({ parts }: AnswerItem): TurnFacts | undefined {
  const found = parts.findLast((part) => part.type === 'notice' && part.notice.kind === 'ending');
  return found?.type === 'notice' && found.notice.kind === 'ending' ? found.notice : undefined;
}

export function costSoFar({ cost, requests = [] }: AnswerItem): Pick<Cost, 'microUsd' | 'estimated'> {
  return (
    cost ?? {
      microUsd: requests.reduce((sum, { microUsd }) => sum + microUsd, 0),
      estimated: requests.some(({ estimated }) => estimated),
    }
  );
}

/** Returns what all answers to the last message have cost so far, and its limit. */
export function messageSpend({ items }: ChatState): ReturnType<typeof costSoFar> & { limitMicroUsd?: number } {
  const at = items.findLastIndex(({ kind }) => kind === 'user');
  const message = items[at];
  const answers = items.slice(at + 1).filter((item) => item.kind === 'answer');
  const costs = answers.map(costSoFar);
  const raised = answers.findLast(({ limitMicroUsd }) => limitMicroUsd !== undefined)?.limitMicroUsd;
  const limitMicroUsd = raised ?? (message?.kind === 'user' ? message.limitMicroUsd : undefined);
  return {
    microUsd: costs.reduce((sum, { microUsd }) => sum + microUsd, 0),
    estimated: costs.some(({ estimated }) => estimated),
    limitMicroUsd,
  };
}

export function modelsLeft({ parts }: AnswerItem): { from: string; failure: Failure }[] {
  return parts.flatMap((part) => (part.type === 'notice' && part.notice.kind === 'fallback' ? [part.notice] : []));
}

export function answerOf({ items }: Pick<ChatState, 'items'>, turnId: unknown): AnswerItem | undefined {
  const answer = items.findLast((item) => item.kind === 'answer' && item.turnId === turnId);
  return answer?.kind === 'answer' ? answer : undefined;
}

/** Returns the plan while it is of use: not once its answer is finished, whatever steps the model left open. */
export function openPlan(state: ChatState): readonly PlanItem[] | undefined {
  const { plan, planTurnId, running } = state;
  if (running !== undefined) return plan;
  const isOver = answerOf(state, planTurnId)?.outcome === 'finished';
  return isOver || plan?.every(({ state }) => state === 'done') ? undefined : plan;
}

export function waitsForUser(state: ChatState): boolean {
  return asksQuestion(state) || pendingApprovals(state).length > 0;
}

export function asksQuestion({ running, asked }: ChatState): boolean {
  return asked !== undefined || running?.phase === 'question' || running?.phase === 'cost';
}

export function pendingApprovals(state: ChatState): ApprovalRequest[] {
  const answer = state.items.findLast((item) => item.kind === 'answer');
  if (answer?.kind !== 'answer' || answer.outcome !== undefined) return [];
  return answer.parts.flatMap((part) =>
    part.type === 'tool' && part.state === 'approval' && part.approval !== undefined ? [part.approval.request] : [],
  );
}
