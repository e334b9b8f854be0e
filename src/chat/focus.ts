import { createEmitter, type Event } from '../base/emitter.ts';

export interface ViewFocus {
  chat: boolean;
  input: boolean;
  used: boolean;
}

/** Decides on which view of the chat commands act: the one that had the focus last. */
export interface Focus<View> {
  /** Returns the view that had the focus last; the side bar's while no other one was used. */
  active(): View;
  activate(view: View): void;
  changed(view: View, focus: ViewFocus): void;
  /** Must be called at the beginning of every command, before one of its questions takes the focus. */
  commandBegins(): void;
  focused(): View | undefined;
  /** The first added view must be the side bar's. */
  add(view: View): void;
  remove(view: View): void;
  onDidChange: Event<[inChat: boolean, inInput: boolean]>;
}

/** For this long after a command began, its palette may still be giving the focus back. */
const givesBackMs = 1000;

export function createFocus<View>(now: () => number): Focus<View> {
  const views: View[] = [];
  const focused = new Map<View, { input: boolean }>();
  const listeners = createEmitter<[inChat: boolean, inInput: boolean]>();
  let active: View | undefined;
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
  const focusGained = (view: View, { input, used }: ViewFocus) => {
    focused.set(view, { input });
    // When the palette closes, VS Code gives the focus to the active editor, also if the side bar had it before, and the
    // command that was picked there may come later than that: a tab counts when it is used, or when the focus leaves it.
    if (used || view === sideBar() || view === active) activate(view);
    else if (now() - begunElsewhereMs > givesBackMs) unused = view;
  };
  const focusLost = (view: View) => {
    focused.delete(view);
    if (view === active || view === unused) activate(focusedLast() ?? view);
  };
  const changed = (view: View, focus: ViewFocus) => {
    // Focus reports of two views may arrive in any order; a view counts as focused until it reports the loss.
    if (focus.chat) focusGained(view, focus);
    else focusLost(view);
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
