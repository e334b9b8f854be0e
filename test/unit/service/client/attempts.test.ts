import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { estimateTokens } from '../../../../src/service/tokens.ts';
import {
  canaryKey,
  createHarness,
  delta,
  ended,
  events,
  finish,
  json,
  modelList,
  networkError,
  page,
  reply,
  silence,
  until,
  wholeReply,
} from './harness.ts';

describe('client: a request and its record', () => {
  it('F1 tells sent, started, text, ended in this order', async () => {
    const harness = createHarness([reply('Hi')]);
    await harness.send();
    assert.deepEqual(
      harness.events.map((event) => event.type),
      ['requestSent', 'responseStarted', 'text', 'attemptEnded'],
    );
  });

  it('S17 X15 the key is in the header only, redirects are not followed, and the path is the one that is served', async () => {
    const harness = createHarness([reply()]);
    await harness.send();
    const [request] = harness.requests;
    assert.equal(request?.url, 'http://127.0.0.1:9/v1/chat/completions');
    assert.equal(request.method, 'POST');
    assert.equal(request.headers.get('authorization'), `Bearer ${canaryKey}`);
    assert.equal(request.headers.get('content-type'), 'application/json');
    assert.doesNotMatch(JSON.stringify(request.body), /canary/);
  });

  it('E17 a complete reply is charged with the usage that was reported', async () => {
    const harness = createHarness([reply()]);
    const result = await harness.send();
    assert.deepEqual(ended(harness), result.attempts);
    const [attempt] = result.attempts;
    assert.equal(attempt?.requestId, 'r1');
    assert.equal(attempt?.status, 200);
    assert.equal(attempt?.outcome, 'complete');
    assert.equal(attempt?.charge, 'yes');
    assert.deepEqual(attempt?.usage, { promptTokens: 10, completionTokens: 5, totalTokens: 15, estimated: false });
    assert.equal(attempt?.startedAt, Date.parse('2026-11-20T10:00:00Z'));
  });

  it('W02 S5 a complete reply without usage is charged by an estimate that says so', async () => {
    const harness = createHarness([events(delta('some words '.repeat(10)), finish(), '[DONE]')]);
    const [attempt] = (await harness.send()).attempts;
    assert.equal(attempt?.charge, 'yes');
    assert.equal(attempt?.usage?.estimated, true);
    assert.equal(attempt?.usage?.completionTokens, estimateTokens('some words '.repeat(10)));
    assert.ok((attempt?.usage?.promptTokens ?? 0) > 0);
  });

  it('H13 every request has an id of its own', async () => {
    const harness = createHarness([page(522), page(522), reply()]);
    const result = await harness.send();
    assert.deepEqual(
      result.attempts.map((attempt) => attempt.requestId),
      ['r1', 'r2', 'r3'],
    );
  });

  it('W75 a reply that names another model says so', async () => {
    const result = await createHarness([reply('Hi', 'svc/other')]).send();
    assert.equal(result.reply.model, 'svc/kimi-k3');
    assert.equal(result.reply.reportedModel, 'svc/other');
  });

  it('W28 complete asks for the whole reply and gives the same events', async () => {
    const harness = createHarness([wholeReply('Hi')]);
    const result = await harness.complete();
    assert.equal(result.reply.text, 'Hi');
    assert.equal(harness.chats()[0]?.body.stream, undefined);
    assert.deepEqual(
      harness.events.map((event) => event.type),
      ['requestSent', 'responseStarted', 'text', 'attemptEnded'],
    );
  });

  it('E19 the log has no content and no key', async () => {
    const harness = createHarness([reply('the answer')]);
    await harness.send({ messages: [{ role: 'user', text: 'the question' }] });
    assert.equal(harness.logLines.length, 1);
    assert.doesNotMatch(harness.logLines.join(), /question|answer|canary/);
  });

  it('a fault of ours is a failure, not a rejection', async () => {
    const harness = createHarness([reply()], {
      newId: () => {
        throw new Error('bug');
      },
    });
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'internal');
  });
});

describe('client: listModels', () => {
  const open = new AbortController().signal;

  it('S2 gives ids and names, and sends no key', async () => {
    const harness = createHarness([() => modelList(['svc/kimi-k3', 'svc/new-1'])]);
    const list = await harness.client.listModels(open);
    assert.ok(list.ok);
    assert.deepEqual(
      list.models.map((model) => model.id),
      ['svc/kimi-k3', 'svc/new-1'],
    );
    assert.equal(harness.requests[0]?.headers.get('authorization'), null);
    assert.equal(harness.requests[0]?.url, 'http://127.0.0.1:9/v1/models');
  });

  const rows = [
    ['wrong-address', page(404)],
    ['not-the-service', page(200)],
    ['protocol', json(200, { hello: 'world' })],
    ['protocol', () => new Response('{"data": [')],
    ['unreachable', networkError('ECONNREFUSED')],
    ['origin-down', page(522)],
  ] as const;
  for (const [kind, answer] of rows) {
    it(`S2 a list that cannot be had is ${kind}`, async () => {
      const list = await createHarness([answer]).client.listModels(open);
      assert.ok(!list.ok);
      assert.equal(list.failure.kind, kind);
      assert.equal(list.failure.endpoint, 'GET /models');
    });
  }

  it('S2 does not wait longer than 20 s', async () => {
    const harness = createHarness([silence]);
    const asking = harness.client.listModels(open);
    await until(() => harness.requests.length === 1);
    harness.advance(20_000);
    const list = await asking;
    assert.ok(!list.ok);
    assert.equal(list.failure.kind, 'timeout');
  });

  it('S1 without an address nothing is sent', async () => {
    const harness = createHarness([], { baseUrl: () => '' });
    const list = await harness.client.listModels(open);
    assert.ok(!list.ok && list.failure.kind === 'no-address');
    assert.equal(harness.requests.length, 0);
  });
});

describe('client: checkKey', () => {
  it('S18 X15 a key that is only being tried is in no failure', async () => {
    const tried = 'sk-svc-tried-99999999999999';
    const harness = createHarness([json(500, { error: { message: `what is ${tried}?` } })]);
    const result = await harness.client.checkKey(tried, new AbortController().signal);
    assert.equal(result.state, 'unknown');
    assert.doesNotMatch(JSON.stringify(result), /9999/);
    assert.equal(harness.requests[0]?.headers.get('authorization'), `Bearer ${tried}`);
  });

  it('S18 does not wait longer than 30 s', async () => {
    const harness = createHarness([silence]);
    const asking = harness.client.checkKey(canaryKey, new AbortController().signal);
    await until(() => harness.requests.length === 1);
    harness.advance(30_000);
    const result = await asking;
    assert.ok(result.state === 'unknown' && result.failure.kind === 'timeout');
  });
});

describe('client: faults of listeners', () => {
  it('E17 a listener that throws ends the step as an internal failure, and the attempt is still told', async () => {
    const harness = createHarness([reply()], {
      onEvent: (event) => {
        if (event.type === 'text') throw new Error('bug in the panel');
      },
    });
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'internal');
    assert.equal(ended(harness).length, 1);
    assert.match(harness.logLines.join(), /bug in the panel/);
  });
});
