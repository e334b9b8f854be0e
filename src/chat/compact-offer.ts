import { createEmitter, type Event } from '../base/emitter.ts';
import type { CompactionEstimate } from '../conversation/turns/compaction.ts';
import type { ContextWindow } from '../conversation/turns/context-window.ts';
import type { CompactOffer } from '../shared/panel/panel-info.ts';

/**
 * Whether conversations are to be shortened before a message goes out: asked in the chat, where the message was written. By id
 * of the conversation, which has one message on its way at a time.
 */
export interface CompactOffers {
  ask(conversationId: string, near: ContextWindow, compactionEstimate: CompactionEstimate): Promise<boolean>;
  shown(conversationId: string): CompactOffer | undefined;
  /** Does nothing when nothing was asked. Whatever the answer, the message goes on. */
  answer(conversationId: string, compact: boolean): void;
  /** An offer was made to this conversation or answered. */
  onDidChange: Event<[conversationId: string]>;
}

export function createCompactOffers(): CompactOffers {
  const changed = createEmitter<[conversationId: string]>();
  const open = new Map<string, { offer: CompactOffer; answer(compact: boolean): void }>();
  return {
    async ask(conversationId, near, { priceMicroUsd, savedMicroUsd, paysAfterRequests }) {
      const asked = Promise.withResolvers<boolean>();
      const offer = { near, priceMicroUsd, savedMicroUsd, paysAfterRequests };
      open.set(conversationId, { offer, answer: asked.resolve });
      changed.fire(conversationId);
      return asked.promise;
    },
    shown: (conversationId) => open.get(conversationId)?.offer,
    answer(conversationId, compact) {
      const was = open.get(conversationId);
      if (was === undefined) return;
      open.delete(conversationId);
      changed.fire(conversationId);
      was.answer(compact);
    },
    onDidChange: changed.event,
  };
}
