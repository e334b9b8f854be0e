import { createEmitter, disposeAll, type Event } from '../base/emitter.ts';
import { isSameSource } from '../conversation/attachment-source.ts';
import type { Conversation, Message, TurnSummary } from '../conversation/conversation.ts';
import type { ConversationSummary } from '../conversation/store/store.ts';
import type { ChatState } from '../shared/chat/chat-state.ts';
import type { ChatEvent } from '../shared/events.ts';
import type { Attachment, Written } from '../shared/messages.ts';
import { maxQueued } from '../shared/messages.ts';
import { createDraft } from './draft.ts';
import type { LeftDrafts } from './left-drafts.ts';
import type { OpenConversations } from './open-conversations.ts';
import type { DraftTimes, ViewMemory } from './view-memory.ts';

/**
 * Holds one view's conversation, attachments and typed text. It knows neither the panel nor the network, and other
 * views may show the conversation too.
 */
export interface ChatViewModel {
  conversation(): Conversation;
  state(): ChatState;
  /** Opens an empty conversation; the typed text goes along. */
  newChat(): void;
  /** Opens an empty conversation without the typed text. */
  startOver(): void;
  open(id: string): Promise<void>;
  list(): Promise<readonly ConversationSummary[]>;
  attachments(): readonly Attachment[];
  attach(attachment: Attachment): void;
  detach(id: string): void;
  draft(): string;
  draftFrom(): string | undefined;
  draftTimes(): DraftTimes | undefined;
  setDraftTimes(times: DraftTimes): Promise<void>;
  setDraft(text: string, conversationId?: string): void;
  addToDraft(text: string): void;
  giveBack(text: string, conversationId: string): void;
  clearDraft(text: string): void;
  /**
   * Moves draft and attachments of the shown conversation here, from the view that showed it before, which begins a
   * new chat, or from the stored drafts.
   */
  takeDraft(from: ChatViewModel | undefined): void;
  /** Sends a message with everything attached. Throws when a turn is running. */
  send(written: Written): Promise<TurnSummary>;
  /**
   * Sends in place of an earlier message. An edited one has the attachments that `keep` names and those attached now.
   * A running turn is stopped first.
   */
  rerun(
    messageId: string,
    change: { edited?: Written & { keep: readonly string[] }; model?: string },
  ): Promise<TurnSummary>;
  enqueue(written: Written, atNextStep?: boolean): Promise<TurnSummary | undefined> | undefined;
  /** The text survives a crash as a draft until the returned function is called. */
  hold(text: string): () => void;
  setModel(id: string): void;
  onDidEmit: Event<[events: readonly ChatEvent[]]>;
  onDidReset: Event;
  onDidAddToDraft: Event<[text: string]>;
  onDidClearDraft: Event<[text: string]>;
  onDidChangeComposer: Event;
  leave(): void;
  dispose(): void;
}

export interface ChatViewModelDeps {
  conversations: OpenConversations;
  list(): Promise<readonly ConversationSummary[]>;
  memory: ViewMemory;
  left: LeftDrafts;
  defaultModel(): string;
  newId(): string;
}

/**
 * Restores the conversation that was open. When it cannot be read, the view model has an empty one, and the file is
 * not touched.
 */
export async function openChatViewModel(deps: ChatViewModelDeps): Promise<ChatViewModel> {
  const { conversationId } = deps.memory;
  const stored = conversationId === undefined ? undefined : await deps.conversations.acquire(conversationId);
  return viewModelAt(deps, stored ?? deps.conversations.create(), stored ? undefined : conversationId);
}

