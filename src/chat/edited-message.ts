import type { ChatState } from '../shared/chat/chat-state.ts';
import type { Attachment } from '../shared/messages.ts';
import type { Draft } from './draft-store.ts';

/** Holds an earlier message that is edited in a view's composer; the next message replaces it. */
export interface EditedMessage {
  messageId(): string | undefined;
  /**
   * Returns the kept attachments of the edited message, then those of the draft. They may be compared by identity,
   * because the array changes only with its content.
   */
  attachments(): readonly Attachment[];
  set(edited: { messageId: string; keep: readonly string[] } | undefined): void;
}

export function createEditedMessage(viewModel: {
  state(): ChatState;
  draft: Pick<Draft, 'attachments'>;
}): EditedMessage {
  let edited: { messageId: string; kept: readonly Attachment[] } | undefined;
  let last: { added: readonly Attachment[]; all: readonly Attachment[] } | undefined;
  return {
    messageId: () => edited?.messageId,
    attachments() {
      const added = viewModel.draft.attachments();
      if (edited === undefined || edited.kept.length === 0) return added;
      if (last?.added !== added) last = { added, all: [...edited.kept, ...added] };
      return last.all;
    },
    set(next) {
      last = undefined;
      const item = viewModel.state().items.find((one) => one.kind === 'user' && one.id === next?.messageId);
      if (next === undefined || item?.kind !== 'user') edited = undefined;
      else edited = { messageId: item.id, kept: item.attachments.filter(({ id }) => next.keep.includes(id)) };
    },
  };
}
