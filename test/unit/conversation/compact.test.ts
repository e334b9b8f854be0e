import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { summaryHeading } from '../../../src/conversation/turns/turn-chains.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { answering, converse, model } from './samples.ts';

const message = (text: string) => ({ text, attachments: [], model });
const textsOf = (history: readonly HistoryMessage[] = []) => history.map(({ role, text }) => `${role}: ${text}`);
const short = { summary: 'S', tokensBefore: 100, tokensAfter: 5 };
const summary = `user: ${summaryHeading}\n\nS`;

describe('conversation compaction', () => {
  it('U13 sends the summary instead of what stands before it, and keeps what is stored', async () => {
    const harness = converse([answering('a'), answering('b'), answering('c')]);
    await harness.conversation.send(message('one'));
    await harness.conversation.send(message('two'));
    const before = structuredClone(harness.stored);
    let given: HistoryMessage[] = [];
    const done = await harness.conversation.compact(async (history) => {
      given = history;
      assert.equal(harness.conversation.running, true);
      return short;
    });
    assert.equal(done, true);
    assert.deepEqual(textsOf(given), ['user: one', 'assistant: a', 'user: two', 'assistant: b']);
    assert.deepEqual(harness.stored.slice(0, -1), before);
    await harness.conversation.send(message('three'));
    assert.deepEqual(textsOf(harness.inputs[2]?.history), [summary, 'user: three']);
    assert.equal(harness.conversation.state().items.filter((item) => item.kind !== 'compacted').length, 6);

    const events = JSON.parse(JSON.stringify(harness.stored)) as DurableEvent[];
    const reloaded = converse([answering('d')], { events });
    await reloaded.conversation.send(message('four'));
    assert.deepEqual(textsOf(reloaded.inputs[0]?.history), [summary, 'user: three', 'assistant: c', 'user: four']);
  });

  it('U13 leaves the last turns alone when told to', async () => {
    const harness = converse([answering('a'), answering('b'), answering('c')]);
    await harness.conversation.send(message('one'));
    const { turnId } = await harness.conversation.send(message('two'));
    let given: HistoryMessage[] = [];
    await harness.conversation.compact(async (history) => {
      given = history;
      return short;
    }, turnId);
    assert.deepEqual(textsOf(given), ['user: one', 'assistant: a']);
    await harness.conversation.send(message('three'));
    assert.deepEqual(textsOf(harness.inputs[2]?.history), [summary, 'user: two', 'assistant: b', 'user: three']);
  });

  it('U13 a second compaction builds on the first', async () => {
    const harness = converse([answering('a'), answering('b')]);
    await harness.conversation.send(message('one'));
    await harness.conversation.compact(async () => short);
    await harness.conversation.send(message('two'));
    let given: HistoryMessage[] = [];
    await harness.conversation.compact(async (history) => {
      given = history;
      return { ...short, summary: 'S2' };
    });
    assert.deepEqual(textsOf(given), [summary, 'user: two', 'assistant: b']);
  });

  it('U13 a message that is asked again after the compaction is sent as it was', async () => {
    const harness = converse([answering('a'), answering('b')]);
    await harness.conversation.send(message('one'));
    await harness.conversation.compact(async () => short);
    await harness.conversation.retry();
    assert.deepEqual(textsOf(harness.inputs[1]?.history), [summary, 'user: one']);
  });

  it('U13 changes nothing when it fails, gives nothing, is stopped, or there is nothing', async () => {
    const harness = converse([answering('a')]);
    assert.equal(await harness.conversation.compact(async () => assert.fail()), false);
    await harness.conversation.send(message('one'));
    const stored = harness.stored.length;
    assert.equal(await harness.conversation.compact(async () => undefined), false);
    await assert.rejects(
      harness.conversation.compact(async () => {
        void harness.conversation.enqueue(message('waits'));
        throw new Error('no');
      }),
      /no/,
    );
    assert.deepEqual([harness.inputs.length, harness.conversation.queue().paused], [1, true]);
    harness.conversation.resumeQueue('discard');
    const stopped = harness.conversation.compact(async (_history, signal) => {
      harness.conversation.stop();
      assert.equal(signal.aborted, true);
      return short;
    });
    assert.equal(await stopped, false);
    assert.equal(harness.stored.length, stored);
    assert.equal(harness.conversation.running, false);
  });

  it('U13 nothing else runs meanwhile, and what was queued goes out after it', async () => {
    const harness = converse([answering('a'), answering('b')]);
    await harness.conversation.send(message('one'));
    await harness.conversation.compact(async () => {
      await assert.rejects(harness.conversation.send(message('x')), /already running/);
      await assert.rejects(
        harness.conversation.compact(async () => short),
        /already running/,
      );
      void harness.conversation.enqueue(message('two'));
      return short;
    });
    for (let round = 0; round < 100 && harness.conversation.running; round++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(textsOf(harness.inputs[1]?.history), [summary, 'user: two']);
  });
});
