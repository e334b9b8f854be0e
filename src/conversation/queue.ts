import { createEmitter, type Event } from '../base/emitter.ts';
import { type Attachment, maxQueued, type Written } from '../shared/messages.ts';

export interface QueuedMessage extends Written {
  id: string;
  attachments: Attachment[];
  model: string;
  limitMicroUsd?: number;
  atNextStep?: true;
}

export interface QueueState {
  items: readonly QueuedMessage[];
  /** Is true after an error, a stop or a refusal: nothing is sent until the user resumes the queue. */
  paused: boolean;
}

export interface MessageQueue {
  state(): QueueState;
  unstored(): readonly QueuedMessage[];
  onDidChange: Event;
  add(message: QueuedMessage): boolean;
  remove(id: string): QueuedMessage | undefined;
  move(id: string, by: number): void;
  /**
   * Moves the message to the front; it is sent next even when the queue is paused. Returns false when there is no
   * such message.
   */
  sendNext(id: string): boolean;
  setAtNextStep(id: string, isWanted: boolean): void;
  /** `goesOn` decides whether the queue continues by itself. Messages for the turn's next step come first. */
  turnEnded(goesOn: boolean): void;
  resume(): void;
  clear(): void;
  /**
   * Returns the message to send now, or undefined when there is none or the queue is paused. A crash does not lose it
   * until `stored` is called.
   */
  next(): QueuedMessage | undefined;
  takeForStep(): readonly QueuedMessage[];
  stored(ids: readonly string[]): void;
}

/** `restored` messages waited when the window was closed. They are paused, because nobody asked to send them now. */
export function createMessageQueue(
  onListenerError: (error: unknown) => void,
  restored: readonly QueuedMessage[] = [],
): MessageQueue {
  const listeners = createEmitter(onListenerError);
  let items = restored.slice(0, maxQueued).map(forLater);
  let leaving: readonly QueuedMessage[] = [];
  let paused = items.length > 0;
  let urgent: string | undefined;

  const change = (next: readonly QueuedMessage[], nextPaused = paused): void => {
    items = [...next];
    // An empty queue has nothing to hold back.
    paused = nextPaused && next.length > 0;
    if (!next.some((item) => item.id === urgent)) urgent = undefined;
    listeners.fire();
  };
  const remove = (id: string): QueuedMessage | undefined => {
    const found = items.find((item) => item.id === id);
    if (found !== undefined) change(items.filter((item) => item !== found));
    return found;
  };
  const takeOut = (taken: readonly QueuedMessage[]): void => {
    leaving = [...leaving, ...taken];
    change(items.filter((item) => !taken.includes(item)));
  };
  return {
    state: () => ({ items, paused }),
    unstored: () => [...leaving, ...items],
    onDidChange: listeners.event,
    add(message) {
      if (items.length >= maxQueued) return false;
      // Within another message's answer, a limit of its own could not be kept.
      change([...items, message.limitMicroUsd === undefined ? message : forLater(message)]);
      return true;
    },
    remove,
    move(id, by) {
      const from = items.findIndex((item) => item.id === id);
      const moved = items[from];
      const to = Math.min(items.length - 1, Math.max(0, from + by));
      if (moved === undefined || to === from) return;
      change(items.toSpliced(from, 1).toSpliced(to, 0, moved));
    },
    sendNext(id) {
      const found = items.find((item) => item.id === id);
      if (found === undefined) return false;
      urgent = id;
      change([forLater(found), ...items.filter((item) => item !== found)]);
      return true;
    },
    setAtNextStep(id, isWanted) {
      const at = items.findIndex((item) => item.id === id);
      const found = items[at];
      if (found === undefined || (found.atNextStep === true) === isWanted) return;
      if (found.limitMicroUsd !== undefined) return;
      change(items.with(at, isWanted ? { ...found, atNextStep: true } : forLater(found)));
    },
    turnEnded(goesOn) {
      const [first, rest] = [items.filter(isForStep), items.filter((item) => !isForStep(item))];
      const pauses = !goesOn && urgent === undefined && items.length > 0 && !paused;
      // What the user stopped the turn for stays in front.
      const [front, others] = [rest.filter(({ id }) => id === urgent), rest.filter(({ id }) => id !== urgent)];
      if (first.length > 0 || pauses) change([...front, ...first.map(forLater), ...others], pauses || paused);
    },
    resume: () => change(items, false),
    clear: () => change([], false),
    next() {
      const [first] = items;
      if (first === undefined || (paused && first.id !== urgent)) return undefined;
      takeOut([first]);
      return first;
    },
    takeForStep() {
      const taken = items.filter(isForStep);
      if (taken.length > 0) takeOut(taken);
      return taken;
    },
    stored(ids) {
      leaving = leaving.filter(({ id }) => !ids.includes(id));
      listeners.fire();
    },
  };
}

const isForStep = ({ atNextStep }: QueuedMessage): boolean => atNextStep === true;

function forLater({ atNextStep: _, ...message }: QueuedMessage): QueuedMessage {
  return message;
}
