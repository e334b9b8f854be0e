import type { ChatState } from '../shared/chat/chat-state.ts';
import type { Attachment } from '../shared/messages.ts';

/** An earlier message that a view's composer holds: what is sent next takes its place. */
export interface EditedMessage {
  /** Undefined while the next message comes at the end. */
  messageId(): string | undefined;
  /**
   * Attachments of the next message: those of the edited message that are kept, then those of the draft. Compare by
   * identity: the array is another one only after a change.
   */
  attachments(): readonly Attachment[];
  set(edited: { messageId: string; keep: readonly string[] } | undefined): void;
}

export function createEditedMessage(viewModel: {
  state(): ChatState;
  attachments(): readonly Attachment[];
}): EditedMessage {
  let edited: { messageId: string; kept: readonly Attachment[] } | undefined;
  let last: { added: readonly Attachment[]; all: readonly Attachment[] } | undefined;
  return {
    messageId: () => edited?.messageId,
    attachments() {
      const added = viewModel.attachments();
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
