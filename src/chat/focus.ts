import { createEmitter, type Event } from '../base/emitter.ts';

/** How a view has the focus of the window. */
export interface ViewFocus {
  chat: boolean;
  input: boolean;
  /** Pointer or keyboard were used in it since it got the focus. */
  used: boolean;
}

/** Which view of the chat commands act on: the one that had the focus last. */
export interface Focus<View> {
  /** The side bar's while no other one was used. */
  active(): View;
  activate(view: View): void;
  changed(view: View, focus: ViewFocus): void;
  /** Called with the begin of every command, before what it asks takes the focus. */
  commandBegins(): void;
  /** Undefined while the focus is outside of all of them. */
  focused(): View | undefined;
  /** The first one is the side bar's. */
  add(view: View): void;
  remove(view: View): void;
  /** Whether one of them has the focus, and whether it is in its text box. */
  onDidChange: Event<[inChat: boolean, inInput: boolean]>;
}

/** So long after a command began, the palette that it was picked in may still be giving the focus back. */
const givesBackMs = 1000;

/** `now` in milliseconds. */
export function createFocus<View>(now: () => number): Focus<View> {
  const views: View[] = [];
  const focused = new Map<View, { input: boolean }>();
  const listeners = createEmitter<[inChat: boolean, inInput: boolean]>();
  let active: View | undefined;
  /** A tab that got the focus and has not been used since. */
  let unused: View | undefined;
  let begunElsewhereMs = Number.NEGATIVE_INFINITY;
  const activate = (view: View) => {
    active = view;
    unused = undefined;
  };
  const sideBar = () => {
    const [first] = views;
    if (first === undefined) throw new Error('The side bar is the first view.');
    return first;
  };
  const focusedLast = () => [...focused.keys()].at(-1);
  const got = (view: View, { input, used }: ViewFocus) => {
    focused.set(view, { input });
    // When the palette closes, VS Code gives the focus to the active editor, also if the side bar had it before, and the
    // command that was picked there may come later than that: a tab counts when it is used, or when the focus leaves it.
    if (used || view === sideBar() || view === active) activate(view);
    else if (now() - begunElsewhereMs > givesBackMs) unused = view;
  };
  const lost = (view: View) => {
    focused.delete(view);
    if (view === active || view === unused) activate(focusedLast() ?? view);
  };
  const changed = (view: View, focus: ViewFocus) => {
    // The view that gets the focus may tell so before the one that loses it does, and even before one that had it only
    // for a moment says that it got it: what has not lost it again has it.
    if (focus.chat) got(view, focus);
    else lost(view);
    listeners.fire(
      focused.size > 0,
      [...focused.values()].some(({ input }) => input),
    );
  };
  return {
    active: () => active ?? sideBar(),
    activate,
    changed,
    commandBegins() {
      // Or else the box in which the command asks something would take the focus from a tab that nobody went to.
      if (focused.size === 0) begunElsewhereMs = now();
      unused = undefined;
    },
    focused: focusedLast,
    add: (view) => void views.push(view),
    remove(view) {
      changed(view, { chat: false, input: false, used: false });
      views.splice(views.indexOf(view), 1);
      if (active === view) active = undefined;
    },
    onDidChange: listeners.event,
  };
}
