import { createListeners } from '../base/listeners.ts';
import type { CompactionQuote } from '../conversation/turns/compaction.ts';
import type { ContextLimit } from '../conversation/turns/context-limit.ts';
import type { CompactOffer } from '../shared/panel/panel-info.ts';

/** Whether the conversation is to be shortened before a message goes out: asked in the chat, where the message was written. */
export interface CompactOffers {
  ask(near: ContextLimit, quote: CompactionQuote): Promise<boolean>;
  shown(): CompactOffer | undefined;
  /** Does nothing when nothing was asked. Whatever the answer, the message goes on. */
  answer(compact: boolean): void;
  onChange(listener: () => void): () => void;
}

export function createCompactOffers(): CompactOffers {
  const changed = createListeners();
  let open: { offer: CompactOffer; answer(compact: boolean): void } | undefined;
  return {
    async ask(near, { priceMicroUsd, savedMicroUsd, paysAfterRequests }) {
      const asked = Promise.withResolvers<boolean>();
      open = { offer: { near, priceMicroUsd, savedMicroUsd, paysAfterRequests }, answer: asked.resolve };
      changed.tell();
      return asked.promise;
    },
    shown: () => open?.offer,
    answer(compact) {
      const was = open;
      if (was === undefined) return;
      open = undefined;
      changed.tell();
      was.answer(compact);
    },
    onChange: changed.add,
  };
}
