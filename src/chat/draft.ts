import { createListeners } from '../base/listeners.ts';
import type { Attachment } from '../shared/messages.ts';
import type { Leaving, ViewMemory } from './view-memory.ts';

/** Text and attachments of one composer, stored with every change so that a crash loses none of it. */
export interface Draft {
  text(): string;
  /** Compared by identity: another array after each change, and only then. */
  attachments(): readonly Attachment[];
  setText(text: string): void;
  /** Below what the user is writing. */
  add(text: string): void;
  setAttachments(attachments: readonly Attachment[]): void;
  /** Empties it when it holds nothing but this text. */
  clear(text: string): void;
  /** The conversation that it belongs to from now on. */
  moveTo(conversationId: string): void;
  /** Both at once, for another conversation. */
  become(conversationId: string, text: string, attachments: readonly Attachment[]): void;
  /**
   * Taken out of the composer and not in the conversation yet: back in it after a crash, until what this returns is called or
   * the conversation has it. One with an id takes the place of the one without that holds the same text.
   */
  hold(leaving: Leaving): () => void;
  /** This text was added by something else than typing. */
  onAdded(listener: (text: string) => void): () => void;
  onCleared(listener: (text: string) => void): () => void;
  onAttached(listener: () => void): () => void;
}

/** `isStored`: whether the conversation that was open when the window closed has this message. */
export function createDraft(memory: ViewMemory, inConversation: string, isStored: (id: string) => boolean): Draft {
  const added = createListeners<[text: string]>();
  const cleared = createListeners<[text: string]>();
  const attached = createListeners();
  const lost = memory.leaving.filter(({ id }) => id === undefined || !isStored(id));
  let held: readonly Leaving[] = [];
  let conversationId = inConversation;
  let text = lost.reduceRight((below, one) => joined(one.text, below), memory.draft);
  let attachments =
    lost.length === 0 ? memory.attachments : [...lost.flatMap((one) => one.attachments), ...memory.attachments];
  const keep = () => memory.keep({ conversationId, draft: text, attachments, leaving: held });
  const setText = (next: string) => {
    text = next;
    keep();
  };
  keep();
  return {
    text: () => text,
    attachments: () => attachments,
    setText,
    add(more) {
      setText(joined(text, more));
      added.tell(more);
    },
    setAttachments(next) {
      attachments = next;
      keep();
      attached.tell();
    },
    clear(sent) {
      if (text.trim() !== sent.trim()) return;
      setText('');
      cleared.tell(sent);
    },
    moveTo(id) {
      conversationId = id;
      keep();
    },
    become(id, nextText, nextAttachments) {
      conversationId = id;
      text = nextText;
      attachments = nextAttachments;
      keep();
    },
    hold(leaving) {
      const nameless = held.find((one) => one.id === undefined && one.text === leaving.text);
      held = [...held.filter((one) => leaving.id === undefined || one !== nameless), leaving];
      keep();
      return () => {
        if (!held.includes(leaving)) return;
        held = held.filter((one) => one !== leaving);
        keep();
      };
    },
    onAdded: added.add,
    onCleared: cleared.add,
    onAttached: attached.add,
  };
}

/** The second below the first. */
export function joined(first: string, second: string): string {
  if (first.trim() === '') return second;
  return second.trim() === '' ? first : `${first}\n\n${second}`;
}
