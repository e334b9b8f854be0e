import type { ApprovalAnswer, ApprovalRequest, PlanItem, Question } from './approval.ts';
import type { ChatEvent, Notice, RetryWait, SentTokens, TurnOutcome } from './events.ts';
import type { Failure } from './failure.ts';
import type { Attachment, Cost, FinishReason, Written } from './messages.ts';
import { addSent, type RequestRow, requestRows } from './request-rows.ts';

/** What a conversation looks like. The host keeps it, the panel keeps a copy, both with `reduceChat`. */
export interface ChatState {
  conversationId: string;
  title: string;
  /** A derived title no longer replaces it. */
  titledByUser?: true;
  pinned?: boolean;
  /** Model id chosen for the next turn; empty until one is chosen. */
  model: string;
  items: readonly ChatItem[];
  /** The plan as the model last wrote it (F18); absent until it wrote one. */
  plan?: readonly PlanItem[];
  /** The turn that wrote it. */
  planTurnId?: string;
  /** How many times it was rewound. */
  rewinds?: number;
  /** The turn that runs now. */
  running?: RunningTurn;
}

export type ChatItem = UserItem | AnswerItem | CompactedItem | ForkedItem | RewoundItem | ModelChangedItem;

/** A line across the conversation: what follows is asked of another model (ux 2.7). */
export interface ModelChangedItem {
  kind: 'modelChanged';
  /** Unique among the items of its kind. */
  id: string;
  /** The model before, so that changing back takes the line away again. */
  from: string;
  model: string;
}

/** A line across the conversation: what stands above it was copied from another one (F6). */
export interface ForkedItem {
  kind: 'forked';
  /** The conversation it was copied from. */
  id: string;
}

/** A line across the conversation: what once followed here is in the file and can be opened again (F3). */
export interface RewoundItem {
  kind: 'rewound';
  /** How many times the conversation had been rewound before; unique among the items of its kind. */
  id: string;
  /** Messages and answers that it took away. */
  removed: number;
  /** They were deleted; otherwise something was sent in their place. */
  deleted?: true;
}

/** A line across the conversation: what stands above it is sent as `summary` from here on (U13). */
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
  /** Estimated tokens that its requests did without (U13). */
  savedTokens?: number;
  /** U3: its requests in order, and what their input was for in reported tokens. */
  requests?: readonly RequestRow[];
  sent?: SentTokens;
  durationMs?: number;
  /** Taken before the first write of the turn: what can be put back, paths as displayed (F16). */
  checkpoint?: { id: string; paths: readonly string[] };
}

export type Part =
  | { type: 'text'; step: number; text: string }
  | { type: 'reasoning'; step: number; text: string }
  | ToolPart
  | { type: 'notice'; step: number; notice: Notice };

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
  /** What was asked before the call could run; without `answer` while it waits, or when the turn was stopped first. */
  approval?: { request: ApprovalRequest; answer?: ApprovalAnswer };
  /** What the call asks the user; without `answer` while it waits, or when the turn was stopped first. */
  question?: { question: Question; answer?: string };
  /** While it runs: the last lines that it printed, at most `maxTailLines`. Gone when it has ended. */
  tail?: string;
  output?: string;
  startedAt?: number;
  durationMs?: number;
}

/** Lines of a running tool's output that are kept for its card. */
export const maxTailLines = 200;
/** A program may print without ever ending a line. */
const maxTailChars = 64 * 1024;

export interface RunningTurn {
  turnId: string;
  /** `approval` and `question`: the turn waits for the user. */
  phase: 'sending' | 'streaming' | 'tool' | 'approval' | 'question' | 'retrying' | 'stopping';
  model: string;
  /** Epoch milliseconds since this phase began, for "waiting 12 s". */
  since: number;
  retry?: RetryWait;
}

export const emptyChat: ChatState = { conversationId: '', title: '', model: '', items: [] };

