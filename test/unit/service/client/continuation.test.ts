import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { StreamEvent } from '../../../../src/service/contract.ts';
import { continuationRequest, createOverlapFilter } from '../../../../src/service/step/step-continuation.ts';
import {
  brokenStream,
  createHarness,
  delta,
  errorAnswer,
  events,
  finish,
  type Harness,
  models,
  ofType,
  openStream,
  reply,
  until,
  usage,
} from './harness.ts';

const first = 'The first half of the ans';
const shown = (harness: Harness) =>
  ofType(harness.events, 'text')
    .map(({ text }) => text)
    .join('');
const continued = (harness: Harness) =>
  ofType(harness.events, 'notice').flatMap(({ notice }) => (notice.kind === 'fallback' ? [notice] : []));
const overloaded = { error: { message: 'Model svc/kimi-k3 is overloaded', code: 503 } };
const formingCall = {
  choices: [{ delta: { tool_calls: [{ index: 0, id: 'x', function: { name: 'read_file', arguments: '{"pa' } }] } }],
};

describe('client: mid-stream continuation', () => {
  for (const [what, answer] of [
    ['a cut connection', brokenStream(delta(first))],
    ['a stream without its end', events(delta(first))],
    ['capacity in the middle', events(delta(first), overloaded)],
    ['an error in the middle', events(delta(first), finish('error'))],
  ] as const) {
    it(`U7 T10 after ${what} the next model goes on with the text, which is shown once`, async () => {
      const harness = createHarness([answer, reply('wer.')]);
      const result = await harness.send();
      assert.equal(result.outcome, 'done');
      assert.equal(result.reply.text, `${first}wer.`);
      assert.equal(shown(harness), `${first}wer.`);
      assert.deepEqual(models(harness), ['svc/kimi-k3', 'svc/deepseek-v4-pro']);
      assert.equal(result.reply.model, 'svc/deepseek-v4-pro');
      assert.equal(result.reply.requestedModel, 'svc/kimi-k3');
      const messages = harness.chats()[1]?.body.messages as { role: string; content: string }[];
      assert.deepEqual(
        messages.map(({ role, content }) => [role, content]),
        [
          ['user', 'Hello'],
          ['assistant', first],
          ['user', continuationRequest],
        ],
      );
      const [notice] = continued(harness);
      assert.deepEqual([notice?.from, notice?.to, notice?.continued], ['svc/kimi-k3', 'svc/deepseek-v4-pro', true]);
      assert.deepEqual(
        result.attempts.map(({ outcome, charge }) => [outcome, charge]),
        [
          ['incomplete', 'maybe'],
          ['complete', 'yes'],
        ],
      );
    });
  }

  it('W86 what either half lost stays with the whole: marked, counted, and no answer that can stand', async () => {
    const half = fc.record({ damaged: fc.integer({ min: 0, max: 2 }), calls: fc.constant(false) });
    await fc.assert(
      fc.asyncProperty(half, fc.record({ damaged: fc.nat(2), calls: fc.boolean() }), async (before, after) => {
        const damaged = (count: number) => Array.from({ length: count }, () => '{"choices":[{"delta":');
        const call = { index: 0, id: 'x', function: { name: 'read_file', arguments: '{"path":"a"}' } };
        const made = after.calls ? [{ choices: [{ delta: { tool_calls: [call] } }] }] : [];
        const harness = createHarness([
          events(delta('You must '), ...damaged(before.damaged), delta('delete it because')),
          events(delta(' of this'), ...damaged(after.damaged), delta(' rule.'), ...made, finish(), '[DONE]'),
        ]);
        const { outcome, reply, ...rest } = await harness.send();
        const lost = before.damaged + after.damaged;
        assert.equal(reply.damagedEvents, lost);
        assert.equal(reply.lost?.length ?? 0, lost);
        assert.equal(
          reply.text.split('a part was lost here').length - 1,
          Number(before.damaged > 0) + Number(after.damaged > 0),
        );
        assert.equal(outcome, lost > 0 && !after.calls ? 'failed' : 'done');
        if (!('failure' in rest)) return;
        assert.deepEqual([rest.failure.kind, rest.failure.facts?.lost], ['protocol', lost]);
      }),
      { numRuns: 30 },
    );
  });

  it('U7 T07 a reply that falls silent is gone on with', async () => {
    const harness = createHarness([openStream(delta(first)), reply('wer.')]);
    const running = harness.send();
    await until(() => harness.events.some((event) => event.type === 'text'));
    await new Promise((resolve) => setImmediate(resolve));
    harness.advance(100_000);
    assert.equal((await running).reply.text, `${first}wer.`);
  });

  it('U7 runs calls of the model that went on', async () => {
    const call = { index: 0, id: 'x', function: { name: 'read_file', arguments: '{}' } };
    const calls = events({ choices: [{ delta: { tool_calls: [call] } }] }, finish('tool_calls', usage), '[DONE]');
    const result = await createHarness([brokenStream(delta(first)), calls]).send();
    assert.equal(result.outcome, 'done');
    assert.deepEqual(result.reply.toolCalls, [{ name: 'read_file', arguments: '{}' }]);
    assert.equal(result.reply.evidence, 'finish');
  });

  for (const [what, data] of [
    ['a call was being written', [delta(first), formingCall]],
    ['only reasoning was shown', [{ choices: [{ delta: { reasoning_content: 'hmm' } }] }]],
    ['only blank space was shown', [delta(' \n')]],
  ] as const) {
    it(`U7 is not done when ${what}: the text is kept, the call is not`, async () => {
      const harness = createHarness([brokenStream(...data), reply()]);
      const result = await harness.send();
      assert.ok(result.outcome === 'failed');
      assert.deepEqual(result.reply.toolCalls, []);
      assert.deepEqual(continued(harness), []);
    });
  }

  it('W64 U7 a reply that repeated itself is not gone on with', async () => {
    const harness = createHarness([events(...Array.from({ length: 120 }, () => delta('again '))), reply()]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'repetition');
    assert.equal(harness.chats().length, 1);
  });

  it('U7 is off with fallback: the failure says that the reply was cut', async () => {
    const off = { fallback: () => ({ enabled: false, order: [] }) };
    const harness = createHarness([brokenStream(delta(first)), reply()], off);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'cut-off');
    assert.equal(harness.chats().length, 1);
  });

  it('U7 goes on with the same model once when there is no other', async () => {
    const only = { modelIds: () => ['svc/kimi-k3'] };
    const harness = createHarness([brokenStream(delta('one two ')), brokenStream(delta('three ')), reply()], only);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'cut-off');
    assert.equal(result.reply.text, 'one two three ');
    assert.deepEqual(models(harness), ['svc/kimi-k3', 'svc/kimi-k3']);
    assert.equal(harness.sleeps.length, 1);
    const full = createHarness([events(delta(first), overloaded), reply()], only);
    assert.equal((await full.send()).outcome, 'failed');
    assert.equal(full.chats().length, 1);
  });

  it('U7 asks each model once and no more than three in all', async () => {
    const harness = createHarness(['one ', 'two ', 'three '].map((part) => brokenStream(delta(part))));
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(harness.chats().length, 3);
    assert.equal(new Set(models(harness)).size, 3);
    assert.equal(result.reply.text, 'one two three ');
    assert.equal(shown(harness), 'one two three ');
    assert.equal(result.attempts.length, 3);
  });

  it('U7 a cut that six busy models could not mend says which they were', async () => {
    const busy = (request: { body: Record<string, unknown> }) =>
      errorAnswer(503, `Model ${String(request.body.model)} is at capacity`)(request as never);
    const result = await createHarness([brokenStream(delta(first)), busy]).send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'cut-off');
    assert.equal(String(result.failure.facts?.busy).split(' ').length, 6);
  });

  it('U7 a model that cannot go on is left for another, and the failure is that the reply broke', async () => {
    const harness = createHarness([brokenStream(delta(first)), errorAnswer(400, 'no such thing')]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'cut-off');
    assert.equal(result.reply.text, first);
    const busy = createHarness([
      brokenStream(delta(first)),
      errorAnswer(503, 'Model svc/deepseek-v4-pro is currently unavailable due to capacity.'),
      reply('wer.'),
    ]);
    assert.equal((await busy.send()).reply.text, `${first}wer.`);
    assert.deepEqual(
      continued(busy).map(({ to, continued: isContinued, answered }) => [to, isContinued, answered]),
      [
        ['svc/deepseek-v4-pro', true, undefined],
        ['svc/deepseek-v4.1-flash', true, undefined],
        ['svc/deepseek-v4.1-flash', true, true],
      ],
    );
  });

  it('U7 a model that has nothing to add leaves what was shown', async () => {
    const harness = createHarness([brokenStream(delta(first)), events(finish('stop'), '[DONE]')]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'cut-off');
    assert.equal(result.reply.text, first);
    assert.equal(harness.chats().length, 2);
  });

  it('F2 U7 Stop in a continuation keeps all of the text', async () => {
    const controller = new AbortController();
    const harness = createHarness([brokenStream(delta(first)), openStream(delta('wer and more'))]);
    const running = harness.send({}, controller.signal);
    await until(() => shown(harness).endsWith('more'));
    controller.abort();
    const result = await running;
    assert.equal(result.outcome, 'stopped');
    assert.equal(result.reply.text, `${first}wer and more`);
  });

  for (const [what, rest] of [
    ['the end again', ['half of the ans', 'wer.']],
    ['all of it again', ['The first ', 'half of the answer.']],
    ['all of it again, letter by letter', [...`${first}wer.`]],
  ] as const) {
    it(`U7 shows nothing twice when a model begins with ${what}`, async () => {
      const harness = createHarness([
        brokenStream(delta(first)),
        events(...rest.map(delta), finish('stop', usage), '[DONE]'),
      ]);
      const result = await harness.send();
      assert.equal(result.reply.text, `${first}wer.`);
      assert.equal(shown(harness), `${first}wer.`);
    });
  }

  it('U7 what is shown is what is kept, and loses nothing but a repetition, however it is cut', () => {
    const unit = fc.constantFrom('a', 'b', ' ', 'é', '😀');
    const text = fc.string({ unit, maxLength: 40 });
    fc.assert(
      fc.property(text, text, fc.nat(40), fc.integer({ min: 1, max: 7 }), (before, next, repeated, size) => {
        const whole = before.slice(before.length - Math.min(repeated, before.length)) + next;
        let told = '';
        const onEvent = (event: StreamEvent) => {
          if (event.type === 'text') told += event.text;
        };
        const filter = createOverlapFilter(before, onEvent);
        for (let at = 0; at < whole.length; at += size) {
          filter.onEvent({ type: 'text', text: whole.slice(at, at + size) });
        }
        filter.onEvent({ type: 'responseStarted', model: 'm' });
        assert.equal(told, whole.slice(filter.dropped()));
        assert.ok(before.endsWith(whole.slice(0, filter.dropped())));
      }),
    );
  });
});
