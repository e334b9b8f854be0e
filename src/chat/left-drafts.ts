import type { Conversation } from '../conversation/conversation.ts';
import type { Attachment } from '../shared/messages.ts';
import { joined } from './draft.ts';
import type { DraftStore } from './view-memory.ts';

/** A view that shows a conversation, to be told what was typed in it elsewhere. */
interface Writer {
  conversation(): Conversation;
  addToDraft(text: string): void;
}

/** What was being written in conversations when their view went to another one: it is there when they are opened again. */
export interface LeftDrafts {
  /** What was written in an empty conversation, which nobody can open again, waits for the next new one. */
  leave(conversation: Conversation, text: string, attachments?: readonly Attachment[]): void;
  of(conversationId: string): { text: string; attachments: readonly Attachment[] };
  /** What waits for a new conversation. */
  waiting(): { text: string; attachments: readonly Attachment[] };
  forget(conversationId: string): void;
  forgetWaiting(): void;
  /** Typed just before its view left the conversation, and told after. */
  late(conversationId: string, text: string): void;
  /** Below what is being written in it. */
  add(conversationId: string, text: string): void;
  /** Until what this returns is called. */
  join(writer: Writer): () => void;
}

/** The name that stands for conversations without a message. */
const unsent = 'new';

export function createLeftDrafts(store: DraftStore): LeftDrafts {
  const writers = new Set<Writer>();
  const leftEmpty = new Set<string>();
  const placeOf = (id: string) => (leftEmpty.has(id) ? unsent : id);
  const writerOf = (id: string) => [...writers].find((one) => one.conversation().id === id);
  const at = (place: string) => ({ text: store.get(place), attachments: store.attached(place) });
  const forget = (place: string) => {
    store.set(place, '');
    store.setAttached(place, []);
  };
  return {
    leave({ id, state }, text, attachments) {
      if (state().items.length === 0) leftEmpty.add(id);
      store.set(placeOf(id), text);
      if (attachments) store.setAttached(placeOf(id), attachments);
    },
    of: at,
    waiting: () => at(unsent),
    forget,
    forgetWaiting: () => forget(unsent),
    late(id, text) {
      const writer = writerOf(id);
      if (writer === undefined) store.set(placeOf(id), text);
      else if (text !== '') writer.addToDraft(text);
    },
    add(id, text) {
      const writer = writerOf(id);
      if (writer === undefined) store.set(placeOf(id), joined(store.get(placeOf(id)), text));
      else writer.addToDraft(text);
    },
    join(writer) {
      writers.add(writer);
      return () => void writers.delete(writer);
    },
  };
}
