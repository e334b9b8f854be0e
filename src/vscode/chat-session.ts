import type * as vscode from 'vscode';
import type { Conversation, TurnSummary } from '../conversation/conversation.ts';
import type { ConversationStore, ConversationSummary } from '../conversation/store.ts';
import type { ChatState } from '../shared/chat-state.ts';
import type { ChatEvent, DurableEvent } from '../shared/events.ts';
import type { Attachment } from '../shared/messages.ts';

/**
 * The chat of this window: which conversation is open, what is attached to the next message, what is being typed.
 * Knows neither the panel nor the network.
 */
export interface ChatSession {
  conversation(): Conversation;
  state(): ChatState;
  newChat(): void;
  open(id: string): Promise<void>;
  list(): Promise<readonly ConversationSummary[]>;
  attachments(): readonly Attachment[];
  attach(attachment: Attachment): void;
  detach(id: string): void;
  draft(): string;
  /** `show` also replaces the text in the composer. */
  setDraft(text: string, show: boolean): void;
  /** Sends a message with everything attached. Throws when a turn is running. */
  send(text: string): Promise<TurnSummary>;
  setModel(id: string): void;
  onEvents(listener: (events: readonly ChatEvent[]) => void): () => void;
  /** Another conversation is open, or the composer's text was replaced: everything must be drawn anew. */
  onReset(listener: () => void): () => void;
  onAttachments(listener: () => void): () => void;
  dispose(): void;
}

export interface ChatSessionDeps {
  store: ConversationStore;
  create(id: string, events: DurableEvent[]): Conversation;
  newId(): string;
  /** What this workspace had open when the window closed. */
  memento: vscode.Memento;
  defaultModel(): string;
}

const openName = 'svc.openConversation';
const draftName = 'svc.draft';

/** Restores the conversation that was open; a conversation that cannot be read leaves an empty one, its file untouched. */
export async function createChatSession(deps: ChatSessionDeps): Promise<ChatSession> {
  const eventListeners = new Set<(events: readonly ChatEvent[]) => void>();
  const resetListeners = new Set<() => void>();
  const attachmentListeners = new Set<() => void>();
  let attachments: readonly Attachment[] = [];
  let draft = deps.memento.get<string>(draftName) ?? '';
  let current: Conversation;
  let unsubscribe: () => void = () => undefined;
  /** Conversations whose turn still runs after another one was opened: they finish and store their reply. */
  const background = new Set<Conversation>();

  const use = (next: Conversation) => {
    current = next;
    unsubscribe();
    unsubscribe = next.onEvents((events) => {
      for (const listener of eventListeners) listener(events);
    });
    void deps.memento.update(openName, next.id);
  };
  const leave = (old: Conversation) => {
    if (!old.running) return old.dispose();
    background.add(old);
    const stop = old.onEvents(() => {
      if (old.running) return;
      stop();
      background.delete(old);
      old.dispose();
    });
  };
  const change = (next: Conversation) => {
    const old = current;
    use(next);
    leave(old);
    for (const listener of resetListeners) listener();
  };
  const changeAttachments = (next: readonly Attachment[]) => {
    attachments = next;
    for (const listener of attachmentListeners) listener();
  };

  const stored = deps.memento.get<string>(openName);
  const events = stored === undefined ? undefined : await deps.store.read(stored);
  use(stored !== undefined && events ? deps.create(stored, events) : deps.create(deps.newId(), []));

  return {
    conversation: () => current,
    state: () => current.state(),
    newChat() {
      if (current.state().items.length > 0) change(deps.create(deps.newId(), []));
      current.setModel(deps.defaultModel());
    },
    async open(id) {
      if (id === current.id) return;
      const running = [...background].find((conversation) => conversation.id === id);
      if (running) {
        background.delete(running);
        return change(running);
      }
      const found = await deps.store.read(id);
      if (found) change(deps.create(id, found));
    },
    list: () => deps.store.list(),
    attachments: () => attachments,
    attach: (attachment) => changeAttachments([...attachments, attachment]),
    detach: (id) => changeAttachments(attachments.filter((attachment) => attachment.id !== id)),
    draft: () => draft,
    setDraft(text, show) {
      draft = text;
      void deps.memento.update(draftName, text === '' ? undefined : text);
      if (show) for (const listener of resetListeners) listener();
    },
    send(text) {
      if (current.running) throw new Error('A turn is already running.');
      const sent = attachments;
      changeAttachments([]);
      draft = '';
      void deps.memento.update(draftName, undefined);
      return current.send({ text, attachments: [...sent], model: current.model() || deps.defaultModel() });
    },
    setModel: (id) => current.setModel(id),
    onEvents: (listener) => subscribe(eventListeners, listener),
    onReset: (listener) => subscribe(resetListeners, listener),
    onAttachments: (listener) => subscribe(attachmentListeners, listener),
    dispose() {
      unsubscribe();
      current.stop();
      current.dispose();
      for (const conversation of background) conversation.dispose();
    },
  };
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