/** Pure and total: an event that fits nowhere leaves the state as it is. `now` is epoch milliseconds. */
export function reduceChat(state: ChatState, event: ChatEvent, now: number): ChatState {
  switch (event.type) {
    case 'created':
      return { ...emptyChat, model: state.model, conversationId: event.conversationId };
    case 'titleChanged':
      if (event.by === 'user') return { ...state, title: event.title, titledByUser: true };
      return state.titledByUser ? state : { ...state, title: event.title };
    case 'pinChanged':
      return { ...state, pinned: event.pinned };
    case 'forked':
      return { ...state, items: [...state.items, { kind: 'forked', id: event.from }] };
    case 'rewound':
      return rewind(state, event);
    case 'modelChanged':
      return changeModel(state, event.model);
    case 'userMessage': {
      const { id, at, text, typed, attachments } = event;
      const item: UserItem = { kind: 'user', id, at, text, ...(typed !== undefined && { typed }), attachments };
      return { ...state, items: [...state.items, item] };
    }
    case 'turnStarted':
      return {
        ...state,
        items: [
          ...state.items,
          {
            kind: 'answer',
            turnId: event.turnId,
            at: event.at,
            requestedModel: event.model,
            model: event.model,
            parts: [],
            finish: 'none',
          },
        ],
        running: { turnId: event.turnId, phase: 'sending', model: event.model, since: now },
      };
    case 'planUpdated':
      return { ...state, plan: event.items, planTurnId: event.turnId };
    case 'compacted':
      // Within a turn a notice in its answer tells it.
      if (event.step !== undefined) {
        const rows = requestRows(event);
        return changeAnswer(state, event.turnId, (answer) => ({
          ...answer,
          requests: [...(answer.requests ?? []), ...rows],
        }));
      }
      return { ...state, items: [...state.items, compactedItem(event)] };
    case 'turnEnded':
      return {
        ...changeAnswer(state, event.turnId, (answer) => ({
          ...answer,
          parts: closeOpenTools(answer.parts),
          outcome: event.outcome,
          failure: event.failure,
          cost: event.cost,
          durationMs: Math.max(0, event.at - answer.at),
        })),
        running: state.running?.turnId === event.turnId ? undefined : state.running,
      };
    default:
      return reduceTurn(state, event, now);
  }
}

/** Requests that wait for an answer, oldest first. */
export function pendingApprovals(state: ChatState): ApprovalRequest[] {
  const answer = state.items.findLast((item) => item.kind === 'answer');
  if (answer?.kind !== 'answer' || answer.outcome !== undefined) return [];
  return answer.parts.flatMap((part) =>
    part.type === 'tool' && part.state === 'approval' && part.approval !== undefined ? [part.approval.request] : [],
  );
}

/** Goes back to before a message. Its line stays, so that what was there can be found again. */
function rewind(state: ChatState, { toMessageId, deleted }: Extract<ChatEvent, { type: 'rewound' }>): ChatState {
  const rewinds = (state.rewinds ?? 0) + 1;
  const at = state.items.findIndex((item) => item.kind === 'user' && item.id === toMessageId);
  if (at < 0) return { ...state, rewinds };
  const gone = state.items.slice(at);
  const removed = gone.filter((item) => item.kind === 'user' || item.kind === 'answer').length;
  const line: RewoundItem = { kind: 'rewound', id: String(rewinds - 1), removed, ...(deleted && { deleted }) };
  const isGone = (turnId: string | undefined) => gone.some((item) => item.kind === 'answer' && item.turnId === turnId);
  const next = { ...state, rewinds, items: [...state.items.slice(0, at), line] };
  return isGone(state.planTurnId) ? { ...next, plan: undefined, planTurnId: undefined } : next;
}

/** Says so where something was asked before. Several changes in a row are one line; a change there and back is none. */
function changeModel(state: ChatState, model: string): ChatState {
  const last = state.items.at(-1);
  const line = last?.kind === 'modelChanged' ? last : undefined;
  const from = line?.from ?? state.model;
  const items = line ? state.items.slice(0, -1) : state.items;
  if (from === '' || from === model || !items.some(({ kind }) => kind === 'user')) return { ...state, model, items };
  return { ...state, model, items: [...items, { kind: 'modelChanged', id: String(items.length), from, model }] };
}

function compactedItem(event: Extract<ChatEvent, { type: 'compacted' }>): CompactedItem {
  const { turnId, summary, tokensBefore, tokensAfter } = event;
  return { kind: 'compacted', id: turnId, summary, tokensBefore, tokensAfter };
}