function viewModelAt(deps: ChatViewModelDeps, first: Conversation, cameFrom: string | undefined): ChatViewModel {
  const { conversations, left } = deps;
  const draft = createDraft(deps.memory, first.id, (id) => hasMessage(first, id));
  const shown = createShown(first);
  let draftFrom = cameFrom;
  let asked = 0;

  const openNext = (next: Conversation) => {
    left.leave(shown.now(), draft.text());
    const own = left.of(next.id);
    draftFrom = undefined;
    const old = shown.show(next);
    draft.become(next.id, own.text, [...draft.attachments(), ...own.attachments]);
    conversations.release(old);
    shown.reset.fire();
    // The stored draft is deleted only after this view has it, so that a crash loses nothing.
    left.forget(next.id);
  };
  const openEmpty = () => {
    const waiting = left.waiting();
    const next = conversations.create();
    const old = shown.show(next);
    draftFrom = old.id;
    draft.moveTo(next.id);
    conversations.release(old);
    shown.reset.fire();
    if (waiting.text !== '' && waiting.text !== draft.text()) draft.add(waiting.text);
    if (waiting.attachments.length > 0) draft.setAttachments([...draft.attachments(), ...waiting.attachments]);
    left.forgetWaiting();
  };
  /**
   * Takes only the attachments out of the composer. The text stays: the panel empties it when it sends, and a command
   * must not.
   */
  const takeMessage = <T>({ text, typed }: Written, give: (message: Message) => T): T => {
    const current = shown.now();
    const attachments = [...draft.attachments()];
    const id = deps.newId();
    const message = { id, text, typed, attachments, model: current.model() || deps.defaultModel() };
    const release = draft.hold({ id, text: typed ?? text, attachments });
    const listening = current.onDidEmit((events) => {
      if (!events.some((event) => event.type === 'userMessage' && event.id === id)) return;
      listening.dispose();
      void current.stored().finally(release);
    });
    draft.setAttachments([]);
    const given = give(message);
    // The queue now stores this message, so the crash copy is released.
    if (current.queue().items.some((item) => item.id === id)) {
      listening.dispose();
      release();
    }
    return given;
  };
  const attach = (attachment: Attachment) =>
    draft.setAttachments([...draft.attachments().filter((other) => !isSameSource(other, attachment)), attachment]);
  const detach = (id: string) => draft.setAttachments(draft.attachments().filter((attachment) => attachment.id !== id));
  const setDraft = (text: string, typedIn = shown.now().id) => {
    const { id } = shown.now();
    if (typedIn === id || typedIn === draftFrom) draft.setText(text);
    else left.late(typedIn, text);
    // The panel now knows which conversation it shows, so later text with the old id belongs to the old conversation.
    if (typedIn === id) draftFrom = undefined;
  };
  const startOver = () => {
    asked++;
    openNext(conversations.create());
  };
  const listening = [
    conversations.onDidReplace((old, next) => {
      if (old !== shown.now()) return;
      shown.show(next);
      shown.reset.fire();
    }),
    conversations.onDidClose((conversation) => {
      if (conversation === shown.now()) openEmpty();
    }),
    { dispose: left.join({ conversation: shown.now, addToDraft: draft.add }) },
    draft.onDidAttach(() => shown.composer.fire()),
  ];
  const dispose = () => {
    asked++;
    disposeAll(listening);
    conversations.release(shown.close());
  };

  return {
    conversation: shown.now,
    state: () => shown.now().state(),
    newChat() {
      asked++;
      if (!isEmpty(shown.now())) openEmpty();
      shown.now().setModel(deps.defaultModel());
    },
    startOver,
    async open(id) {
      const turn = ++asked;
      if (id === shown.now().id) return;
      const found = await conversations.acquire(id);
      if (found === undefined) return;
      if (turn === asked) openNext(found);
      else conversations.release(found);
    },
    list: deps.list,
    attachments: draft.attachments,
    attach,
    detach,
    draft: draft.text,
    draftFrom: () => draftFrom,
    draftTimes: draft.times,
    setDraftTimes: draft.setTimes,
    setDraft,
    addToDraft: draft.add,
    giveBack(text, writtenIn) {
      if (writtenIn === shown.now().id || writtenIn === draftFrom) draft.add(text);
      else left.add(writtenIn, text);
    },
    clearDraft: draft.clear,
    takeDraft(from) {
      const { id } = shown.now();
      const { text, attachments } = from ? { text: from.draft(), attachments: from.attachments() } : left.of(id);
      for (const attachment of attachments) {
        attach(attachment);
        from?.detach(attachment.id);
      }
      if (text !== '') draft.add(text);
      if (from === undefined) left.forget(id);
      else {
        from.setDraft('');
        from.startOver();
      }
    },
    async send(written) {
      if (shown.now().running) throw new Error('A turn is already running.');
      return takeMessage(written, (message) => shown.now().send(message));
    },
    async rerun(messageId, { edited, model }) {
      const current = shown.now();
      const chosen = model === undefined ? {} : { model };
      if (edited === undefined) return current.rerun(messageId, chosen);
      const item = current.state().items.find((one) => one.kind === 'user' && one.id === messageId);
      const had = item?.kind === 'user' ? item.attachments : [];
      const kept = had.filter((attachment) => edited.keep.includes(attachment.id));
      return takeMessage(edited, ({ attachments: added, id, text, typed }) =>
        current.rerun(messageId, { id, text, typed, attachments: [...kept, ...added], ...chosen }),
      );
    },
    enqueue(written, atNextStep) {
      if (shown.now().queue().items.length >= maxQueued) return undefined;
      return takeMessage(written, (message) => shown.now().enqueue(message, atNextStep));
    },
    setModel: (id) => shown.now().setModel(id),
    onDidEmit: shown.events.event,
    onDidReset: shown.reset.event,
    onDidAddToDraft: draft.onDidAdd,
    onDidClearDraft: draft.onDidClear,
    onDidChangeComposer: shown.composer.event,
    hold: (text) => draft.hold({ text, attachments: [] }),
    leave() {
      left.leave(shown.now(), draft.text(), draft.attachments());
      draft.leave();
      dispose();
    },
    dispose,
  };
}

function createShown(first: Conversation) {
  const events = createEmitter<[events: readonly ChatEvent[]]>();
  const composer = createEmitter();
  const listen = (conversation: Conversation) => [
    conversation.onDidEmit((some) => events.fire(some)),
    conversation.onDidChangeQueue(() => composer.fire()),
  ];
  let current = first;
  let listening = listen(first);
  return {
    now: () => current,
    show(next: Conversation): Conversation {
      const old = current;
      current = next;
      disposeAll(listening);
      listening = listen(next);
      return old;
    },
    close(): Conversation {
      disposeAll(listening);
      return current;
    },
    events,
    composer,
    reset: createEmitter(),
  };
}

function hasMessage(conversation: Conversation, id: string): boolean {
  const waits = conversation.queue().items.some((item) => item.id === id);
  return waits || conversation.state().items.some((item) => item.kind === 'user' && item.id === id);
}

function isEmpty(conversation: Conversation): boolean {
  return conversation.state().items.length === 0;
}
