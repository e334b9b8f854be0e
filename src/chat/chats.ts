import { toHistory } from '../agent/history.ts';
import type { TurnInput } from '../agent/turn.ts';
import type { Clock } from '../base/clock.ts';
import { createCallIds } from '../conversation/call-ids.ts';
import { type Conversation, type ConversationDeps, createConversation } from '../conversation/conversation.ts';
import type { ContextWindow } from '../conversation/turns/context-window.ts';
import { createRequestWindow } from '../conversation/turns/request-window.ts';
import { messageSpend } from '../shared/chat/chat-state.ts';
import type { DurableEvent } from '../shared/events.ts';
import type { Estimator } from '../spend/estimate.ts';
import type { CreateMetered } from '../spend/metered-client.ts';
import type { Comparisons } from './comparisons.ts';
import { followOthers } from './follow-others.ts';
import { createOpenConversations, type OpenConversationsDeps } from './open-conversations.ts';
import { createLiveHistory, type LiveHistory } from './price-preview.ts';
import type { PaidTurn, TurnRunner } from './run-turn.ts';
import type { TurnContext } from './turn-context.ts';
import type { ChatWindow } from './window.ts';

export interface ChatsDeps extends Pick<ConversationDeps, 'alwaysAllowed' | 'autoApprove'> {
  window: ChatWindow;
  turns: TurnRunner;
  turnContext: Pick<TurnContext, 'toSent'>;
  money: {
    metered: CreateMetered;
    left(conversationId: string): Promise<number>;
    estimator: Estimator;
    contextWindowOf(model: string): ContextWindow | undefined;
  };
  comparisons: Comparisons;
  request(): TurnInput['request'];
  openFiles(): string[];
  withoutKeys<T>(record: T): T;
  workspace(): string | undefined;
  queues: OpenConversationsDeps['queues'];
  clock: Clock;
  newId(): string;
  log: { error(line: string, error?: unknown): void };
}

export function openChats(deps: ChatsDeps) {
  const { window, clock, newId, log } = deps;
  const histories = new WeakMap<Conversation, LiveHistory>();
  const conversations = createOpenConversations({
    live: window.live,
    read: window.store.open,
    build(id, { events, elsewhere }, queued, onIdle) {
      const history = createLiveHistory(events);
      const conversation = createConversation({
        id,
        events,
        elsewhere,
        append: appendTo(deps, id, history),
        runTurn: deps.turns.runFor(ownerOf(deps, id, events)),
        toHistory,
        request: () => ({
          ...deps.request(),
          surface: surfaceOf(deps, id),
          ...(window.live.get(id)?.state().worktree?.compared && { ownModel: true as const }),
        }),
        alwaysAllowed: deps.alwaysAllowed,
        autoApprove: deps.autoApprove,
        queued,
        onIdle,
        clock,
        newId,
        workspace: deps.workspace(),
        onStorageError: (error) => log.error('The conversation could not be stored', error),
        onBug: (error) => log.error('A fault in the extension', error),
      });
      histories.set(conversation, history);
      return conversation;
    },
    newId,
    queues: deps.queues,
  });
  const others = followOthers({
    store: window.store,
    conversations,
    after: clock.after,
    onError: (error) => log.error('What other windows wrote could not be read', error),
  });
  /** Returns the durable events of a live conversation from which its history is made. */
  const historyOf = (conversation: Conversation) => histories.get(conversation);
  return { conversations, others, historyOf };
}

function surfaceOf({ comparisons }: ChatsDeps, id: string): 'side-by-side' | 'chat' {
  return comparisons.of(id) ? 'side-by-side' : 'chat';
}

function appendTo({ window, withoutKeys }: ChatsDeps, id: string, history: LiveHistory) {
  const { store, saving } = window;
  return async (event: DurableEvent): Promise<void> => {
    history.add(event);
    try {
      await store.append(id, withoutKeys(event));
    } catch (error) {
      saving.failed(id, error);
      throw error;
    }
    saving.stored(id);
  };
}

function ownerOf(deps: ChatsDeps, id: string, events: readonly DurableEvent[]): Parameters<TurnRunner['runFor']>[0] {
  const { turnContext } = deps;
  const { metered, estimator, contextWindowOf, left } = deps.money;
  const client = ({ turnId, overBudget, limit }: PaidTurn) =>
    metered({ surface: surfaceOf(deps, id), conversationId: id, turnId }, overBudget, undefined, limit);
  return {
    conversationId: id,
    client,
    subagent: ({ turnId, overBudget, limit }, { state }) => ({
      turnId,
      client: (maxMicroUsd) =>
        metered({ surface: 'subagent', conversationId: id, turnId }, overBudget, maxMicroUsd, limit),
      // Of the limit of a message, its state knows all that was paid.
      async left() {
        const { limitMicroUsd = Number.POSITIVE_INFINITY, microUsd } = messageSpend(state());
        return Math.min(limitMicroUsd - microUsd, overBudget ? Number.POSITIVE_INFINITY : await left(id));
      },
    }),
    newCallId: createCallIds(events),
    window: (turn, { state }) =>
      createRequestWindow({
        client: client(turn),
        estimator,
        contextWindowOf,
        toSent: (history) => turnContext.toSent(history, state().model),
        keep: () => ({ plan: state().plan ?? [], openFiles: deps.openFiles() }),
      }),
    // Two agents must not change the same files at once.
    readsOnly: () => deps.comparisons.of(id) !== undefined,
  };
}
