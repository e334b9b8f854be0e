import type { Clock } from '../base/clock.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { createSaving, type Saving } from '../conversation/store/saving.ts';
import { type ConversationStore, createConversationStore } from '../conversation/store/store.ts';
import type { ChatState } from '../shared/chat/chat-state.ts';
import type { ImageStore } from '../storage/image-store.ts';
import { createFocus, type Focus } from './focus.ts';
import type { ChatViewModel } from './view-model.ts';

export interface WindowDeps {
  /** The extension's global storage. */
  dir: string;
  clock: Clock;
  newId(): string;
  images: Pick<ImageStore, 'keep' | 'dropWaiting'>;
  /** Records that could not be read; copies of their bytes are kept. */
  onDamage(damage: { id: string; damaged: number }): void;
}

/** The conversations of a window as far as everything else may look at them: on disk, live, and in the view that is used. */
export interface ChatWindow {
  /** By id: shown by a view, running, or about to send what waits in their queue. */
  live: Map<string, Conversation>;
  focus: Focus<ChatViewModel>;
  store: ConversationStore;
  saving: Saving;
  /** Undefined for a conversation that is not stored any more. */
  titleOf(conversationId: string): Promise<string | undefined>;
  /** The conversation of this turn; that of the active view when no live one has it. */
  stateOf(turnId?: unknown): ChatState;
  /** The one of the view that was used last. */
  conversationAtHand(): string;
}

/** Made before everything that asks it: what is live and which view is used are known later, and asked for each time. */
export function openWindow({ dir, clock, newId, images, onDamage }: WindowDeps): ChatWindow {
  const live = new Map<string, Conversation>();
  const focus = createFocus<ChatViewModel>(clock.now);
  const store = createConversationStore({ dir, clock, newId, images, onDamage, onAsked: (id) => live.get(id)?.stop() });
  return {
    live,
    focus,
    store,
    saving: createSaving({ store, after: clock.after }),
    titleOf: async (id) => live.get(id)?.state().title ?? (await store.list()).find((one) => one.id === id)?.title,
    stateOf(turnId) {
      const active = focus.active().state();
      const all = [active, ...[...live.values()].map((conversation) => conversation.state())];
      return all.find(({ items }) => items.some((item) => item.kind === 'answer' && item.turnId === turnId)) ?? active;
    },
    conversationAtHand: () => focus.active().conversation().id,
  };
}
