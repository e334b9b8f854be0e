import * as z from 'zod/mini';
import { toHistory } from '../../../src/agent/history.ts';
import { runTurn } from '../../../src/agent/loop.ts';
import { defineTool } from '../../../src/agent/tool.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { type Conversation, createConversation } from '../../../src/conversation/conversation.ts';
import type { QueuedMessage } from '../../../src/conversation/queue.ts';
import { createClient } from '../../../src/service/client.ts';
import { knownModels } from '../../../src/service/models.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import type { ChatEvent, DurableEvent } from '../../../src/shared/events.ts';
import { demoKey } from '../../service/local-service.ts';
import type { Random } from '../../support/random.ts';

/** Backoff takes no time here. */
const clock: Clock = { ...systemClock, sleep: async () => undefined };

/** Two files of their own, as on a disk: what is written to one is there in order, and sooner or later than what is in the other. */
export interface Disk {
  events: DurableEvent[];
  queue: readonly QueuedMessage[];
}

export interface DyingWindow {
  conversation: Conversation;
  /** Nothing of it reaches the disk or the service any more. */
  kill(): void;
}

/**
 * One conversation with the real loop and the real client, on a disk that writes when it likes. `onRequest` hears of each body
 * before it goes out.
 */
export function openDyingWindow(
  { disk, baseUrl, random, onBug }: { disk: Disk; baseUrl: string; random: Random; onBug(error: unknown): void },
  onDidEmit: (events: readonly ChatEvent[]) => void,
  onRequest: (body: string) => void,
): DyingWindow {
  let ids = 0;
  const window = `w${random.between(0, 1e9)}`;
  const newId = () => `${window}-${++ids}`;
  const dead = new AbortController();
  const file = () => {
    let last: Promise<void> = Promise.resolve();
    return (write: () => void): Promise<void> => {
      last = last.then(async () => {
        for (let ticks = random.between(0, 6); ticks > 0; ticks--) await null;
        if (!dead.signal.aborted) write();
      });
      return last;
    };
  };
  const [eventFile, queueFile] = [file(), file()];
  const client = createClient({
    baseUrl: () => baseUrl,
    key: async () => demoKey,
    transport(url, init) {
      dead.signal.throwIfAborted();
      if (typeof init?.body === 'string') onRequest(init.body);
      return fetch(url, init);
    },
    learned: createLearned({}, () => undefined),
    modelIds: () => knownModels.map(({ id }) => id).slice(0, 3),
    fallback: () => ({ enabled: true, order: [] }),
    clock,
    random: () => 0,
    newId,
    redact: (text) => text,
    log: () => undefined,
    timeouts: () => ({ firstEventMs: 5000, idleMs: 5000 }),
  });
  const conversation: Conversation = createConversation({
    id: 'c',
    events: structuredClone(disk.events),
    queued: structuredClone(disk.queue),
    append: (event) => {
      const stored = structuredClone(event);
      return eventFile(() => void disk.events.push(stored));
    },
    runTurn: (input) =>
      runTurn(
        {
          client,
          tools: [look, change],
          systemPrompt: () => 'You help.',
          clock,
          maxSteps: () => 8,
          newCallId: newId,
          log: (line) => onBug(new Error(line)),
        },
        input,
      ),
    toHistory,
    request: () => ({ surface: 'chat' }),
    clock: { epochMs: () => Date.now() },
    newId,
    onStorageError: onBug,
    onBug,
  });
  conversation.onDidEmit(onDidEmit);
  conversation.onDidChangeQueue(() => {
    const stored = structuredClone(conversation.unstoredMessages());
    void queueFile(() => {
      disk.queue = stored;
    });
  });
  return {
    conversation,
    kill() {
      dead.abort();
      conversation.dispose();
    },
  };
}

let looks = 0;
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  parameters: z.object({ at: z.string() }),
  kind: 'search',
  access: 'read',
  title: () => 'Look',
  async run() {
    await new Promise((done) => setImmediate(done));
    return { forModel: `There is ${++looks}.` };
  },
});

const change = defineTool({
  name: 'change',
  description: 'Changes.',
  parameters: z.object({ at: z.string() }),
  kind: 'other',
  access: 'execute',
  title: () => 'Change',
  async plan() {
    const subject = { kind: 'external' as const, tool: 'change', arguments: '{}' };
    return {
      approval: { subject, warnings: [], scopes: ['once'] },
      run: async () => ({ forModel: `Changed ${++looks}.` }),
    };
  },
});
