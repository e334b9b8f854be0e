import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PlanItem } from '../../src/shared/approval.ts';
import { type ChatState, emptyChat, openPlan } from '../../src/shared/chat/chat-state.ts';
import { reduceChat } from '../../src/shared/chat/reduce-chat.ts';
import type { ChatEvent } from '../../src/shared/events.ts';
import type { PageState } from '../../src/shared/panel/page-state.ts';
import type { NextPrice, PanelInfo } from '../../src/shared/panel/panel-info.ts';
import type { HostMessage } from '../../src/shared/panel/protocol.ts';
import type { ToolPresentation, ToolPresentations } from '../../src/shared/tool-presentation.ts';
import { plainPresentation } from './cards/tool-words.ts';
import { waitingReads } from './cards/waiting-alert.ts';
import { type ComposerState, createComposerState } from './composer/composer-state.ts';
import { createDraft, type Draft, typedText } from './composer/draft.ts';
import { createEditing, type Editing } from './composer/editing.ts';
import type { Host, ScrollAnchor } from './host.ts';
import { createEarlier, type Earlier } from './transcript/earlier.ts';

/** Holds signals that the views read, and the few ways to change them. The truth is in the host. */
export interface PanelState {
  chat: ReadonlySignal<ChatState>;
  items: ReadonlySignal<ChatState['items']>;
  isEmpty: ReadonlySignal<boolean>;
  running: ReadonlySignal<ChatState['running']>;
  plan: ReadonlySignal<readonly PlanItem[] | undefined>;
  waitingReads: ReadonlySignal<string>;
  info: ReadonlySignal<PanelInfo | undefined>;
  draft: Draft;
  editing: Editing;
  price: ReadonlySignal<NextPrice | undefined>;
  now: ReadonlySignal<number>;
  freshTurnId: ReadonlySignal<string>;
  /**
   * Returns true unless the reader has scrolled away since they last asked for a turn. Turns from the queue or
   * another window do not move the reader.
   */
  goesAlong(): boolean;
  setGoesAlong(value: boolean): void;
  earlier: Earlier;
  dismissed: ReadonlySignal<readonly string[]>;
  focusRequest: ReadonlySignal<FocusRequest>;
  composer: ComposerState;
  nameOf(id: string): string;
  presentationOf(tool: string): ToolPresentation;
  receive(message: HostMessage): void;
  focusComposer(): void;
  dismiss(banner: string): void;
  isToggled(id: string): boolean;
  setToggled(id: string, toggled: boolean): void;
  movedTo(place: ScrollAnchor | undefined): void;
  storedAnchor(): ScrollAnchor | undefined;
}

export interface PanelStateDeps {
  host: Host;
  now(): number;
  requestFrame(draw: () => void): void;
  after(ms: number, run: () => void): () => void;
}

interface FocusRequest {
  to: 'focusInput' | 'focusApproval' | 'addContext';
  /** The focus moves only if the page has the focus of the window, or when it gets it. */
  late: boolean;
  number: number;
}

const saveDelayMs = 200;
const postDelayMs = 400;
const maxToggled = 500;