type TurnEvent = Exclude<
  ChatEvent,
  {
    type:
      | 'created'
      | 'titleChanged'
      | 'pinChanged'
      | 'forked'
      | 'rewound'
      | 'modelChanged'
      | 'userMessage'
      | 'turnStarted'
      | 'planUpdated'
      | 'compacted'
      | 'turnEnded';
  }
>;

function reduceTurn(state: ChatState, event: TurnEvent, now: number): ChatState {
  const running = nextPhase(state.running, event, now);
  const next = changeAnswer(state, event.turnId, (answer) => changeParts(answer, event));
  return running === state.running ? next : { ...next, running };
}

function nextPhase(running: RunningTurn | undefined, event: TurnEvent, now: number): RunningTurn | undefined {
  if (running?.turnId !== event.turnId) return running;
  const enter = (phase: RunningTurn['phase'], more: Partial<RunningTurn> = {}): RunningTurn =>
    running.phase === phase && more.model === undefined && more.retry === undefined
      ? running
      : { turnId: running.turnId, model: running.model, phase, since: now, ...more };
  if (running.phase === 'stopping') return running;
  switch (event.type) {
    case 'requestSent':
      return enter('sending', { model: event.model, since: event.at });
    case 'retrying': {
      const { failure, delayMs, attempt, of, other } = event;
      return enter('retrying', { retry: { failure, delayMs, attempt, of, ...(other && { other }) } });
    }
    case 'textDelta':
    case 'reasoningDelta':
    case 'toolForming':
    case 'responseStarted':
      return enter('streaming');
    case 'toolStarted':
    case 'approvalAnswered':
    case 'questionAnswered':
      return enter('tool');
    case 'approvalRequested':
      return enter('approval');
    case 'questionAsked':
      return enter('question');
    case 'stopping':
      return enter('stopping');
    default:
      return running;
  }
}

function changeParts(answer: AnswerItem, event: TurnEvent): AnswerItem {
  switch (event.type) {
    case 'textDelta':
      return { ...answer, parts: appendText(answer.parts, 'text', event.step, event.text) };
    case 'reasoningDelta':
      return { ...answer, parts: appendText(answer.parts, 'reasoning', event.step, event.text) };
    case 'toolForming':
      return { ...answer, parts: formTool(answer.parts, event) };
    case 'requestSent':
      return { ...answer, model: event.model };
    case 'stepPartial':
      return {
        ...answer,
        model: event.model,
        parts: replaceStep(answer.parts, event.step, event.text, event.reasoning),
      };
    case 'stepFinished': {
      const calls = event.toolCalls.map(
        (call): Part => ({
          type: 'tool',
          step: event.step,
          id: call.id,
          name: call.name,
          title: call.name,
          arguments: call.arguments,
          state: 'pending',
        }),
      );
      const { savedTokens = 0 } = event;
      return {
        ...answer,
        ...(event.attempts.length > 0 && { requests: [...(answer.requests ?? []), ...requestRows(event)] }),
        ...(event.sent && event.usage && { sent: addSent(answer.sent, event.sent, event.usage.promptTokens) }),
        ...(savedTokens > 0 ? { savedTokens: (answer.savedTokens ?? 0) + savedTokens } : {}),
        model: event.model,
        finish: event.finish,
        parts: [...replaceStep(answer.parts, event.step, event.text, event.reasoning), ...calls],
      };
    }
    case 'toolStarted':
      return {
        ...answer,
        parts: changeTool(answer.parts, event.callId, { state: 'running', title: event.title, startedAt: event.at }),
      };
    case 'toolFinished':
      return {
        ...answer,
        parts: changeTool(answer.parts, event.callId, {
          state: event.state,
          title: event.title,
          output: event.forUser ?? event.forModel,
          durationMs: event.durationMs,
          tail: undefined,
        }),
      };
    case 'notice':
      return { ...answer, parts: [...answer.parts, { type: 'notice', step: event.step, notice: event.notice }] };
    case 'checkpointTaken':
      return { ...answer, checkpoint: { id: event.checkpointId, paths: event.paths } };
    case 'approvalRequested':
    case 'approvalAnswered':
    case 'questionAsked':
    case 'questionAnswered':
    case 'toolOutput':
      return { ...answer, parts: changeAskingTool(answer.parts, event) };
    default:
      return answer;
  }
}

