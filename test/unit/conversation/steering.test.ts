import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { closeInterrupted } from '../../../src/conversation/store/durable-events.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import { messageText } from '../../service/chat-request.ts';
import { failedCheck } from '../../service/history-checks.ts';
import { type LocalService, type ServiceScript, startLocalService } from '../../service/local-service.ts';
import { times } from '../../support/effort.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { model } from '../agent/scripted-client.ts';
import { type Disk, type DyingWindow, openDyingWindow } from './dying-window.ts';

type Body = Parameters<typeof failedCheck>[1];

/** What real hosts refuse of a history; among it a message of the user between a call and its result. */
const strict = ['H01', 'H02', 'H03', 'H04', 'H14'] as const;
const wordsIn = (text: string) => text.match(/\bword\d+\b/g) ?? [];
const userWords = ({ messages }: Body) =>
  messages.flatMap((message) => (message.role === 'user' ? wordsIn(messageText(message)) : []));
const wordsOnDisk = ({ events, queue }: Disk) => [
  ...new Set([...wordsIn(JSON.stringify(events)), ...wordsIn(JSON.stringify(queue))]),
];

/** Calls, answers, refusals, cut streams, in a random order. */
function randomScript(random: Random): ServiceScript {
  const call = () => ({
    name: random.pick(['look', 'look', 'change']),
    arguments: { at: `${random.between(0, 1e6)}` },
  });
  const replies = Array.from({ length: 80 }, (_, index) => {
    const calls = Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, call);
    return { text: `Reply ${index}.`, ...(calls.length > 0 && { toolCalls: calls }) };
  });
  const faults = [
    () => ({ capacity: {} }),
    () => ({ rateLimit: {} }),
    () => ({ respond: { status: 500, body: 'no' } }),
    () => ({ cutAfterBytes: random.between(0, 900) }),
    () => ({ endAfterBytes: random.between(0, 900) }),
    () => ({ dropConnection: true as const }),
    () => ({ respond: { status: 400, body: { error: { message: 'This is refused.' } } } }),
  ];
  const rules = Array.from({ length: 80 }, (_, index) => index + 1)
    .filter(() => random.next() < 0.2)
    .map((nth) => ({ match: { nth }, effect: random.pick(faults)() }));
  return { rules: [...rules, { effect: { checks: [...strict] } }], replies };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; !isSo() && round < 20_000; round++) await new Promise((done) => setImmediate(done));
  assert.ok(isSo(), 'it comes to rest');
}

const seen = { steered: 0, afterCall: 0, afterAnswer: 0, several: 0, kills: 0, failed: 0, stopped: 0 };

