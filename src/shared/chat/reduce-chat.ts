import type { ChatEvent } from '../events.ts';
import { closeOpenTools } from './answer-parts.ts';
import {
  type ChatItem,
  type ChatState,
  type CompactedItem,
  emptyChat,
  type RewoundItem,
  type UserItem,
} from './chat-state.ts';
import { changeAnswer, reduceTurn } from './reduce-turn.ts';
import { requestRows } from './request-rows.ts';

/** Is pure and total: an event that fits nowhere leaves the state as it is. `now` is in epoch milliseconds. */
export function reduceChat(state: ChatState, event: ChatEvent, now: number): ChatState {
  switch (event.type) {
    case 'created':
      return { ...emptyChat, model: state.model, conversationId: event.conversationId };
    case 'budgetSet':
      return { ...state, budgetMicroUsd: event.microUsd, ...(event.run && { budgetRun: event.run }) };
    case 'worktreeChanged': {
      const { worktree: _worktree, worktreePatch: _patch, ...rest } = state;
      const { worktree, patch } = event;
      return { ...rest, ...(worktree && { worktree }), ...(patch !== undefined && { worktreePatch: patch }) };
    }
    case 'toolsPicked':
      return { ...state, pickedTools: event.names };
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
      const { type: _type, ...message } = event;
      const item: UserItem = { kind: 'user', ...message };
      const { worktreePatch: _patch, ...rest } = state;
      return { ...rest, items: [...state.items, item] };
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
            ...(event.limitMicroUsd !== undefined && { limitMicroUsd: event.limitMicroUsd }),
          },
        ],
        running: { turnId: event.turnId, phase: 'sending', model: event.model, since: now },
      };
    case 'planUpdated':
      return { ...state, plan: event.items, planTurnId: event.turnId };
    case 'compacted':
      // Within a turn, a notice in its answer shows this.
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
          // Nobody knows when an interrupted one ended.
          ...(event.outcome !== 'interrupted' && {
            durationMs: Math.max(0, event.at - answer.at - (event.waitedMs ?? 0)),
          }),
        })),
        running: state.running?.turnId === event.turnId ? undefined : state.running,
      };
    case 'asked':
    case 'answered': {
      if (event.turnId !== undefined) return reduceTurn(state, event, now);
      const { asked: _asked, ...rest } = state;
      return event.type === 'answered'
        ? rest
        : { ...rest, asked: { id: event.id, kind: event.kind, about: event.about } };
    }
    default:
      return reduceTurn(state, event, now);
  }
}

/**
 * Folds the events of a conversation from its beginning. An event that belongs to what came since the last message
 * copies only that, because with copies of all items a long conversation would cost the square of its length.
 */
export function foldChat(begin: ChatState, events: Iterable<ChatEvent>, now: (event: ChatEvent) => number): ChatState {
  let state = begin;
  let earlier: ChatItem[] = [];
  for (const event of events) {
    if (event.type === 'userMessage') {
      for (const item of state.items) earlier.push(item);
      state = { ...state, items: [] };
    } else if (event.type !== 'turnStarted' && !state.items.some((item) => isAnswerOf(item, event))) {
      if (earlier.length > 0) state = { ...state, items: [...earlier, ...state.items] };
      earlier = [];
    }
    state = reduceChat(state, event, now(event));
  }
  return { ...state, items: [...earlier, ...state.items] };
}

const isAnswerOf = (item: ChatItem, event: ChatEvent) =>
  item.kind === 'answer' && 'turnId' in event && item.turnId === event.turnId;

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
