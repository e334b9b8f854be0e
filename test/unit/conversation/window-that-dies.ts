import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { toHistory } from '../../../src/agent/history.ts';
import { runTurn } from '../../../src/agent/loop.ts';
import { runSubagent } from '../../../src/agent/subagent.ts';
import { defineTool } from '../../../src/agent/tool.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createCallIds } from '../../../src/conversation/call-ids.ts';
import { type Conversation, createConversation } from '../../../src/conversation/conversation.ts';
import { createConversationStore } from '../../../src/conversation/store/store.ts';
import type { TurnHost } from '../../../src/conversation/turns/turns.ts';
import { createCheckpoints } from '../../../src/edits/checkpoints/checkpoints.ts';
import type { Place } from '../../../src/files/workspace.ts';
import type { ServiceClient } from '../../../src/service/contract.ts';
import type { Attempt } from '../../../src/shared/messages.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import { createMeteredClient } from '../../../src/spend/metered-client.ts';
import { openStoredValues } from '../../../src/storage/stored-values.ts';
import { createRandom } from '../../support/random.ts';
import { createScriptedClient, model } from '../agent/scripted-client.ts';
import { openFolders } from '../tools/workspace.ts';
import { createDyingFs } from './dying-fs.ts';
import { type Note, textOf } from './notes.ts';
import { otherWork } from './other-work.ts';

/**
 * A window of its own, with everything that keeps something and nothing that does not: it chats, edits a file, spends,
 * queues and types, until the disk kills it. What it notes is in its file even then. A busy one asks subagents, works in
 * worktrees, keeps edits for review, and splits changes all the while.
 */
const [dir = '', life = '0', seed = '0', isBusy] = process.argv.slice(2);
const random = createRandom(Number(seed));
const fs = createDyingFs(random.between(1, isBusy ? 400 : 90), random);
const note = (entry: Note) => appendFileSync(path.join(dir, 'notes.jsonl'), `${JSON.stringify(entry)}\n`);
const noted = async (what: Note['what'], of: string, value: unknown, keep: () => Promise<void>): Promise<void> => {
  const text = textOf(value);
  note({ what, state: 'begun', of, text });
  await keep();
  note({ what, state: 'done', of, text });
};
const fail = (error: unknown): never => {
  throw error;
};
let ids = 0;
const newId = () => `w${life}-${++ids}`;
const id = `c${Math.floor(Number(life) / 5)}`;

const store = createConversationStore({ dir, clock: systemClock, newId, fs });
const ledger = createLedger({ dir: path.join(dir, 'ledger'), clock: systemClock, fs });
await ledger.refresh();
const kept = await openStoredValues({ dir: path.join(dir, 'unsent'), fs, onError: fail });
const root = path.join(dir, 'ws');
const file = path.join(root, 'a.ts');
const { workspace } = openFolders({ ws: root });
const checkpoints = createCheckpoints({
  dir: path.join(dir, 'checkpoints'),
  workspace,
  shown: ({ path: name }) => name,
  files: {
    read: async () => readFileSync(file),
    named: async (place) => place,
    missingFolders: async () => [],
    put: async () => fail(new Error('nothing is restored here')),
  },
  clock: systemClock,
  newId,
  fs,
});
const place = (): Place => {
  const [first] = workspace.roots();
  return first === undefined ? fail(new Error('no root')) : { root: first, path: 'a.ts' };
};

let tell: TurnHost['checkpointTaken'] = () => undefined;
const journal = checkpoints.journal((event) => tell(event));
const edit = defineTool({
  name: 'edit',
  description: 'Changes the file.',
  parameters: z.object({}),
  kind: 'other',
  access: 'read',
  title: () => 'Edit a.ts',
  async run(_, { turnId }) {
    const before = readFileSync(file);
    await noted('checkpoint', turnId, before.toString('base64'), () => journal.willChange(turnId, place(), before));
    const after = Buffer.concat([before, Buffer.from(`${turnId}\n`)]);
    await fs.writeFile(`${file}.tmp`, after.toString());
    await fs.rename(`${file}.tmp`, file);
    await journal.didChange(turnId, place(), after);
    return { forModel: 'done' };
  },
});

