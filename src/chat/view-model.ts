import { createEmitter, disposeAll, type Event } from '../base/emitter.ts';
import type { Conversation, Message, TurnSummary } from '../conversation/conversation.ts';
import type { ConversationSummary } from '../conversation/store/store.ts';
import type { ChatState } from '../shared/chat/chat-state.ts';
import type { ChatEvent } from '../shared/events.ts';
import { maxQueued, type Written } from '../shared/messages.ts';
import type { Draft, DraftStore, DraftView } from './draft-store.ts';
import type { OpenConversations } from './open-conversations.ts';

/**
 * Holds one view's conversation and its draft. It knows neither the panel nor the network, and other views may show the
 * conversation too.
 */
export interface ChatViewModel {
  conversation(): Conversation;
  state(): ChatState;
  draft: Draft;
  /** Opens an empty conversation. The typed text goes along, which `startOver` does not let it. */
  newChat(): void;
  startOver(): void;
  open(id: string): Promise<void>;
  list(): Promise<readonly ConversationSummary[]>;
  /**
   * Moves the draft of the shown conversation here, from the view that showed it before, which begins a new chat, or
   * from the stored drafts.
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
  setModel(id: string): void;
  onDidEmit: Event<[events: readonly ChatEvent[]]>;
  onDidReset: Event;
  onDidChangeComposer: Event;
  close(): void;
  dispose(): void;
}

export interface ChatViewModelDeps {
  conversations: OpenConversations;
  list(): Promise<readonly ConversationSummary[]>;
  drafts: DraftStore;
  place: DraftView;
  defaultModel(): string;
  newId(): string;
}

/**
 * Restores the conversation that was open. When it cannot be read, the view model has an empty one, and the file is
 * not touched.
 */
export async function openChatViewModel(deps: ChatViewModelDeps): Promise<ChatViewModel> {
  const { conversationId } = deps.place;
  const stored = conversationId === undefined ? undefined : await deps.conversations.acquire(conversationId);
  return viewModelAt(deps, stored ?? deps.conversations.create());
}

function viewModelAt(deps: ChatViewModelDeps, first: Conversation): ChatViewModel {
  const { conversations } = deps;
  const shown = createShown(first);
  const draft = deps.drafts.open(deps.place, shown.now);
  let asked = 0;

  const show = (next: Conversation) => {
    conversations.release(shown.show(next));
    shown.reset.fire();
  };
  const openNext = (next: Conversation) => {
    draft.open(next);
    show(next);
  };
  const openEmpty = () => {
    const next = conversations.create();
    draft.carryTo(next);
    show(next);
    draft.appendUnopened();
  };
  // The text stays in the composer: the panel empties it when it sends, and a command must not.
  const takeMessage = <T>({ text, typed }: Written, give: (message: Message) => T): T => {
    const current = shown.now();
    const id = deps.newId();
    const { release, ...taken } = draft.takeFor({ id, text: typed ?? text });
    const listening = current.onDidEmit((events) => {
      if (!events.some((event) => event.type === 'userMessage' && event.id === id)) return;
      listening.dispose();
      void current.stored().finally(release);
    });
    const given = give({ id, text, typed, ...taken, model: current.model() || deps.defaultModel() });
    // The queue now stores this message, so the crash copy is released.
    if (current.queue().items.some((item) => item.id === id)) {
      listening.dispose();
      release();
    }
    return given;
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
    draft,
    draft.onDidAttach(() => shown.composer.fire()),
  ];
  const dispose = () => {
    // Equal to nothing, so that whoever still asks a closed view to open a conversation finds it open nothing.
    asked = Number.NaN;
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
    draft,
    takeDraft(from) {
      draft.takeFrom(from?.draft);
      from?.startOver();
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
      return takeMessage(edited, ({ attachments: added, model: _model, ...message }) =>
        current.rerun(messageId, { ...message, attachments: [...kept, ...added], ...chosen }),
      );
    },
    enqueue(written, atNextStep) {
      if (shown.now().queue().items.length >= maxQueued) return undefined;
      return takeMessage(written, (message) => shown.now().enqueue(message, atNextStep));
    },
    setModel: (id) => shown.now().setModel(id),
    onDidEmit: shown.events.event,
    onDidReset: shown.reset.event,
    onDidChangeComposer: shown.composer.event,
    close() {
      draft.close();
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

function isEmpty(conversation: Conversation): boolean {
  return conversation.state().items.length === 0;
}
