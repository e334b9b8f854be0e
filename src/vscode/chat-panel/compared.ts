import type { Comparisons } from '../../chat/comparisons.ts';
import type { OpenConversations } from '../../chat/open-conversations.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { ChatWidgets } from './chat-widgets.ts';

export interface ComparedDeps {
  widgets: Pick<ChatWidgets, 'showing'>;
  conversations: Pick<OpenConversations, 'get'>;
  comparisons: Comparisons;
}

export interface Compared {
  /**
   * Continues with the answer in this view. The other one is stopped and its tab closed; it stays among the
   * conversations.
   */
  keep(conversation: Pick<Conversation, 'id'>, focusInput: () => void): void;
  stop(conversation: Conversation): void;
}

export function createCompared({ widgets, conversations, comparisons }: ComparedDeps): Compared {
  return {
    keep({ id }, focusInput) {
      const compared = comparisons.of(id);
      if (!compared) return;
      comparisons.end(id);
      const other = conversations.get(compared.other);
      other?.stop();
      if (other) widgets.showing(other)?.close?.();
      focusInput();
    },
    stop(conversation) {
      const compared = comparisons.of(conversation.id);
      conversation.stop();
      if (compared) conversations.get(compared.other)?.stop();
    },
  };
}
