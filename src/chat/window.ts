import type { Clock } from '../base/clock.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { createSaving, type Saving } from '../conversation/store/saving.ts';
import {
  type ConversationStore,
  type ConversationStoreDeps,
  createConversationStore,
} from '../conversation/store/store.ts';
import { summarise } from '../conversation/summary.ts';
import { answerOf, type ChatState } from '../shared/chat/chat-state.ts';
import { createFocus, type Focus } from './focus.ts';
import type { ChatViewModel } from './view-model.ts';

export interface WindowDeps extends Pick<ConversationStoreDeps, 'images' | 'ripgrep'> {
  dir: string;
  clock: Clock;
  newId(): string;
  onDamage(damage: { id: string; damaged: number; later: number }): void;
}

export interface ChatWindow {
  live: Map<string, Conversation>;
  focus: Focus<ChatViewModel>;
  store: ConversationStore;
  saving: Saving;
  titleOf(conversationId: string): Promise<string | undefined>;
  /** Returns the state of the conversation with this turn, or that of the active view when no live one has it. */
  stateOf(turnId?: unknown): ChatState;
  conversationAtHand(): string;
}

/**
 * Creates what all parts of a window share, before any of them. The live conversations and the view in use become known
 * later, and are read at each call.
 */
export function openWindow(deps: WindowDeps): ChatWindow {
  const live = new Map<string, Conversation>();
  const focus = createFocus<ChatViewModel>(deps.clock.now);
  const store = createConversationStore({ ...deps, onAsked: (id) => live.get(id)?.stop() });
  return {
    live,
    focus,
    store,
    saving: createSaving({ store, after: deps.clock.after }),
    async titleOf(id) {
      const events = live.has(id) ? undefined : await store.read(id);
      return live.get(id)?.state().title ?? (events && summarise(id, events, 0).title);
    },
    stateOf(turnId) {
      const active = focus.active().state();
      const all = [active, ...[...live.values()].map((conversation) => conversation.state())];
      return all.find((state) => answerOf(state, turnId)) ?? active;
    },
    conversationAtHand: () => focus.active().conversation().id,
  };
}
