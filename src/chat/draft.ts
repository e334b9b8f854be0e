import { createEmitter, type Event } from '../base/emitter.ts';
import type { Attachment } from '../shared/messages.ts';
import type { DraftTimes, Leaving, ViewMemory } from './view-memory.ts';

/** Holds text and attachments of one composer. Every change is stored, so that a crash loses none of it. */
export interface Draft {
  text(): string;
  /** The array may be compared by identity: it is another one after each change, and only then. */
  attachments(): readonly Attachment[];
  times(): DraftTimes | undefined;
  setText(text: string): void;
  /** Resolves when this and everything that is held is on the disk or cannot be. */
  setTimes(times: DraftTimes): Promise<void>;
  leave(): void;
  add(text: string): void;
  setAttachments(attachments: readonly Attachment[]): void;
  /** Empties the draft only when it holds nothing but this text. */
  clear(text: string): void;
  moveTo(conversationId: string): void;
  become(conversationId: string, text: string, attachments: readonly Attachment[]): void;
  /**
   * Keeps a text that left the composer and is not in the conversation yet. After a crash it is in the composer
   * again, until the returned function is called or the conversation has it. One with an id replaces the one without
   * that has the same text.
   */
  hold(leaving: Leaving): () => void;
  onDidAdd: Event<[text: string]>;
  onDidClear: Event<[text: string]>;
  onDidAttach: Event;
}

/** `isStored` says whether the conversation that was open when the window closed, or its queue, has this message. */
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

function backIn({ attachments, leaving }: ViewMemory, lost: readonly Leaving[]): readonly Attachment[] {
  if (leaving.length === 0) return attachments;
  const left = new Set(leaving.flatMap((one) => one.attachments.map(({ id }) => id)));
  return [...lost.flatMap((one) => one.attachments), ...attachments.filter(({ id }) => !left.has(id))];
}

export function joined(first: string, second: string): string {
  if (first.trim() === '') return second;
  return second.trim() === '' ? first : `${first}\n\n${second}`;
}
