import { createEmitter, type Event } from '../base/emitter.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { QueuedMessage } from '../conversation/queue.ts';
import { eventTraits } from '../shared/event-traits.ts';
import type { ChatEvent, DurableEvent } from '../shared/events.ts';

/**
 * Keeps the live conversations of this window: shown by a view, running, or about to send what waits in their queue.
 * There is one `Conversation` per id however many views show it.
 */
export interface OpenConversations {
  /** Resolves with undefined when there is none. The caller must release it. */
  acquire(id: string): Promise<Conversation | undefined>;
  /** Creates an empty conversation, which is stored with its first message. The caller must release it. */
  create(): Conversation;
  /** Must be called when a view no longer shows it. The conversation lives until its turn and its queue are done. */
  release(conversation: Conversation): void;
  get(id: string): Conversation | undefined;
  all(): readonly Conversation[];
  /**
   * Ends a live conversation before it is deleted, whoever shows it: its turn is stopped and stored, and its views
   * get `onDidClose` and open another one.
   */
  close(id: string): Promise<void>;
  onDidEmit: Event<[conversation: Conversation, events: readonly ChatEvent[]]>;
  /**
   * Reads it again, because another window wrote to it or stopped doing so. `onDidReplace` names the new
   * `Conversation`. It does nothing for one that is not live, runs, or is gone from the disk.
   */
  reload(id: string): Promise<void>;
  onDidReplace: Event<[old: Conversation, next: Conversation]>;
  onDidClose: Event<[conversation: Conversation]>;
  onDidChange: Event;
  dispose(): void;
}

interface Stored {
  events: DurableEvent[];
  elsewhere: boolean;
}

export interface OpenConversationsDeps {
  /** Other parts, which are built earlier, read this map; only this module writes it. */
  live: Map<string, Conversation>;
  read(id: string): Promise<Stored | undefined>;
  /** `onIdle` must be called after the end of a run when nothing of the queue went on. */
  build(id: string, stored: Stored, queued: readonly QueuedMessage[], onIdle: () => void): Conversation;
  newId(): string;
  queues: { load(id: string): readonly QueuedMessage[]; save(id: string, queued: readonly QueuedMessage[]): void };
}

export function createOpenConversations(deps: OpenConversationsDeps): OpenConversations {
  const { live } = deps;
  const reading = new Map<string, Promise<Conversation | undefined>>();
  const holders = new Map<string, number>();
  const closing = new Map<string, PromiseWithResolvers<void>>();
  const eventListeners = createEmitter<[conversation: Conversation, events: readonly ChatEvent[]]>();
  const replaceListeners = createEmitter<[old: Conversation, next: Conversation]>();
  const closeListeners = createEmitter<[conversation: Conversation]>();
  const changeListeners = createEmitter();
  let disposed = false;
  const changed = () => {
    if (!disposed) changeListeners.fire();
  };
  const hold = (id: string, by: 1 | -1) => holders.set(id, Math.max(0, (holders.get(id) ?? 0) + by));

  const end = (conversation: Conversation) => {
    live.delete(conversation.id);
    conversation.dispose();
  };
  const settle = (id: string) => {
    const conversation = live.get(id);
    if (conversation === undefined || conversation.running || (holders.get(id) ?? 0) > 0) return;
    holders.delete(id);
    end(conversation);
  };
  const start = (id: string, stored: Stored): Conversation => {
    const conversation = deps.build(id, stored, deps.queues.load(id), () => {
      closing.get(id)?.resolve();
      settle(id);
      changed();
    });
    live.set(id, conversation);
    conversation.onDidEmit((batch) => {
      eventListeners.fire(conversation, batch);
      if (batch.some(({ type }) => eventTraits[type].lists)) changed();
    });
    conversation.onDidChangeQueue(() => deps.queues.save(id, conversation.unstoredMessages()));
    return conversation;
  };
  const read = async (id: string): Promise<Conversation | undefined> => {
    try {
      const stored = await deps.read(id);
      return disposed || stored === undefined ? undefined : start(id, stored);
    } finally {
      reading.delete(id);
    }
  };
  return {
    async acquire(id) {
      hold(id, 1);
      const found = live.get(id);
      if (found) return found;
      const pending = reading.get(id) ?? read(id);
      reading.set(id, pending);
      const conversation = await pending.catch((error: unknown) => {
        hold(id, -1);
        throw error;
      });
      if (conversation === undefined) hold(id, -1);
      changed();
      return conversation;
    },
    create() {
      const id = deps.newId();
      hold(id, 1);
      const conversation = start(id, { events: [], elsewhere: false });
      changed();
      return conversation;
    },
    release({ id }) {
      hold(id, -1);
      settle(id);
      changed();
    },
    get: (id) => live.get(id),
    all: () => [...live.values()],
    async close(id) {
      const conversation = live.get(id);
      if (conversation === undefined) return;
      if (conversation.running) {
        const idle = closing.get(id) ?? Promise.withResolvers<void>();
        closing.set(id, idle);
        conversation.resumeQueue('discard');
        conversation.stop();
        await idle.promise;
        closing.delete(id);
      }
      deps.queues.save(id, []);
      if (live.get(id) !== conversation) return;
      closeListeners.fire(conversation);
      holders.delete(id);
      end(conversation);
      changed();
    },
    async reload(id) {
      const old = live.get(id);
      if (old === undefined || old.running) return;
      const stored = await deps.read(id);
      if (stored === undefined || disposed || live.get(id) !== old || old.running) return;
      const next = start(id, stored);
      old.dispose();
      replaceListeners.fire(old, next);
      changed();
    },
    onDidReplace: replaceListeners.event,
    onDidEmit: eventListeners.event,
    onDidClose: closeListeners.event,
    onDidChange: changeListeners.event,
    dispose() {
      disposed = true;
      for (const conversation of live.values()) conversation.dispose();
      live.clear();
    },
  };
}