let requests = 0;
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
const scripted = createScriptedClient((request) => {
  if (request.messages.some((one) => one.role === 'user' && one.text === 'TASK'))
    return { text: 'It is in a.ts:7.', during: pause };
  const large = random.next() < 0.02;
  const text = large ? 'long '.repeat(220_000) : `Answer ${requests} in some words. `;
  requests += 1;
  const toolCalls = ['edit', ...(isBusy ? ['ask'] : [])].map((name) => ({ name, arguments: '{}' }));
  return requests % 2 === 1 ? { text, toolCalls, during: pause } : { text, during: pause };
}).client;
/** The script numbers attempts anew in every window; a ledger outlives its window. */
const renamed = (attempt: Attempt): Attempt => ({
  ...attempt,
  requestId: `w${life}-${attempt.requestId}`,
  startedAt: Date.UTC(2026, 10, 20, 12),
});
const stream: ServiceClient['stream'] = async (request, onEvent, signal) => {
  const result = await scripted.stream(
    request,
    (event) => onEvent(event.type === 'attemptEnded' ? { ...event, attempt: renamed(event.attempt) } : event),
    signal,
  );
  return { ...result, attempts: result.attempts.map(renamed) };
};
const metered = createMeteredClient({
  client: {
    stream,
    complete: stream,
    listModels: async () => ({ ok: true, models: [] }),
    checkKey: async () => ({ state: 'accepted' }),
  },
  ledger: { ...ledger, record: (entry) => noted('attempt', entry.id, entry, () => ledger.record(entry)) },
  limits: () => ({}),
  estimator: createEstimator(undefined, () => undefined),
  clock: systemClock,
  onError: fail,
});
/** A step stores its partial at the next turn of the event loop. */
const clock = {
  ...systemClock,
  after: (_: number, run: () => void) => {
    const timer = setImmediate(run);
    return () => clearImmediate(timer);
  },
};

const ask = defineTool({
  name: 'ask',
  description: 'Asks a subagent.',
  parameters: z.object({}),
  kind: 'subagent',
  access: 'read',
  title: () => 'Ask',
  async run(_, { turnId, signal, paid }) {
    const price = { estimatedMicroUsd: 300, maxMicroUsd: 100_000 };
    const { text } = await runSubagent(
      {
        client: metered({ surface: 'subagent', conversationId: id, turnId }),
        tools: [],
        systemPrompt: () => 'You look.',
        estimate: () => 100,
        clock,
        log: () => undefined,
      },
      {
        ...{ task: 'TASK', model, request: {}, maxMicroUsd: price.maxMicroUsd, turnId, signal },
        onRead: () => undefined,
        onPaid: (attempt) => paid(price, [attempt]),
      },
    );
    return { forModel: text };
  },
});

if (isBusy) for (const work of otherWork({ dir, life, fs, kept, noted })) void work().catch(fail);

const events = (await store.read(id)) ?? [];
const newCallId = createCallIds(events);
const conversation: Conversation = createConversation({
  id,
  events,
  append: (event) => noted('event', id, event, () => store.append(id, event)),
  runTurn: (input, host) => {
    tell = host.checkpointTaken;
    return runTurn(
      {
        client: metered({ surface: 'chat', conversationId: id, turnId: input.turnId }),
        tools: [edit, ask],
        systemPrompt: () => 'You help.',
        clock,
        maxSteps: () => 4,
        newCallId,
        log: () => undefined,
      },
      input,
    );
  },
  toHistory,
  request: () => ({ surface: 'chat' }),
  workspace: 'file:///ws',
  clock: systemClock,
  newId,
  onStorageError: fail,
  onBug: fail,
});

for (let turn = 0; ; turn++) {
  const text = `Question ${life}.${turn}`;
  await noted('value', 'draft.sideBar.x', text, () => kept.update('draft.sideBar.x', text));
  await noted('value', `queue.${id}`, [text], () => kept.update(`queue.${id}`, [{ id: newId(), text }]));
  const sent = conversation.send({ text, attachments: [], model });
  await noted('value', 'draft.sideBar.x', null, () => kept.update('draft.sideBar.x', undefined));
  await sent;
  if (random.next() < 0.2) await store.list();
}
