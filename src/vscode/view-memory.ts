import type * as vscode from 'vscode';
import type { QueuedMessage } from '../conversation/queue.ts';

/** What one view of the chat had open and in its composer when its window closed. */
export interface ViewMemory {
  conversationId?: string;
  draft: string;
  /** Called with every change; returns at once. */
  keep(open: { conversationId: string; draft: string }): void;
}

/** What was being written in conversations that no view shows now. */
export interface DraftStore {
  get(conversationId: string): string;
  /** An empty text forgets. */
  set(conversationId: string, text: string): void;
}

const openName = 'svc.openConversation';
const draftName = 'svc.draft';
const queueName = 'svc.queue';
/** The state of a workspace is read whole when its window opens (E06): the oldest unsent texts beyond this many go. */
const maxDrafts = 100;

/** The side bar's. */
export function createSideBarMemory(memento: vscode.Memento): ViewMemory {
  return {
    conversationId: memento.get<string>(openName),
    draft: memento.get<string>(draftName) ?? '',
    keep({ conversationId, draft }) {
      if (memento.get(openName) !== conversationId) void memento.update(openName, conversationId);
      void memento.update(draftName, draft === '' ? undefined : draft);
    },
  };
}

/** An editor tab's: the tab itself remembers its conversation, so only the text is kept here. */
export function createTabMemory(texts: DraftStore, conversationId: string | undefined): ViewMemory {
  let kept = conversationId ?? '';
  return {
    conversationId,
    draft: texts.get(kept),
    keep(open) {
      if (kept !== open.conversationId) texts.set(kept, '');
      kept = open.conversationId;
      texts.set(kept, open.draft);
    },
  };
}

/** `of`: the texts of left conversations and those in editor tabs are kept apart, for both may be of one conversation. */
export function createDraftStore(memento: vscode.Memento, of: 'left' | 'tabs' = 'left'): DraftStore {
  const name = of === 'left' ? 'svc.drafts' : 'svc.tabDrafts';
  const read = () => memento.get<Record<string, string>>(name) ?? {};
  return {
    get: (id) => read()[id] ?? '',
    set(id, text) {
      const { [id]: before = '', ...others } = read();
      if (before === text) return;
      const kept = Object.entries(text === '' ? others : { ...others, [id]: text }).slice(-maxDrafts);
      void memento.update(name, Object.fromEntries(kept));
    },
  };
}

/** Messages that wait, by conversation. An earlier version kept a plain list: of the side bar's conversation. */
export function createQueueStore(memento: vscode.Memento) {
  const read = (): Record<string, readonly QueuedMessage[]> => {
    const stored = memento.get<Record<string, readonly QueuedMessage[]> | QueuedMessage[]>(queueName) ?? {};
    if (!Array.isArray(stored)) return stored;
    const open = memento.get<string>(openName);
    return open === undefined ? {} : { [open]: stored };
  };
  return {
    load: (id: string) => read()[id] ?? [],
    save(id: string, queued: readonly QueuedMessage[]) {
      const { [id]: before, ...others } = read();
      if (before === undefined && queued.length === 0) return;
      void memento.update(queueName, queued.length === 0 ? others : { ...others, [id]: queued });
    },
  };
}
