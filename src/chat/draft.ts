import { createListeners } from '../base/listeners.ts';
import type { Attachment } from '../shared/messages.ts';
import type { ViewMemory } from './view-memory.ts';

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
   * Taken out of the composer and not in the conversation yet: kept as if it still stood there, until what this returns is
   * called.
   */
  hold(text: string, attachments?: readonly Attachment[]): () => void;
  /** This text was added by something else than typing. */
  onAdded(listener: (text: string) => void): () => void;
  onCleared(listener: (text: string) => void): () => void;
  onAttached(listener: () => void): () => void;
}

export function createDraft(memory: ViewMemory, inConversation: string): Draft {
  const added = createListeners<[text: string]>();
  const cleared = createListeners<[text: string]>();
  const attached = createListeners();
  const held = new Set<{ text: string; attachments: readonly Attachment[] }>();
  let conversationId = inConversation;
  let { draft: text, attachments } = memory;
  const keep = () =>
    memory.keep({
      conversationId,
      draft: [...held].reduceRight((below, one) => joined(one.text, below), text),
      attachments: held.size === 0 ? attachments : [...[...held].flatMap((one) => one.attachments), ...attachments],
    });
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
    hold(heldText, heldAttachments = []) {
      const one = { text: heldText, attachments: heldAttachments };
      held.add(one);
      keep();
      return () => {
        if (held.delete(one)) keep();
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
