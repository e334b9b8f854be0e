import { createListeners } from '../base/listeners.ts';
import { type Attachment, maxQueued, type Written } from '../shared/messages.ts';

export interface QueuedMessage extends Written {
  id: string;
  attachments: Attachment[];
  /** Asked when the conversation has chosen none. */
  model: string;
}

export interface QueueState {
  /** As they were typed. */
  items: readonly { id: string; text: string }[];
  /** After an error, a stop or a refusal nothing is sent by itself until the user says so. */
  paused: boolean;
}

/** Messages that wait for the running turn, in their order. Kept in memory; sending them is the conversation's. */
export interface MessageQueue {
  state(): QueueState;
  messages(): readonly QueuedMessage[];
  onChange(listener: () => void): () => void;
  /** False when the queue is full. */
  add(message: QueuedMessage): boolean;
  /** Takes a message out. */
  remove(id: string): QueuedMessage | undefined;
  /** By so many places towards the end, or the beginning when negative; no further than there are. */
  move(id: string, by: number): void;
  /** To the front, and sent next even when the queue is paused. False when there is no such message. */
  sendNext(id: string): boolean;
  /** How a turn ended decides whether the queue goes on by itself. */
  turnEnded(goesOn: boolean): void;
  resume(): void;
  clear(): void;
  /** The message to send now, taken out; `undefined` when there is none or the queue is paused. */
  next(): QueuedMessage | undefined;
}

/** `restored` waited when the window was closed: it is paused, because nobody asked for it to be sent now. */
export function createMessageQueue(
  onListenerError: (error: unknown) => void,
  restored: readonly QueuedMessage[] = [],
): MessageQueue {
  const listeners = createListeners(onListenerError);
  let items: readonly QueuedMessage[] = restored.slice(0, maxQueued);
  let paused = items.length > 0;
  /** Steering: the user stopped the turn for this message. */
  let urgent: string | undefined;

  const change = (next: readonly QueuedMessage[], nextPaused = paused): void => {
    items = next;
    // An empty queue has nothing to hold back.
    paused = nextPaused && next.length > 0;
    if (!next.some((item) => item.id === urgent)) urgent = undefined;
    listeners.tell();
  };
  const remove = (id: string): QueuedMessage | undefined => {
    const found = items.find((item) => item.id === id);
    if (found !== undefined) change(items.filter((item) => item !== found));
    return found;
  };
  return {
    state: () => ({ items: items.map(({ id, text, typed }) => ({ id, text: typed ?? text })), paused }),
    messages: () => items,
    onChange: listeners.add,
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
      change([found, ...items.filter((item) => item !== found)]);
      return true;
    },
    turnEnded(goesOn) {
      if (!goesOn && urgent === undefined && items.length > 0 && !paused) change(items, true);
    },
    resume: () => change(items, false),
    clear: () => change([], false),
    next() {
      const [first] = items;
      if (first === undefined || (paused && first.id !== urgent)) return undefined;
      return remove(first.id);
    },
  };
}
