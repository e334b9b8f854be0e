import { createListeners } from '../base/listeners.ts';
import { isSameSource } from '../conversation/attachment-source.ts';
import type { Conversation, Message, TurnSummary } from '../conversation/conversation.ts';
import type { ConversationSummary } from '../conversation/store/store.ts';
import type { ChatState } from '../shared/chat/chat-state.ts';
import type { ChatEvent } from '../shared/events.ts';
import type { Attachment, Written } from '../shared/messages.ts';
import { maxQueued } from '../shared/messages.ts';
import type { OpenConversations } from './open-conversations.ts';
import type { DraftStore, ViewMemory } from './view-memory.ts';

/**
 * One view of the chat: which conversation it shows, what is attached to the next message, what is being typed. Knows
 * neither the panel nor the network. The conversation itself may be shown by other views too.
 */
export interface ChatSession {
  conversation(): Conversation;
  state(): ChatState;
  /** An empty conversation. What is being typed goes along. */
  newChat(): void;
  /** An empty conversation that nothing comes along to. */
  startOver(): void;
  /** Another conversation with what was being typed in it. Does nothing when there is none under this id. */
  open(id: string): Promise<void>;
  list(): Promise<readonly ConversationSummary[]>;
  attachments(): readonly Attachment[];
  /** In the place of an older one of the same source. */
  attach(attachment: Attachment): void;
  detach(id: string): void;
  draft(): string;
  /** The conversation from which the draft came along; undefined when it was begun in this one. */
  draftFrom(): string | undefined;
  /** What the composer holds now; `conversationId`: in which conversation it was typed, which may have been left since. */
  setDraft(text: string, conversationId?: string): void;
  /** Puts a text that was not sent into the composer, below what the user is writing there. */
  addToDraft(text: string): void;
  /** This draft was sent elsewhere: the composer is emptied unless it holds something else by now. */
  clearDraft(text: string): void;
  /** Sends a message with everything attached. Throws when a turn is running. */
  send(written: Written): Promise<TurnSummary>;
  /**
   * Sends in the place of an earlier message; edited, with those of its attachments that `keep` names and what is
   * attached now. Stops what runs first.
   */
  rerun(
    messageId: string,
    change: { edited?: Written & { keep: readonly string[] }; model?: string },
  ): Promise<TurnSummary>;
  /** Sends when the running turn has finished, with what is attached now; resolves as `Conversation.enqueue`. */
  enqueue(written: Written): Promise<TurnSummary | undefined> | undefined;
  /** A text that left the composer and cannot be sent yet survives a crash as a draft until what this gives is called. */
  hold(text: string): () => void;
  setModel(id: string): void;
  onEvents(listener: (events: readonly ChatEvent[]) => void): () => void;
  /** Another conversation is open: everything must be drawn anew. */
  onReset(listener: () => void): () => void;
  /** This text was added to the draft by something else than typing. */
  onDraftAdded(listener: (text: string) => void): () => void;
  onDraftTaken(listener: (text: string) => void): () => void;
  /** Attachments or waiting messages changed. */
  onComposer(listener: () => void): () => void;
  /** The view is gone for good: what was being typed stays with the conversation. */
  leave(): void;
  dispose(): void;
}

export interface ChatSessionDeps {
  conversations: OpenConversations;
  list(): Promise<readonly ConversationSummary[]>;
  memory: ViewMemory;
  drafts: DraftStore;
  /** What was typed in a conversation just before this view left it; false when no other view shows that one. */
  lateDraft?(conversationId: string, text: string): boolean;
  defaultModel(): string;
}

/** Under this name the draft of an empty conversation waits that was left for another one. */
const unsent = 'new';

