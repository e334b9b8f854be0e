import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { streamStep } from '../../../src/agent/stream-step.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createCapacityWaits } from '../../../src/chat/capacity-waits.ts';
import type { RunTurn } from '../../../src/conversation/turns/turns.ts';
import type { ServiceClient, StreamResult } from '../../../src/service/contract.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { sumCost } from '../../../src/spend/price.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { createValues } from '../vscode/memento.ts';
import { attempt, converse, type Harness, model } from './samples.ts';

const minute = 60_000;
type Outcome = 'busy' | 'answered' | 'busy, perhaps charged';

/** A service that is busy, and answers at last; `log` has what went out and what was stored, in order. */
function openWait(outcomes: readonly Outcome[], { events = [] as readonly DurableEvent[], startMs = 1_000_000 } = {}) {
  const log: (DurableEvent | 'sent' | 'busy' | 'answered')[] = [...events];
  const pauses: number[] = [];
  const left = [...outcomes];
  let nowMs = startMs;
  let tick = Promise.withResolvers<void>();
  let ids = 0;
  const request = { model, messages: [{ role: 'user' as const, text: 'Go' }], surface: 'chat' as const };
  const stream: ServiceClient['stream'] = async () => {
    const outcome = left.shift() ?? assert.fail('one request too many');
    log.push('sent');
    await new Promise(setImmediate);
    const requestId = `r${++ids}`;
    if (outcome === 'answered') {
      log.push('answered');
      return { outcome: 'done', reply: wholeReply(model, { text: 'Done' }), attempts: [attempt({ requestId })] };
    }
    log.push('busy');
    const charge = outcome === 'busy' ? ('no' as const) : ('maybe' as const);
    const failure = { kind: 'capacity-service' as const, message: '', model, at: '2026-11-28T12:00:00.000Z' };
    const attempts = [attempt({ requestId, outcome: 'failed', charge, failure })];
    return { outcome: 'failed', reply: wholeReply(model, { text: '' }), failure, attempts } as StreamResult;
  };
  const run: RunTurn = async (input) => {
    const { turnId, emit, signal, roomAfter, person } = input;
    const ask = person?.ask;
    const result = await streamStep(
      { client: { stream }, clock: systemClock },
      { ...{ turnId, step: 1, request, emit, signal, ask }, ...(roomAfter && { roomAfter }) },
    );
    const end = { cost: sumCost(result.attempts), text: '', model };
    if (result.outcome === 'failed') return { ...end, outcome: 'failed', failure: result.failure };
    return { ...end, outcome: result.outcome === 'done' ? 'finished' : 'stopped' };
  };
  const harness: Harness = converse([run, run, run, run], {
    events,
    append: async (event) => void log.push(event),
    clock: {
      epochMs: () => nowMs,
      async sleep(ms, signal) {
        pauses.push(ms);
        const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        await Promise.race([tick.promise, aborted]);
        signal.throwIfAborted();
        nowMs += ms;
      },
    },
  });
  const { conversation } = harness;
  return {
    ...{ harness, conversation, log, pauses, left },
    async pass() {
      const before = pauses.length;
      tick.resolve();
      tick = Promise.withResolvers();
      await waitFor('the next pause or the end', () => pauses.length > before || !conversation.running, { pollMs: 1 });
    },
    pausing: (count: number) => waitFor('the pause', () => pauses.length === count, { pollMs: 1 }),
  };
}

const message = { text: 'Go', attachments: [], model };

