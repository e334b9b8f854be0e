import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Attachment } from '../../../src/shared/messages.ts';
import type { PanelMessage } from '../../../src/shared/panel/protocol.ts';
import type { Draft } from './draft.ts';

type EditedAttachment = Pick<Attachment, 'id' | 'label' | 'image'>;

export interface Edited {
  messageId: string;
  attachments: readonly EditedAttachment[];
  /** Holds the draft that the message displaced; it returns when the editing ends. */
  earlierDraft: string;
}

export interface Editing {
  current: ReadonlySignal<Edited | undefined>;
  begin(message: { id: string; text: string; attachments: readonly EditedAttachment[] }): void;
  removeAttachment(id: string): void;
  cancel(): void;
  /** Takes the edited message out and restores the earlier draft; undefined when nothing is being edited. */
  take(): Pick<Extract<PanelMessage, { type: 'rerun' }>, 'messageId' | 'edited' | 'rest'> | undefined;
  restore(edited: Edited | undefined): void;
  /**
   * Ends the editing when the page leaves the conversation, or when the edited text was sent or deleted elsewhere. The
   * earlier draft is appended to the text that is shown then.
   */
  end(): void;
}

/** `onChange` must store the state: after a reload of the page the earlier draft is nowhere else. */
export function createEditing(draft: Draft, current: Signal<Edited | undefined>, onChange: () => void): Editing {
  const change = (next: Edited | undefined) => {
    current.value = next;
    onChange();
  };
  const clear = (): Edited | undefined => {
    const was = current.value;
    if (was) change(undefined);
    return was;
  };
  return {
    current,
    begin({ id, text, attachments }) {
      const earlierDraft = current.value?.earlierDraft ?? draft.text.value;
      const kept = attachments.map(({ id, label, image }) => ({ id, label, image }));
      change({ messageId: id, attachments: kept, earlierDraft });
      draft.set(text);
    },
    removeAttachment(id) {
      const was = current.value;
      if (was) change({ ...was, attachments: was.attachments.filter((attachment) => attachment.id !== id) });
    },
    cancel() {
      const was = clear();
      if (was) draft.set(was.earlierDraft);
    },
    take() {
      const was = clear();
      if (!was) return undefined;
      const { text, rest } = draft.take(was.earlierDraft);
      return { messageId: was.messageId, edited: { text, keep: was.attachments.map(({ id }) => id) }, rest };
    },
    restore(edited) {
      current.value = edited;
    },
    end() {
      const was = clear();
      if (was && !draft.text.value.includes(was.earlierDraft.trim())) draft.append(was.earlierDraft);
    },
  };
}
