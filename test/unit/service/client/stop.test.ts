import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { estimateTokens } from '../../../../src/service/tokens.ts';
import { createHarness, delta, ended, errorAnswer, openStream, reply, silence, until, usage } from './harness.ts';

describe('client: stop', () => {
  it('F2 T09 stop while waiting for the first byte aborts the request', async () => {
    const controller = new AbortController();
    const harness = createHarness([silence]);
    const running = harness.send({}, controller.signal);
    await until(() => harness.requests.length === 1);
    controller.abort();
    const result = await running;
    assert.equal(result.outcome, 'stopped');
    assert.equal(harness.requests[0]?.signal.aborted, true);
    assert.deepEqual(
      ended(harness).map(({ outcome, charge, failure }) => ({ outcome, charge, failure })),
      [{ outcome: 'stopped', charge: 'maybe', failure: undefined }],
    );
    assert.equal(result.attempts[0]?.usage?.estimated, true);
  });

  it('F2 T09 stop in the middle keeps the text, closes the connection and estimates the usage', async () => {
    const controller = new AbortController();
    const harness = createHarness([openStream(delta('a'.repeat(35)))], {
      onEvent: (event) => {
        if (event.type === 'text') controller.abort();
      },
    });
    const result = await harness.send({}, controller.signal);
    assert.equal(result.outcome, 'stopped');
    assert.equal(result.reply.text, 'a'.repeat(35));
    assert.equal(harness.requests[0]?.signal.aborted, true);
    const [attempt] = result.attempts;
    assert.equal(attempt?.charge, 'maybe');
    assert.equal(attempt?.usage?.completionTokens, estimateTokens('a'.repeat(35)));
    assert.equal(attempt?.usage?.estimated, true);
  });

  it('W01 usage that came before the stop is used instead of an estimate', async () => {
    const controller = new AbortController();
    const harness = createHarness([openStream({ ...delta('hello'), usage })], {
      onEvent: (event) => {
        if (event.type === 'text') controller.abort();
      },
    });
    const result = await harness.send({}, controller.signal);
    assert.equal(result.attempts[0]?.usage?.totalTokens, 15);
    assert.equal(result.attempts[0]?.usage?.estimated, false);
  });

  it('T08 stop during a backoff ends the step without another request', async () => {
    const controller = new AbortController();
    const harness = createHarness([errorAnswer(500, 'oops'), reply()], { sleepForever: true });
    const running = harness.send({}, controller.signal);
    await until(() => harness.sleeps.length === 1);
    controller.abort();
    const result = await running;
    assert.equal(result.outcome, 'stopped');
    assert.equal(harness.chats().length, 1);
    assert.equal(result.attempts[0]?.outcome, 'failed');
  });

  it('T08 any reason will do, also one that is no error', async () => {
    const controller = new AbortController();
    const harness = createHarness([errorAnswer(500, 'oops')], { sleepForever: true });
    const running = harness.send({}, controller.signal);
    await until(() => harness.sleeps.length === 1);
    controller.abort('bye');
    assert.equal((await running).outcome, 'stopped');
  });
});

describe('client: timers', () => {
  it('N03 T06 W69 nothing for 180 s is a timeout that is not repeated, since it may still be in the queue', async () => {
    const harness = createHarness([silence]);
    const running = harness.send();
    await until(() => harness.requests.length === 1);
    harness.advance(179_999);
    assert.equal(harness.requests[0]?.signal.aborted, false);
    harness.advance(1);
    const result = await running;
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'timeout');
    assert.equal(harness.requests.length, 1);
    assert.equal(result.attempts[0]?.durationMs, 180_000);
  });

  it('T06 a whole reply is given twice the time, because nothing can come before all of it', async () => {
    const harness = createHarness([silence]);
    const running = harness.complete();
    await until(() => harness.requests.length === 1);
    harness.advance(359_999);
    assert.equal(harness.requests[0]?.signal.aborted, false);
    harness.advance(1);
    assert.equal((await running).outcome, 'failed');
  });

  it('T07 W47 silence in the middle is a stall: the text is kept, the connection closed, nothing repeated', async () => {
    const harness = createHarness([openStream(delta('half')), reply()], {
      fallback: () => ({ enabled: false, order: [] }),
    });
    const running = harness.send();
    await until(() => harness.events.some((event) => event.type === 'text'));
    // Lets the reader go back to waiting before time passes.
    await new Promise((resolve) => setImmediate(resolve));
    harness.advance(100_000);
    const result = await running;
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'stalled');
    assert.equal(result.reply.text, 'half');
    assert.equal(harness.chats().length, 1);
    assert.equal(harness.requests[0]?.signal.aborted, true);
  });
});