export function createPanelState({ host, now, requestFrame, after }: PanelStateDeps): PanelState {
  const stored = host.stored();
  const chat = signal<ChatState>(emptyChat);
  const info = signal<PanelInfo | undefined>(undefined);
  const price = signal<NextPrice | undefined>(undefined);
  const clock = signal(now());
  const freshTurnId = signal('');
  let presentations: ToolPresentations = {};
  let goesAlong = true;
  const dismissed = signal<readonly string[]>(stored.dismissed ?? []);
  const focusRequest = signal<FocusRequest>({ to: 'focusInput', late: false, number: 0 });
  let place = stored.place;
  let conversationId = stored.conversationId ?? '';
  let toggled = stored.toggled ?? [];
  let storedAtMs = stored.atMs ?? 0;
  let saveDue = false;
  let first = true;
  const typed = typedText(stored);
  const edited = signal(stored.editing);
  const pageState = (): PageState => {
    const message = edited.value;
    return {
      conversationId,
      atMs: storedAtMs,
      ...(place && { place }),
      dismissed: [...dismissed.value],
      toggled,
      ...(message && { editing: { ...message, attachments: [...message.attachments] } }),
    };
  };
  const postState = createTeller(after, () => host.post({ type: 'pageChanged', page: pageState() }));
  const save = () => {
    storedAtMs = now();
    const page = pageState();
    host.store({
      ...page,
      draft: typed.text.value,
      postedDraft: typed.posted,
      draftAtMs: typed.atMs,
      taken: typed.taken,
    });
    if (!first) postState(page);
  };
  const draft = createDraft({ typed, post: host.post, save, conversationId: () => conversationId, now, after });
  const postEditing = () => {
    const { messageId, attachments = [] } = edited.value ?? {};
    host.post({
      type: 'editing',
      ...(messageId !== undefined && { edited: { messageId, keep: attachments.map(({ id }) => id) } }),
    });
  };
  const editing = createEditing(draft, edited, () => {
    save();
    postEditing();
  });
  const events = createEventQueue(requestFrame, (batch) => {
    clock.value = now();
    const next = batch.reduce((state, event) => reduceChat(state, event, clock.value), chat.value);
    const started = batch.findLast((event) => event.type === 'turnStarted');
    if (started?.type === 'turnStarted') freshTurnId.value = started.turnId;
    if (next.conversationId !== chat.value.conversationId) conversationId = next.conversationId;
    chat.value = next;
  });

  function askFocus(to: FocusRequest['to'], late = false): void {
    focusRequest.value = { to, late, number: focusRequest.value.number + 1 };
  }

  /** The host's state is the newer one, unless the page was closed before it could report. */
  function restorePage(page: PageState): boolean {
    if (page.atMs <= storedAtMs) return false;
    dismissed.value = page.dismissed;
    if (page.conversationId !== conversationId) return false;
    place = page.place;
    toggled = page.toggled;
    editing.restore(page.editing);
    return true;
  }

  function showSnapshot(message: Extract<HostMessage, { type: 'snapshot' }>): void {
    events.clear();
    const from = conversationId;
    if (message.state.conversationId !== from) {
      place = undefined;
      toggled = [];
    }
    conversationId = message.state.conversationId;
    const restored = first && message.page !== undefined && restorePage(message.page);
    first = false;
    info.value = message.info;
    presentations = message.presentations;
    chat.value = message.state;
    const outdated = draft.merge(message, from);
    const isLeft = (from !== '' && from !== conversationId) || outdated !== undefined;
    if (isLeft && !restored) editing.end();
    // The host may have begun anew.
    else if (editing.current.value) postEditing();
  }

  const composer = createComposerState();
  tickWhileRunning(chat, clock, now, after);
  return {
    composer,
    chat,
    items: computed(() => chat.value.items),
    isEmpty: computed(() => chat.value.items.length === 0),
    running: computed(() => chat.value.running),
    plan: computed(() => openPlan(chat.value)),
    waitingReads: computed(() => waitingReads(chat.value)),
    info,
    draft,
    editing,
    price,
    now: clock,
    freshTurnId,
    goesAlong: () => goesAlong,
    setGoesAlong(value) {
      goesAlong = value;
    },
    earlier: createEarlier(),
    dismissed,
    focusRequest,
    nameOf: (id) => {
      const names = info.value?.modelNames;
      return names && Object.hasOwn(names, id) ? (names[id] ?? id) : id;
    },
    presentationOf: (tool) =>
      (Object.hasOwn(presentations, tool) ? presentations[tool] : undefined) ?? plainPresentation(tool),
    receive(message) {
      if (message.type === 'snapshot') showSnapshot(message);
      else if (message.type === 'events') events.add(message.events);
      else if (message.type === 'info') info.value = message.info;
      else if (message.type === 'price') price.value = message.price;
      else if (message.type === 'heard') draft.heard(message.atMs);
      else if (message.type === 'addToDraft') draft.append(message.text);
      else if (message.type === 'draftTaken') {
        goesAlong = true;
        draft.clear(message.text);
      } else if (message.type === 'focusInput' || message.type === 'focusApproval' || message.type === 'addContext') {
        goesAlong = true;
        askFocus(message.type, message.late);
      } else composer.receive(message);
    },
    focusComposer: () => askFocus('focusInput'),
    dismiss(banner) {
      dismissed.value = [...dismissed.value, banner];
      save();
    },
    isToggled: (id) => toggled.includes(id),
    setToggled(id, on) {
      if (toggled.includes(id) === on) return;
      toggled = on ? [...toggled, id].slice(-maxToggled) : toggled.filter((other) => other !== id);
      save();
    },
    movedTo(next) {
      place = next;
      if (saveDue) return;
      saveDue = true;
      after(saveDelayMs, () => {
        saveDue = false;
        save();
      });
    },
    storedAnchor: () => place,
  };
}

/** Reports the newest state a moment after a change, and not when nothing changed. */
function createTeller(after: PanelStateDeps['after'], postNow: () => void): (page: PageState) => void {
  let postedState = '[[],[]]';
  let due = false;
  return ({ conversationId, place, toggled, editing, dismissed }) => {
    const inIt = [place, editing, ...toggled].filter((one) => one !== undefined);
    const next = JSON.stringify([inIt.length > 0 ? [conversationId, ...inIt] : [], dismissed]);
    if (next === postedState) return;
    postedState = next;
    if (due) return;
    due = true;
    after(postDelayMs, () => {
      due = false;
      postNow();
    });
  };
}

/** Collects what arrives within one frame, so that one frame is one change of the document. */
function createEventQueue(requestFrame: (draw: () => void) => void, apply: (events: readonly ChatEvent[]) => void) {
  let queue: ChatEvent[] = [];
  const draw = () => {
    const batch = queue;
    queue = [];
    if (batch.length > 0) apply(batch);
  };
  return {
    add(events: readonly ChatEvent[]): void {
      const first = queue.length === 0;
      queue.push(...events);
      if (first && queue.length > 0) requestFrame(draw);
    },
    clear(): void {
      queue = [];
    },
  };
}

function tickWhileRunning(
  chat: ReadonlySignal<ChatState>,
  clock: Signal<number>,
  now: () => number,
  after: PanelStateDeps['after'],
): void {
  let ticking = false;
  const start = () => {
    if (ticking) return;
    ticking = true;
    after(1000, () => {
      ticking = false;
      if (!chat.value.running) return;
      clock.value = now();
      start();
    });
  };
  chat.subscribe((state) => {
    if (!state.running) return;
    start();
  });
}