/** One person at one conversation, who says `words` while it runs and does everything else that can be done. */
async function live(service: LocalService, seed: number): Promise<void> {
  const random = createRandom(seed);
  const disk: Disk = { events: [], queue: [] };
  const bugs: unknown[] = [];
  /** Words that were on the disk once. */
  const said = new Set<string>();
  let count = 0;
  let budget = 60;
  service.reset();
  service.script(randomScript(random));

  /** What was said to a turn of this window. */
  const steered = new Set<string>();
  const onRequest = (text: string) => {
    const body = JSON.parse(text) as Body;
    const words = userWords(body);
    const refused = failedCheck(strict, body);
    if (refused !== undefined) bugs.push(refused);
    if (new Set(words).size < words.length) bugs.push(`sent twice: ${words.join(' ')}`);
    const stored = disk.events.flatMap((event) => (event.type === 'steered' ? wordsIn(JSON.stringify(event)) : []));
    const early = words.filter((word) => steered.has(word) && !stored.includes(word));
    if (early.length > 0) bugs.push(`sent before it was stored: ${early.join(' ')}`);
  };
  const onDidEmit = (batch: readonly ChatEvent[]) => {
    for (const event of batch) {
      if (event.type === 'steered') {
        seen.steered += 1;
        seen.several += event.messages.length > 1 ? 1 : 0;
        for (const word of wordsIn(JSON.stringify(event))) steered.add(word);
      }
      if (event.type === 'turnEnded') {
        seen.failed += event.outcome === 'failed' ? 1 : 0;
        seen.stopped += event.outcome === 'stopped' ? 1 : 0;
      }
      if (event.type === 'asked' && event.kind === 'approval') {
        const { id } = event;
        const answer = random.pick([{ decision: 'allow', scope: 'once' }, { decision: 'skip' }] as const);
        setImmediate(() => window.conversation.answer({ id, kind: 'approval', value: answer }));
      }
      if (event.type !== 'textDelta' && random.next() < 0.3) queueMicrotask(act);
    }
  };
  const open = () =>
    openDyingWindow(
      { disk, baseUrl: service.baseUrl, random, onBug: (bug) => void bugs.push(bug) },
      onDidEmit,
      onRequest,
    );
  let window: DyingWindow = open();

  const say = (atNextStep: boolean) => {
    const message = { text: `word${++count}`, attachments: [], model };
    if (window.conversation.enqueue(message, atNextStep) === undefined) count -= 1;
  };
  const actions: Record<string, () => void> = {
    sayToTurn: () => say(true),
    sayToTurnAgain: () => say(true),
    queue: () => say(false),
    arm: () => edit('atNextStep'),
    armAgain: () => edit('atNextStep'),
    disarm: () => edit('later'),
    stop: () => window.conversation.stop(),
    sendNow: () => edit('sendNow'),
    move: () => window.conversation.moveQueued(rowId(), random.between(-2, 2)),
    stopCall: () => {
      const item = window.conversation.state().items.at(-1);
      const call = item?.kind === 'answer' ? item.parts.findLast((part) => part.type === 'tool') : undefined;
      if (call?.type === 'tool') window.conversation.stopCall(call.id);
    },
    kill() {
      seen.kills += 1;
      window.kill();
      for (const word of wordsOnDisk(disk)) said.add(word);
      disk.events = closeInterrupted(disk.events);
      steered.clear();
      window = open();
    },
  };
  const rowId = () => {
    const { items } = window.conversation.queue();
    return items.length === 0 ? '' : random.pick(items).id;
  };
  function edit(how: 'atNextStep' | 'later' | 'sendNow'): void {
    window.conversation.editQueue(rowId(), how);
  }
  function act(): void {
    if (budget-- > 0) actions[random.pick(Object.keys(actions))]?.();
  }

  say(false);
  for (let round = 0; budget > 0 && round < 100; round++) {
    await until(() => !window.conversation.running);
    const again = random.pick(['retry', 'continueTurn', 'none'] as const);
    const { items } = window.conversation.state();
    if (again !== 'none' && items.length > 0 && !window.conversation.running) void window.conversation[again]();
    else if (window.conversation.queue().items.length > 0) window.conversation.resumeQueue('resume');
    else act();
    if (!window.conversation.running) say(false);
  }
  await until(() => !window.conversation.running);
  budget = 0;
  service.script({ rules: [{ effect: { checks: [...strict] } }], replies: [{ text: 'Fine.', times: 200 }] });
  while (window.conversation.running || window.conversation.queue().items.length > 0) {
    window.conversation.resumeQueue('resume');
    await until(() => !window.conversation.running);
  }
  await window.conversation.stored();
  for (const word of wordsOnDisk(disk)) said.add(word);
  const end = await window.conversation.send({ text: 'And the end.', attachments: [], model });
  assert.equal(end.outcome, 'finished', `seed ${seed}: ${end.failure?.message}`);
  const last = service.requests.findLast(({ rawBody }) => rawBody.includes('And the end.'))?.json as Body;
  assert.deepEqual(userWords(last).toSorted(), [...said].toSorted(), `seed ${seed}: every word is sent in the end`);
  assert.deepEqual(bugs, [], `seed ${seed}`);
  const inTurns = new Set(
    disk.events.flatMap((event) => (event.type === 'steered' ? wordsIn(JSON.stringify(event)) : [])),
  );
  last.messages.forEach((message, index) => {
    if (message.role !== 'user' || !wordsIn(messageText(message)).some((word) => inTurns.has(word))) return;
    if (last.messages[index - 1]?.role === 'tool') seen.afterCall += 1;
    if (last.messages[index - 1]?.role === 'assistant') seen.afterAnswer += 1;
  });
  window.kill();
}

describe('steering a running turn', () => {
  let service: LocalService;
  before(async () => {
    service = await startLocalService();
  });
  after(() => service.close());

  it('F43 loses no word and sends none twice or between a call and its result, whatever happens at whatever moment', async () => {
    const lives = times(12, 200);
    for (let seed = 1; seed <= lives; seed++) await live(service, seed);
    for (const [what, often] of Object.entries(seen)) assert.ok(often >= lives / 5, `${what}: ${often} times`);
  });
});
