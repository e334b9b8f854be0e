import { createEmitter, type Event } from '../base/emitter.ts';
import type { Attachment } from '../shared/messages.ts';
import type { DraftTimes, Leaving, ViewMemory } from './view-memory.ts';

/** Text and attachments of one composer, stored with every change so that a crash loses none of it. */
export interface Draft {
  text(): string;
  /** Compared by identity: another array after each change, and only then. */
  attachments(): readonly Attachment[];
  /** When a page last changed it; undefined while none has. */
  times(): DraftTimes | undefined;
  setText(text: string): void;
  /** A page told of it. Resolves when this, and all that is held, is on the disk or cannot be. */
  setTimes(times: DraftTimes): Promise<void>;
  /** The view is gone for good, with its page. */
  leave(): void;
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
  onDidAdd: Event<[text: string]>;
  onDidClear: Event<[text: string]>;
  onDidAttach: Event;
}

/** `isStored`: whether the conversation that was open when the window closed has this message, or its queue. */
export function createDraft(memory: ViewMemory, inConversation: string, isStored: (id: string) => boolean): Draft {
  const added = createEmitter<[text: string]>();
  const cleared = createEmitter<[text: string]>();
  const attached = createEmitter();
  const lost = memory.leaving.filter(({ id }) => id === undefined || !isStored(id));
  let held: readonly Leaving[] = [];
  let conversationId = inConversation;
  let text = lost.reduceRight((below, one) => joined(one.text, below), memory.draft);
  let attachments = backIn(memory, lost);
  let { times } = memory;
  const keep = () => memory.keep({ conversationId, draft: text, attachments, leaving: held, ...(times && { times }) });
  const setText = (next: string) => {
    text = next;
    void keep();
  };
  void keep();
  return {
    text: () => text,
    attachments: () => attachments,
    times: () => times,
    setText,
    setTimes(next) {
      times = { ...times, ...next };
      return keep();
    },
    leave() {
      times = undefined;
      text = '';
      attachments = [];
      void keep();
    },
    add(more) {
      setText(joined(text, more));
      added.fire(more);
    },
    setAttachments(next) {
      attachments = next;
      void keep();
      attached.fire();
    },
    clear(sent) {
      if (text.trim() !== sent.trim()) return;
      setText('');
      cleared.fire(sent);
    },
    moveTo(id) {
      conversationId = id;
      void keep();
    },
    become(id, nextText, nextAttachments) {
      conversationId = id;
      text = nextText;
      attachments = nextAttachments;
      void keep();
    },
    hold(leaving) {
      const nameless = held.find((one) => one.id === undefined && one.text === leaving.text);
      held = [...held.filter((one) => leaving.id === undefined || one !== nameless), leaving];
      void keep();
      return () => {
        if (!held.includes(leaving)) return;
        held = held.filter((one) => one !== leaving);
        void keep();
      };
    },
    onDidAdd: added.event,
    onDidClear: cleared.event,
    onDidAttach: attached.event,
  };
}

/** With what is not sent, and without what went out and was not taken away here yet. */
function backIn({ attachments, leaving }: ViewMemory, lost: readonly Leaving[]): readonly Attachment[] {
  if (leaving.length === 0) return attachments;
  const left = new Set(leaving.flatMap((one) => one.attachments.map(({ id }) => id)));
  return [...lost.flatMap((one) => one.attachments), ...attachments.filter(({ id }) => !left.has(id))];
}

/** The second below the first. */
export function joined(first: string, second: string): string {
  if (first.trim() === '') return second;
  return second.trim() === '' ? first : `${first}\n\n${second}`;
}
