import type { Conversation } from '../conversation/conversation.ts';
import type { Attachment } from '../shared/messages.ts';
import { joined } from './draft.ts';
import type { DraftStore } from './view-memory.ts';

interface Writer {
  conversation(): Conversation;
  addToDraft(text: string): void;
}

/** Keeps drafts of conversations whose view went to another one, for when the conversation is opened again. */
export interface LeftDrafts {
  /** Passes the draft of an empty conversation to the next new one, because nobody can open the empty one again. */
  leave(conversation: Conversation, text: string, attachments?: readonly Attachment[]): void;
  of(conversationId: string): { text: string; attachments: readonly Attachment[] };
  waiting(): { text: string; attachments: readonly Attachment[] };
  forget(conversationId: string): void;
  forgetWaiting(): void;
  /** Must be called for a text that was typed just before its view left the conversation, and reported after. */
  late(conversationId: string, text: string): void;
  add(conversationId: string, text: string): void;
  join(writer: Writer): () => void;
}

const unsent = 'new';

export function createLeftDrafts(store: DraftStore): LeftDrafts {
  const writers = new Set<Writer>();
  const emptied = new Map<string, string>();
  let waitedBefore = store.get(unsent);
  const writerOf = (id: string) => [...writers].find((one) => one.conversation().id === id);
  const at = (place: string) => ({ text: store.get(place), attachments: store.attached(place) });
  const forget = (place: string) => {
    store.set(place, '');
    store.setAttached(place, []);
  };
  const put = (id: string, text: string) => {
    if (!emptied.has(id)) return store.set(id, text);
    emptied.set(id, text);
    store.set(unsent, [...emptied.values()].reduce(joined, waitedBefore));
  };
  return {
    leave({ id, state }, text, attachments = []) {
      const isEmpty = state().items.length === 0;
      if (isEmpty) emptied.set(id, '');
      put(id, text);
      if (isEmpty) store.setAttached(unsent, [...store.attached(unsent), ...attachments]);
      else if (attachments.length > 0) store.setAttached(id, attachments);
    },
    of: at,
    waiting: () => at(unsent),
    forget,
    forgetWaiting() {
      waitedBefore = '';
      for (const id of emptied.keys()) emptied.set(id, '');
      forget(unsent);
    },
    late(id, text) {
      const writer = writerOf(id);
      if (writer === undefined) put(id, text);
      else if (text !== '') writer.addToDraft(text);
    },
    add(id, text) {
      const writer = writerOf(id);
      if (writer === undefined) put(id, joined(emptied.get(id) ?? store.get(id), text));
      else writer.addToDraft(text);
    },
    join(writer) {
      writers.add(writer);
      return () => void writers.delete(writer);
    },
  };
}
