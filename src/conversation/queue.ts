import { createEmitter, type Event } from '../base/emitter.ts';
import { type Attachment, maxQueued, type Written } from '../shared/messages.ts';

export interface QueuedMessage extends Written {
  id: string;
  attachments: Attachment[];
  /** Asked when the conversation has chosen none. */
  model: string;
  /** Goes to the running turn at its next step. */
  atNextStep?: true;
}

export interface QueueState {
  /** As they were typed. */
  items: readonly { id: string; text: string; atNextStep?: true }[];
  /** After an error, a stop or a refusal nothing is sent by itself until the user says so. */
  paused: boolean;
}

/** Messages that wait for the running turn, in their order. Kept in memory; sending them is the conversation's. */
export interface MessageQueue {
  state(): QueueState;
  messages(): readonly QueuedMessage[];
  /** Whatever a crash would lose: messages that left and are not known to be stored elsewhere, then those that wait. */
  unstored(): readonly QueuedMessage[];
  onDidChange: Event;
  /** False when the queue is full. */
  add(message: QueuedMessage): boolean;
  /** Takes a message out. */
  remove(id: string): QueuedMessage | undefined;
  /** By so many places towards the end, or the beginning when negative; no further than there are. */
  move(id: string, by: number): void;
  /** To the front, and sent next even when the queue is paused. False when there is no such message. */
  sendNext(id: string): boolean;
  /** Whether the message goes to the running turn at its next step, or waits for the turn's end. */
  setAtNextStep(id: string, isWanted: boolean): void;
  /** How a turn ended decides whether the queue goes on by itself. What was for its next step comes first. */
  turnEnded(goesOn: boolean): void;
  resume(): void;
  clear(): void;
  /** The message to send now, taken out until `stored`; `undefined` when there is none or the queue is paused. */
  next(): QueuedMessage | undefined;
  /** Everything for the next step, in order, taken out until `stored`. */
  takeForStep(): readonly QueuedMessage[];
  /** These were taken out and are stored elsewhere now. */
  stored(ids: readonly string[]): void;
}

/** `restored` waited when the window was closed: it is paused, because nobody asked for it to be sent now. */
export function createMessageQueue(
  onListenerError: (error: unknown) => void,
  restored: readonly QueuedMessage[] = [],
): MessageQueue {
  const listeners = createEmitter(onListenerError);
  let items = restored.slice(0, maxQueued).map(forLater);
  let leaving: readonly QueuedMessage[] = [];
  let paused = items.length > 0;
  /** The user stopped the turn for this message. */
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
    state: () => ({ items: items.map(asShown), paused }),
    messages: () => items,
    unstored: () => [...leaving, ...items],
    onDidChange: listeners.event,
    add(message) {
      if (items.length >= maxQueued) return false;
      change([...items, message]);
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

function asShown({ id, text, typed, atNextStep }: QueuedMessage): QueueState['items'][number] {
  return { id, text: typed ?? text, ...(atNextStep && { atNextStep }) };
}