type AskingEvent = Extract<
  ChatEvent,
  { type: 'approvalRequested' | 'approvalAnswered' | 'questionAsked' | 'questionAnswered' | 'toolOutput' }
>;

/** What happens to a call between its being written and its end. */
function changeAskingTool(parts: readonly Part[], event: AskingEvent): readonly Part[] {
  switch (event.type) {
    case 'approvalRequested': {
      const { request } = event;
      return changeTool(parts, request.callId, { state: 'approval', title: request.title, approval: { request } });
    }
    case 'approvalAnswered':
      return changeTool(parts, event.callId, ({ approval }) =>
        approval === undefined ? {} : { state: 'pending', approval: { ...approval, answer: event.answer } },
      );
    case 'questionAsked': {
      const { question } = event;
      return changeTool(parts, question.callId, { question: { question } });
    }
    case 'questionAnswered':
      return changeTool(parts, event.callId, ({ question }) =>
        question === undefined ? {} : { question: { ...question, answer: event.answer } },
      );
    case 'toolOutput':
      return changeTool(parts, event.callId, ({ tail = '' }) => ({ tail: lastLines(tail + event.text) }));
  }
}

function lastLines(text: string): string {
  const end = text.endsWith('\n') ? 1 : 0;
  const lines = text.split('\n');
  const kept = lines.length - end > maxTailLines ? lines.slice(-maxTailLines - end).join('\n') : text;
  return kept.length <= maxTailChars ? kept : kept.slice(-maxTailChars).toWellFormed();
}

function changeAnswer(state: ChatState, turnId: string, change: (answer: AnswerItem) => AnswerItem): ChatState {
  const index = state.items.findLastIndex((item) => item.kind === 'answer' && item.turnId === turnId);
  const answer = state.items[index];
  if (answer?.kind !== 'answer') return state;
  const changed = change(answer);
  return changed === answer ? state : { ...state, items: state.items.with(index, changed) };
}

function appendText(parts: readonly Part[], type: 'text' | 'reasoning', step: number, text: string): readonly Part[] {
  const last = parts.at(-1);
  if (last?.type === type && last.step === step) return parts.with(-1, { ...last, text: last.text + text });
  return [...parts, { type, step, text }];
}

function formTool(parts: readonly Part[], event: Extract<ChatEvent, { type: 'toolForming' }>): readonly Part[] {
  const index = parts.findLastIndex(
    (part) => part.type === 'tool' && part.step === event.step && part.id === event.key && part.state === 'forming',
  );
  const part = parts[index];
  if (part?.type === 'tool') {
    return parts.with(index, {
      ...part,
      name: event.name || part.name,
      title: event.name || part.title,
      arguments: part.arguments + event.argumentsDelta,
    });
  }
  return [
    ...parts,
    {
      type: 'tool',
      step: event.step,
      id: event.key,
      name: event.name,
      title: event.name,
      arguments: event.argumentsDelta,
      state: 'forming',
    },
  ];
}

/** Final text replaces what was streamed; the notices of the step stay where they were. */
function replaceStep(parts: readonly Part[], step: number, text: string, reasoning: string): readonly Part[] {
  const notices = parts.filter((part) => part.step !== step || part.type === 'notice');
  const added: Part[] = [];
  if (reasoning !== '') added.push({ type: 'reasoning', step, text: reasoning });
  if (text !== '') added.push({ type: 'text', step, text });
  return [...notices, ...added];
}

function changeTool(
  parts: readonly Part[],
  callId: string,
  change: Partial<ToolPart> | ((part: ToolPart) => Partial<ToolPart>),
): readonly Part[] {
  const index = parts.findLastIndex((part) => part.type === 'tool' && part.id === callId);
  const part = parts[index];
  if (part?.type !== 'tool') return parts;
  return parts.with(index, { ...part, ...(typeof change === 'function' ? change(part) : change) });
}

/** A call that was forming or waiting when the turn ended will never run. */
function closeOpenTools(parts: readonly Part[]): readonly Part[] {
  return parts
    .filter((part) => !(part.type === 'tool' && part.state === 'forming'))
    .map((part) =>
      part.type === 'tool' && (part.state === 'pending' || part.state === 'approval' || part.state === 'running')
        ? { ...part, state: 'cancelled' as const, tail: undefined }
        : part,
    );
}