/** Restores the conversation that was open; a conversation that cannot be read leaves an empty one, its file untouched. */
export async function createChatSession(deps: ChatSessionDeps): Promise<ChatSession> {
  const { conversations, drafts, memory } = deps;
  const eventListeners = createListeners<[events: readonly ChatEvent[]]>();
  const resetListeners = createListeners();
  const draftListeners = createListeners<[text: string]>();
  const takenListeners = createListeners<[text: string]>();
  const composerListeners = createListeners();
  let attachments: readonly Attachment[] = memory.attachments;
  let draft = memory.draft;
  const held = new Set<Pick<Message, 'text' | 'attachments'>>();
  let draftFrom: string | undefined;
  let current: Conversation;
  let unsubscribe: () => void = () => undefined;
  /** Ids of conversations that were left without a message: nobody can open them again. */
  const leftEmpty = new Set<string>();
  /** Only the conversation that was asked for last is shown. */
  let asked = 0;

  const keep = () =>
    memory.keep({
      conversationId: current.id,
      draft: [...held].reduceRight((text, one) => joined(one.text, text), draft),
      attachments: held.size === 0 ? attachments : [...[...held].flatMap((one) => one.attachments), ...attachments],
    });
  /** Taken out of the composer and not in the conversation yet: kept as if it still stood there. */
  const hold = (message: Pick<Message, 'text' | 'attachments'>): (() => void) => {
    held.add(message);
    keep();
    return () => {
      if (held.delete(message)) keep();
    };
  };
  const use = (next: Conversation) => {
    current = next;
    unsubscribe();
    const stopEvents = next.onEvents((events) => eventListeners.tell(events));
    const stopQueue = next.onQueue(() => composerListeners.tell());
    unsubscribe = () => {
      stopEvents();
      stopQueue();
    };
  };
  const change = (next: Conversation) => {
    const old = current;
    use(next);
    keep();
    conversations.release(old);
    resetListeners.tell();
  };
  const changeAttachments = (next: readonly Attachment[]) => {
    attachments = next;
    keep();
    composerListeners.tell();
  };
  const changeDraft = (text: string) => {
    draft = text;
    keep();
  };
  const leaveDraft = () => {
    if (isEmpty(current)) leftEmpty.add(current.id);
    drafts.set(leftEmpty.has(current.id) ? unsent : current.id, draft);
  };
  /** The draft stays with the conversation that is left, and the one that comes has its own. */
  const openNext = (next: Conversation) => {
    leaveDraft();
    draft = drafts.get(next.id);
    attachments = [...attachments, ...drafts.attached(next.id)];
    draftFrom = undefined;
    change(next);
    // Forgotten there only when the view keeps it.
    drafts.set(next.id, '');
    drafts.setAttached(next.id, []);
  };
  const openEmpty = () => {
    const waiting = drafts.get(unsent);
    const waitingAttached = drafts.attached(unsent);
    const left = current.id;
    draftFrom = left;
    const next = conversations.create();
    change(next);
    if (waiting !== '' && waiting !== draft) addToDraft(waiting);
    if (waitingAttached.length > 0) changeAttachments([...attachments, ...waitingAttached]);
    for (const id of [left, unsent]) drafts.set(id, '');
    drafts.setAttached(unsent, []);
  };
  const addToDraft = (text: string) => {
    changeDraft(joined(draft, text));
    draftListeners.tell(text);
  };
  /** What the next message takes along. The draft stays: the panel empties it when it sends, a command must not. */
  const takeMessage = <T>({ text, typed }: Written, give: (message: Message) => T): T => {
    const message = { text, typed, attachments: [...attachments], model: current.model() || deps.defaultModel() };
    const release = hold({ ...message, text: typed ?? text });
    changeAttachments([]);
    const given = give(message);
    // What waits is kept by the queue from the same moment on.
    if (current.queue().items.some((item) => item.text === (typed ?? text))) release();
    else void current.stored().finally(release);
    return given;
  };

  const { conversationId } = memory;
  const stored = conversationId === undefined ? undefined : await conversations.acquire(conversationId);
  use(stored ?? conversations.create());
  if (!stored) draftFrom = conversationId;
  keep();
  const dispose = () => {
    asked++;
    unsubscribe();
    stopClosing();
    stopReplacing();
    conversations.release(current);
  };
  const stopReplacing = conversations.onReplace((old, next) => {
    if (old !== current) return;
    use(next);
    resetListeners.tell();
  });
  const stopClosing = conversations.onClose((conversation) => {
    if (conversation === current) openEmpty();
  });

  return {
    conversation: () => current,
    state: () => current.state(),
    newChat() {
      asked++;
      if (!isEmpty(current)) openEmpty();
      current.setModel(deps.defaultModel());
    },
    startOver() {
      asked++;
      openNext(conversations.create());
    },
    async open(id) {
      const turn = ++asked;
      if (id === current.id) return;
      const found = await conversations.acquire(id);
      if (found === undefined) return;
      if (turn === asked) openNext(found);
      else conversations.release(found);
    },
    list: deps.list,
    attachments: () => attachments,
    attach: (attachment) =>
      changeAttachments([...attachments.filter((other) => !isSameSource(other, attachment)), attachment]),
    detach: (id) => changeAttachments(attachments.filter((attachment) => attachment.id !== id)),
    draft: () => draft,
    draftFrom: () => draftFrom,
    setDraft(text, typedIn = current.id) {
      if (typedIn === current.id || typedIn === draftFrom) changeDraft(text);
      else if (!deps.lateDraft?.(typedIn, text)) drafts.set(leftEmpty.has(typedIn) ? unsent : typedIn, text);
      // From now on the panel knows where it is: what it says of the other conversation is of that one.
      if (typedIn === current.id) draftFrom = undefined;
    },
    addToDraft,
    clearDraft(text) {
      if (draft.trim() !== text.trim()) return;
      changeDraft('');
      takenListeners.tell(text);
    },
    async send(written) {
      if (current.running) throw new Error('A turn is already running.');
      return takeMessage(written, (message) => current.send(message));
    },
    async rerun(messageId, { edited, model }) {
      const chosen = model === undefined ? {} : { model };
      if (edited === undefined) return current.rerun(messageId, chosen);
      const item = current.state().items.find((one) => one.kind === 'user' && one.id === messageId);
      const had = item?.kind === 'user' ? item.attachments : [];
      const kept = had.filter((attachment) => edited.keep.includes(attachment.id));
      return takeMessage(edited, ({ attachments: added, text, typed }) =>
        current.rerun(messageId, { text, typed, attachments: [...kept, ...added], ...chosen }),
      );
    },
    enqueue(written) {
      if (current.queue().items.length >= maxQueued) return undefined;
      return takeMessage(written, (message) => current.enqueue(message));
    },
    setModel: (id) => current.setModel(id),
    onEvents: eventListeners.add,
    onReset: resetListeners.add,
    onDraftAdded: draftListeners.add,
    onDraftTaken: takenListeners.add,
    onComposer: composerListeners.add,
    hold: (text) => hold({ text, attachments: [] }),
    leave() {
      leaveDraft();
      drafts.setAttached(leftEmpty.has(current.id) ? unsent : current.id, attachments);
      draft = '';
      attachments = [];
      keep();
      dispose();
    },
    dispose,
  };
}

/** The second below the first. */
function joined(first: string, second: string): string {
  if (first.trim() === '') return second;
  return second.trim() === '' ? first : `${first}\n\n${second}`;
}

function isEmpty(conversation: Conversation): boolean {
  return conversation.state().items.length === 0;
}
