import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Attachment } from '../../../src/shared/messages.ts';
import type { PanelMessage } from '../../../src/shared/panel/protocol.ts';
import type { Draft } from './draft.ts';

type EditedAttachment = Pick<Attachment, 'id' | 'label' | 'image'>;

/** An earlier message that is being written anew in the composer. */
export interface Edited {
  messageId: string;
  /** Attachments of the message that were not removed. */
  attachments: readonly EditedAttachment[];
  /** The draft that the message took the place of; it comes back when the editing ends. */
  earlierDraft: string;
}

export interface Editing {
  current: ReadonlySignal<Edited | undefined>;
  /** Puts the message into the composer. */
  begin(message: { id: string; text: string; attachments: readonly EditedAttachment[] }): void;
  removeAttachment(id: string): void;
  /** The composer is as it was before. */
  cancel(): void;
  /** Takes what is to be sent out of the composer, which is as it was before; undefined when nothing is being edited. */
  take(): Pick<Extract<PanelMessage, { type: 'rerun' }>, 'messageId' | 'edited' | 'rest'> | undefined;
  /** As the page before had it; the draft is there already. */
  restore(edited: Edited | undefined): void;
  /** Another conversation is shown, or it was sent: what was being written before goes along, the edited text stays where it was. */
  leave(): void;
}

/** `onChange` is called with every change: it must survive the page, or the earlier draft would be lost with it. */
export function createEditing(draft: Draft, current: Signal<Edited | undefined>, onChange: () => void): Editing {
  const change = (next: Edited | undefined) => {
    current.value = next;
    onChange();
  };
  const end = (): Edited | undefined => {
    const was = current.value;
    if (was) change(undefined);
    return was;
  };
  return {
    current,
    begin({ id, text, attachments }) {
      const earlierDraft = current.value?.earlierDraft ?? draft.text.value;
      const kept = attachments.map(({ id, label, image }) => ({ id, label, ...(image && { image }) }));
      change({ messageId: id, attachments: kept, earlierDraft });
      draft.set(text);
    },
    removeAttachment(id) {
      const was = current.value;
      if (was) change({ ...was, attachments: was.attachments.filter((attachment) => attachment.id !== id) });
    },
    cancel() {
      const was = end();
      if (was) draft.set(was.earlierDraft);
    },
    take() {
      const was = end();
      if (!was) return undefined;
      const { text, rest } = draft.take(was.earlierDraft);
      return { messageId: was.messageId, edited: { text, keep: was.attachments.map(({ id }) => id) }, rest };
    },
    restore(edited) {
      current.value = edited;
    },
    leave() {
      const was = end();
      if (was && !draft.text.value.includes(was.earlierDraft.trim())) draft.add(was.earlierDraft);
    },
  };
}
