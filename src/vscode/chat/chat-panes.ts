import type { ChatSession } from '../../chat/chat-session.ts';
import { waits } from '../../chat/waiting.ts';
import type { Conversation, TurnSummary } from '../../conversation/conversation.ts';
import type { Attachment, Written } from '../../shared/messages.ts';
import type { PickedImage } from '../composer/read-context.ts';
import { setContextKey } from '../host/context-keys.ts';
import type { ChatView } from './chat-view.ts';

/** One view of the chat: the one in the side bar, or an editor tab. */
export interface ChatPane {
  session: ChatSession;
  view: ChatView;
  /** Brings it into sight, its composer focused. */
  show(): Promise<void>;
  /** The same with the focus on what waits for consent. */
  showApproval(): Promise<void>;
  /** Of the next message. */
  model(): string;
  /** What would be sent for this text, with what it names attached; undefined when the user has to act first. */
  prepare(text: string): Promise<Written | undefined>;
  /** What was typed went out: the arrow keys bring it back. */
  remember(text: string): void;
  /** To the next message. */
  attach(found: Attachment | PickedImage): void;
  /** Estimated micro-dollars of sending this text, with what is attached, to a model. */
  estimate(model: string, text: string): number;
  /** Puts the view away; the side bar's stays. */
  close?(): void;
  send(text: string): Promise<TurnSummary | undefined>;
  compact(): Promise<void>;
  newChatFromSummary(): Promise<void>;
  /** Shows what the next message would send. */
  showNext(): Promise<void>;
}

/** What a view tells of the focus. */
export interface PaneFocus {
  chat: boolean;
  input: boolean;
  /** Pointer or keyboard were used in it since it got the focus. */
  used: boolean;
}

/** Every view of the chat in this window, and the one that commands act on: the one that had the focus last. */
export interface ChatPanes {
  sideBar(): ChatPane;
  active(): ChatPane;
  activate(pane: ChatPane): void;
  all(): readonly ChatPane[];
  /** The view that shows this conversation; the active or a visible one rather than others. */
  showing(conversation: Conversation): ChatPane | undefined;
  focusChanged(pane: ChatPane, focus: PaneFocus): void;
  /** A command begins. */
  commandBegins(): void;
  /** The view that has the focus; undefined while it is elsewhere. */
  focused(): ChatPane | undefined;
  add(pane: ChatPane): void;
  remove(pane: ChatPane): void;
}

/** So long after a command began, the palette that it was picked in may still be giving the focus back. */
const givesBackMs = 1000;

export function createChatPanes(now: () => number): ChatPanes {
  const panes: ChatPane[] = [];
  const focused = new Map<ChatPane, { input: boolean }>();
  let active: ChatPane | undefined;
  /** A tab that got the focus and has not been used since. */
  let unused: ChatPane | undefined;
  let begunElsewhereMs = Number.NEGATIVE_INFINITY;
  const activate = (pane: ChatPane) => {
    active = pane;
    unused = undefined;
  };
  const sideBar = () => {
    const [first] = panes;
    if (first === undefined) throw new Error('The side bar is the first view.');
    return first;
  };
  const focusedLast = () => [...focused.keys()].at(-1);
  const got = (pane: ChatPane, { input, used }: PaneFocus) => {
    focused.set(pane, { input });
    // When the palette closes, VS Code gives the focus to the active editor, also if the side bar had it before, and the
    // command that was picked there may come later than that: a tab counts when it is used, or when the focus leaves it.
    if (used || pane === sideBar() || pane === active) activate(pane);
    else if (now() - begunElsewhereMs > givesBackMs) unused = pane;
  };
  const lost = (pane: ChatPane) => {
    focused.delete(pane);
    if (pane === active || pane === unused) activate(focusedLast() ?? pane);
  };
  const focusChanged: ChatPanes['focusChanged'] = (pane, focus) => {
    // The view that gets the focus may tell so before the one that loses it does, and even before one that had it only
    // for a moment says that it got it: what has not lost it again has it.
    if (focus.chat) got(pane, focus);
    else lost(pane);
    setContextKey('svc.chatFocused', focused.size > 0);
    setContextKey(
      'svc.chatInputFocused',
      [...focused.values()].some((each) => each.input),
    );
  };
  return {
    sideBar,
    active: () => active ?? sideBar(),
    activate,
    all: () => panes,
    showing(conversation) {
      const shows = panes.filter((pane) => pane.session.conversation() === conversation);
      return shows.find((pane) => pane === active) ?? shows.find((pane) => pane.view.visible()) ?? shows[0];
    },
    focusChanged,
    commandBegins() {
      // Or else the box in which the command asks something would take the focus from a tab that nobody went to.
      if (focused.size === 0) begunElsewhereMs = now();
      unused = undefined;
    },
    focused: focusedLast,
    add: (pane) => void panes.push(pane),
    remove(pane) {
      focusChanged(pane, { chat: false, input: false, used: false });
      panes.splice(panes.indexOf(pane), 1);
      if (active === pane) active = undefined;
    },
  };
}

/**
 * Shows the oldest call that waits for consent or for an answer, in the view that has its conversation, or else in the
 * side bar.
 */
export async function showPendingApproval(panes: ChatPanes, live: readonly Conversation[]): Promise<void> {
  const waiting = live.filter(waits);
  const shown = waiting.flatMap((conversation) => panes.showing(conversation) ?? []);
  const pane = shown.find((each) => each === panes.active()) ?? shown[0] ?? panes.sideBar();
  const [first] = waiting;
  if (shown.length === 0 && first) await pane.session.open(first.id);
  await pane.showApproval();
}

/** The conversation above (`-1`) or below in the list, newest first; an empty one stands above all. */
export async function openNeighbour(session: ChatSession, by: 1 | -1): Promise<void> {
  const list = await session.list();
  const at = list.findIndex(({ id }) => id === session.conversation().id);
  const neighbour = at === -1 && by === -1 ? undefined : list[at + by];
  if (neighbour) await session.open(neighbour.id);
}