describe('a message that waits for a model with room', () => {
  it('U23 asks at growing intervals until one answers, as one turn that is paid once', async () => {
    const wait = openWait(['busy', 'busy', 'busy', 'busy', 'busy', 'busy', 'answered']);
    const failed = await wait.conversation.send({ ...message, limitMicroUsd: 9000 });
    assert.equal(failed.outcome, 'failed');
    const turn = wait.conversation.waitAndRun();
    for (let at = 1; at <= 5; at++) {
      await wait.pausing(at);
      await wait.pass();
    }
    const { outcome, cost } = await turn;
    assert.deepEqual([outcome, cost.requests, cost.microUsd], ['finished', 6, 330]);
    assert.deepEqual(
      wait.pauses,
      [0.5, 1, 2, 4, 5].map((minutes) => minutes * minute),
    );
    assert.deepEqual(
      wait.harness.inputs.map(({ limit, history }) => [limit?.microUsd, history.length]),
      [
        [9000, 1],
        [9000, 1],
      ],
      'with its limit, and without a word to go on from',
    );
  });

  it('U23 gives up after an hour, and at once where a request was perhaps charged', async () => {
    const wait = openWait(Array.from({ length: 40 }, () => 'busy' as const));
    await wait.conversation.send(message);
    const turn = wait.conversation.waitAndRun();
    while (wait.conversation.running) await wait.pass();
    assert.equal((await turn).failure?.kind, 'capacity-service');
    assert.equal(
      wait.pauses.reduce((sum, ms) => sum + ms, 0),
      60 * minute,
    );
    const charged = openWait(['busy', 'busy, perhaps charged']);
    await charged.conversation.send(message);
    assert.equal((await charged.conversation.waitAndRun()).outcome, 'failed');
    assert.deepEqual([charged.pauses, charged.left], [[], []]);
  });

  it('U23 is called off by Stop, and asks at once when it is told to', async () => {
    const wait = openWait(['busy', 'busy', 'busy']);
    await wait.conversation.send(message);
    const turn = wait.conversation.waitAndRun();
    await wait.pausing(1);
    const { asked } = wait.conversation.state().running ?? {};
    assert.ok(asked?.kind === 'wait' && asked.about.until === 1_000_000 + 60 * minute);
    wait.conversation.answer({ id: asked.id, kind: 'wait', value: 'now' });
    await wait.pausing(2);
    wait.conversation.stop();
    assert.equal((await turn).outcome, 'stopped');
    const again = openWait([], { events: stored(wait.log) });
    assert.equal(again.conversation.resumeWait(), 'over');
  });

  it('U23 is never sent twice: cut off at any moment, it goes on only where nothing can be under way', async () => {
    const wait = openWait(['busy', 'busy', 'busy', 'answered']);
    await wait.conversation.send(message);
    const begun = wait.log.length;
    const turn = wait.conversation.waitAndRun();
    for (let at = 1; at <= 2; at++) {
      await wait.pausing(at);
      await wait.pass();
    }
    await turn;
    const seen = new Map<string, number>();
    for (let cut = begun + 1; cut <= wait.log.length; cut++) {
      const before = wait.log.slice(0, cut);
      const next = openWait(['answered'], { events: stored(before) });
      const how = next.conversation.resumeWait();
      seen.set(how, (seen.get(how) ?? 0) + 1);
      const underWay = before.lastIndexOf('sent') > before.lastIndexOf('busy');
      if (underWay) assert.notEqual(how, 'resumed', `cut at ${cut}`);
      await waitFor('the end', () => !next.conversation.running, { pollMs: 1 });
      assert.equal(next.left.length, how === 'resumed' ? 0 : 1);
    }
    assert.ok(seen.get('resumed') === 2 && (seen.get('perhaps-sent') ?? 0) > 2 && seen.get('over') !== undefined);
  });

  it('U23 a window that closes leaves it to the next, and what cannot be stored is not sent', async () => {
    const wait = openWait(['busy', 'busy']);
    await wait.conversation.send(message);
    void wait.conversation.waitAndRun();
    await wait.pausing(1);
    wait.conversation.dispose();
    await waitFor('the end', () => stored(wait.log).at(-1)?.type === 'turnEnded', { pollMs: 1 });
    const ended = stored(wait.log).at(-1);
    assert.ok(ended?.type === 'turnEnded' && ended.outcome === 'interrupted' && ended.cost.charge === 'no');
    const values = createValues();
    await values.update('waits.conversation-1', true);
    const next = openWait(['answered'], { events: stored(wait.log) });
    const second = converse([], {
      events: stored(wait.log),
      append: async () => Promise.reject(new Error('in use in another window')),
      clock: { epochMs: () => 1_000_001, sleep: async () => undefined },
    });
    const conversations = (conversation: Harness['conversation']) => ({
      acquire: async () => conversation,
      release: () => undefined,
      onDidEmit: () => ({ dispose: () => undefined }),
    });
    assert.deepEqual(await createCapacityWaits(values, conversations(next.conversation)).resume(), []);
    assert.equal(second.conversation.resumeWait(), 'resumed');
    await waitFor('both ends', () => !next.conversation.running && !second.conversation.running, { pollMs: 1 });
    assert.deepEqual([next.left, second.inputs], [[], []]);
    assert.equal(
      second.conversation.state().items.findLast((item) => item.kind === 'answer')?.failure?.kind,
      'storage',
    );
  });
});

function stored(log: readonly (DurableEvent | string)[]): DurableEvent[] {
  return log.filter((one) => typeof one !== 'string');
}
