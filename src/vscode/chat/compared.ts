import type { Comparisons } from '../../chat/comparisons.ts';
import type { OpenConversations } from '../../chat/open-conversations.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { ChatPane, ChatPanes } from './chat-panes.ts';

export interface ComparedDeps {
  panes: Pick<ChatPanes, 'showing'>;
  conversations: Pick<OpenConversations, 'get'>;
  comparisons: Comparisons;
}

/** The end of a comparison of two answers to one prompt. */
export interface Compared {
  /** Goes on with the answer in this view. The other one is stopped, its tab closed; it stays among the conversations. */
  keep(pane: Pick<ChatPane, 'seat' | 'view'>): void;
  /** Stops the turn of this conversation and that of the one beside it. */
  stop(conversation: Conversation): void;
}

export function createCompared({ panes, conversations, comparisons }: ComparedDeps): Compared {
  return {
    keep(pane) {
      const { id } = pane.seat.conversation();
      const compared = comparisons.of(id);
      if (!compared) return;
      comparisons.end(id);
      const other = conversations.get(compared.other);
      other?.stop();
      if (other) panes.showing(other)?.close?.();
      pane.view.focusInput();
    },
    stop(conversation) {
      const compared = comparisons.of(conversation.id);
      conversation.stop();
      if (compared) conversations.get(compared.other)?.stop();
    },
  };
}
