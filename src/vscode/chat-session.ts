import type * as vscode from 'vscode';
import type { Conversation, Message, TurnSummary } from '../conversation/conversation.ts';
import { maxQueued, type QueuedMessage } from '../conversation/queue.ts';
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
  /** What the composer holds now. */
  setDraft(text: string): void;
  /** Puts a text that was not sent into the composer, below what the user is writing there. */
  addToDraft(text: string): void;
  /** Sends a message with everything attached. Throws when a turn is running. */
  send(text: string): Promise<TurnSummary>;
  /** Sends when the running turn has finished, with what is attached now. False when too many messages wait. */
  enqueue(text: string): boolean;
  setModel(id: string): void;
  onEvents(listener: (events: readonly ChatEvent[]) => void): () => void;
  /** Another conversation is open, or the composer's text was replaced: everything must be drawn anew. */
  onReset(listener: () => void): () => void;
  /** Attachments or waiting messages changed. */
  onComposer(listener: () => void): () => void;
  dispose(): void;
}

export interface ChatSessionDeps {
  store: ConversationStore;
  create(id: string, events: DurableEvent[], queued: readonly QueuedMessage[]): Conversation;
  newId(): string;
  /** What this workspace had open when the window closed. */
  memento: vscode.Memento;
  defaultModel(): string;
}

const openName = 'svc.openConversation';
const draftName = 'svc.draft';
const queueName = 'svc.queue';

/** Restores the conversation that was open; a conversation that cannot be read leaves an empty one, its file untouched. */
export async function createChatSession(deps: ChatSessionDeps): Promise<ChatSession> {
  const eventListeners = new Set<(events: readonly ChatEvent[]) => void>();
  const resetListeners = new Set<() => void>();
  const composerListeners = new Set<() => void>();
  let attachments: readonly Attachment[] = [];
  let draft = deps.memento.get<string>(draftName) ?? '';
  let current: Conversation;
  let unsubscribe: () => void = () => undefined;
  const tellComposer = () => {
    for (const listener of composerListeners) listener();
  };
  /** Conversations whose turn still runs after another one was opened: they finish and store their reply. */
  const background = new Set<Conversation>();

  const use = (next: Conversation) => {
    current = next;
    unsubscribe();
    const stopEvents = next.onEvents((events) => {
      for (const listener of eventListeners) listener(events);
    });
    const stopQueue = next.onQueue(() => {
      void deps.memento.update(queueName, next.queuedMessages());
      tellComposer();
    });
    unsubscribe = () => {
      stopEvents();
      stopQueue();
    };
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
    tellComposer();
  };
  const setDraft = (text: string) => {
    draft = text;
    void deps.memento.update(draftName, text === '' ? undefined : text);
  };
  /** What the next message takes along. The draft stays: the panel empties it when it sends, a command must not. */
  const takeMessage = (text: string): Message => {
    const message = { text, attachments: [...attachments], model: current.model() || deps.defaultModel() };
    changeAttachments([]);
    return message;
  };

  const stored = deps.memento.get<string>(openName);
  const events = stored === undefined ? undefined : await deps.store.read(stored);
  const queued = deps.memento.get<QueuedMessage[]>(queueName) ?? [];
  use(stored !== undefined && events ? deps.create(stored, events, queued) : deps.create(deps.newId(), [], []));

  return {
    conversation: () => current,
    state: () => current.state(),
    newChat() {
      if (current.state().items.length > 0) change(deps.create(deps.newId(), [], []));
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
      if (found) change(deps.create(id, found, []));
    },
    list: () => deps.store.list(),
    attachments: () => attachments,
    attach: (attachment) => changeAttachments([...attachments, attachment]),
    detach: (id) => changeAttachments(attachments.filter((attachment) => attachment.id !== id)),
    draft: () => draft,
    setDraft,
    addToDraft(text) {
      setDraft(draft.trim() === '' ? text : `${draft}\n\n${text}`);
      for (const listener of resetListeners) listener();
    },
    send(text) {
      if (current.running) throw new Error('A turn is already running.');
      return current.send(takeMessage(text));
    },
    enqueue(text) {
      if (current.queue().items.length >= maxQueued) return false;
      return current.enqueue(takeMessage(text));
    },
    setModel: (id) => current.setModel(id),
    onEvents: (listener) => subscribe(eventListeners, listener),
    onReset: (listener) => subscribe(resetListeners, listener),
    onComposer: (listener) => subscribe(composerListeners, listener),
    dispose() {
      unsubscribe();
      // What waits for consent is stored as expired; stopping the turn first would only say that it was cancelled.
      current.dispose();
      for (const conversation of background) conversation.dispose();
    },
  };
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
