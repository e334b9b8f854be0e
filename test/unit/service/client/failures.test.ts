import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeFailure } from '../../../../src/shared/failure/failure-text.ts';
import type { FailureKind } from '../../../../src/shared/failure/kinds.ts';
import {
  type Answer,
  brokenStream,
  canaryKey,
  createHarness,
  delta,
  ended,
  errorAnswer,
  events,
  finish,
  json,
  modelList,
  networkError,
  page,
  reply,
} from './harness.ts';

/** One row for every kind that the client can produce from an answer, with the number of requests it takes. */
const rows: [id: string, kind: FailureKind, answer: Answer, requests: number][] = [
  ['S6', 'key-rejected', errorAnswer(401, 'unauthorized'), 1],
  ['S1', 'wrong-address', page(404), 1],
  ['S7', 'wrong-method', page(405), 1],
  ['S20', 'browser-refused', () => new Response('Disallowed CORS origin', { status: 400 }), 1],
  ['W77', 'redirected', () => new Response(null, { status: 302, headers: { location: 'https://other.example/x' } }), 1],
  ['W29', 'not-the-service', page(200, '<html><title>Hotel Wi-Fi</title></html>'), 1],
  ['T01', 'unreachable', networkError('ENOTFOUND'), 3],
  ['N08', 'certificate', networkError('SELF_SIGNED_CERT_IN_CHAIN'), 1],
  ['N13', 'proxy-sign-in', page(407), 1],
  ['C', 'forbidden', page(403), 1],
  ['S8', 'origin-down', page(522), 6],
  ['T01', 'timeout', errorAnswer(408, 'timeout'), 3],
  ['S8', 'capacity-service', errorAnswer(503, 'The engine is currently overloaded'), 6],
  ['S26', 'rate-limited', errorAnswer(429, 'Slow down'), 6],
  ['T01', 'server-error', errorAnswer(500, 'oops'), 3],
  ['C-01', 'balance', errorAnswer(402, 'Insufficient Balance'), 1],
  ['C-12', 'context-length', errorAnswer(400, 'maximum context length is 8192 tokens'), 1],
  ['C-39', 'unknown-model', errorAnswer(404, 'The model does not exist'), 1],
  ['C-44', 'images-refused', errorAnswer(404, 'No endpoints found that support image input'), 1],
  ['C-51', 'tools-refused', errorAnswer(404, 'No endpoints found that support tool use'), 1],
  ['C-56', 'history-refused', errorAnswer(400, "'tool_calls' must be followed by tool messages"), 2],
  ['H10', 'parameter-refused', errorAnswer(400, 'invalid temperature: only 1 is allowed for this model'), 1],
  ['S26', 'bad-request', errorAnswer(400, 'no'), 1],
  ['C', 'too-large', () => new Response('Request Entity Too Large', { status: 413 }), 1],
  ['W36', 'empty-reply', events(finish('stop'), '[DONE]'), 2],
  ['W24', 'cut-off', events(delta('partial')), 1],
  ['W34', 'content-filter', events(finish('content_filter'), '[DONE]'), 1],
  ['W64', 'repetition', events(...Array.from({ length: 400 }, () => delta('!!!!!!!!!!!!'))), 1],
  [
    'rule 5',
    'protocol',
    () => new Response('neither events nor JSON', { headers: { 'content-type': 'text/plain' } }),
    1,
  ],
];

describe('client: failures', () => {
  for (const [id, kind, answer, requests] of rows) {
    it(`${id} ${kind} takes ${requests} request${requests === 1 ? '' : 's'} and is told once per request`, async () => {
      const harness = createHarness([answer], { fallback: () => ({ enabled: false, order: [] }) });
      const result = await harness.send();
      assert.equal(result.outcome, 'failed');
      assert.ok(result.outcome === 'failed');
      assert.equal(result.failure.kind, kind);
      assert.equal(harness.chats().length, requests);
      assert.equal(result.attempts.length, requests);
      assert.deepEqual(ended(harness), result.attempts);
      assert.deepEqual(
        harness.events.filter((event) => event.type === 'requestSent').length,
        requests,
        'one requestSent per request',
      );
      assert.match(result.failure.at, /[+-]\d\d:\d\d$/);
      assert.doesNotMatch(JSON.stringify([result, harness.events, harness.logLines]), /canary-0123/);
    });
  }

  it('S29 W36 a reply that is reasoning alone at its length limit is taken as it is, and not asked for again', async () => {
    const thinking = { choices: [{ index: 0, delta: { reasoning_content: 'First I look.' }, finish_reason: null }] };
    const harness = createHarness([events(thinking, finish('length'), '[DONE]'), reply('never asked for')]);
    const result = await harness.send();
    assert.equal(result.outcome, 'done');
    assert.deepEqual([result.reply.text, result.reply.reasoning, result.reply.finish], ['', 'First I look.', 'length']);
    assert.equal(harness.chats().length, 1);
    assert.equal(result.attempts[0]?.charge, 'yes');
  });

  it('S1 a wrong address is told with the address, and without the key', async () => {
    const result = await createHarness([page(404)]).send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.facts?.address, 'http://127.0.0.1:9/v1');
    assert.ok(!JSON.stringify(result).includes(canaryKey));
  });

  it('rule 6 W22 an error as first event of a 200 is the same failure as with a status', async () => {
    const harness = createHarness([events({ error: { message: 'Insufficient Balance', code: 402 } })]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'balance');
    assert.equal(harness.chats().length, 1);
    assert.equal(result.attempts[0]?.charge, 'no');
  });

  it('W28b a JSON error with status 200 is a failure', async () => {
    const harness = createHarness([json(200, { error: { message: 'unauthorized', type: 'invalid_auth', code: 401 } })]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'key-rejected');
  });

  it('W23 an error in the middle keeps the text, is typed, and is not repeated', async () => {
    const harness = createHarness(
      [
        events(delta('half'), {
          error: { message: 'Model svc/kimi-k3 is overloaded', code: 503 },
          choices: [{ finish_reason: 'error' }],
        }),
        reply(),
      ],
      { fallback: () => ({ enabled: false, order: [] }) },
    );
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'capacity-model');
    assert.equal(result.reply.text, 'half');
    assert.equal(harness.chats().length, 1);
    assert.equal(result.attempts[0]?.outcome, 'incomplete');
    assert.equal(result.attempts[0]?.charge, 'maybe');
  });

  it('W27 T03 a connection that breaks after text is cut off and never repeated', async () => {
    const harness = createHarness([brokenStream(delta('half')), reply()], {
      fallback: () => ({ enabled: false, order: [] }),
    });
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'cut-off');
    assert.equal(result.reply.text, 'half');
    assert.equal(harness.chats().length, 1);
    assert.equal(result.attempts[0]?.charge, 'maybe');
    assert.equal(result.attempts[0]?.usage?.estimated, true);
    assert.equal(result.attempts[0]?.usage?.completionTokens, Math.ceil(4 / 3.5));
  });

  it('W27 T03 a connection that breaks before anything was shown is tried again', async () => {
    const harness = createHarness([brokenStream(), reply('whole')]);
    const result = await harness.send();
    assert.equal(result.outcome, 'done');
    assert.equal(result.reply.text, 'whole');
    assert.deepEqual(
      ended(harness).map((attempt) => [attempt.outcome, attempt.charge]),
      [
        ['failed', 'maybe'],
        ['complete', 'yes'],
      ],
    );
  });

  it('S7 a page never becomes text: of a 200 page the title is kept, of a 404 nothing of the body', async () => {
    const portal = await createHarness([page(200, '<html><title>Hotel Wi-Fi</title>SECRET</html>')]).send();
    assert.ok(portal.outcome === 'failed');
    assert.deepEqual(portal.failure.facts, { title: 'Hotel Wi-Fi', host: '127.0.0.1:9' });
    const missing = await createHarness([page(404, '<html>SECRET</html>')]).send();
    assert.doesNotMatch(JSON.stringify([portal, missing]), /SECRET/);
  });

  it('B2 no more than 64 KB of an error body is read', async () => {
    let pulled = 0;
    const endless: Answer = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            pulled += 1;
            controller.enqueue(new TextEncoder().encode('x'.repeat(8192)));
          },
        }),
        { status: 400 },
      );
    const result = await createHarness([endless]).send();
    assert.equal(result.outcome, 'failed');
    assert.ok(pulled <= 12, `${pulled} pieces of 8 KB`);
  });
});

describe('client: before anything is sent', () => {
  it('S17 without a key nothing is sent', async () => {
    const harness = createHarness([reply()], { key: async () => undefined });
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'no-key');
    assert.equal(harness.requests.length, 0);
    assert.deepEqual(result.attempts, []);
    assert.deepEqual(harness.events, []);
  });

  it('X36 a keyring that does not open is a key that is missing', async () => {
    const harness = createHarness([reply()], { key: () => Promise.reject(new Error('keyring locked')) });
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'no-key');
  });

  it('S1 without an address nothing is sent and the key is not read', async () => {
    let read = false;
    const key = async () => {
      read = true;
      return canaryKey;
    };
    const harness = createHarness([reply()], { baseUrl: () => '', key });
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'no-address');
    assert.equal(read, false);
    assert.equal(harness.requests.length, 0);
  });

  it('S3 an id that is not on the list is refused with the nearest right one, after one free look at the list', async () => {
    const harness = createHarness([], {});
    const result = await harness.send({ model: 'kimi-k3' });
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'unknown-model-id');
    assert.equal(result.failure.facts?.nearestModel, 'svc/kimi-k3');
    assert.deepEqual(
      harness.requests.map((request) => request.method),
      ['GET'],
    );
    assert.equal(harness.requests[0]?.headers.get('authorization'), null);
  });

  it('S27 an id that the live list has meanwhile is sent', async () => {
    const withList = createHarness([() => Response.json({ data: [{ id: 'svc/kimi-k3' }] }), reply()], {
      modelIds: () => ['svc/old'],
    });
    assert.equal((await withList.send()).outcome, 'done');
  });

  it('S2 S28 hands on the list that it read for an unknown id, so that the next request needs no other', async () => {
    let ids = ['svc/an-old-one'];
    const harness = createHarness([() => modelList(), reply()], {
      modelIds: () => ids,
      onModels: (models) => {
        ids = models.map(({ id }) => id);
      },
    });
    assert.equal((await harness.send()).outcome, 'done');
    assert.equal((await harness.send()).outcome, 'done');
    assert.deepEqual(
      harness.requests.map(({ url }) => url.split('/').at(-1)),
      ['models', 'completions', 'completions'],
    );
  });

  it('S3 without a list, an id that resembles none is sent, and one that is nearly right is refused', async () => {
    const noList: Answer = (request) => (request.method === 'GET' ? page(522)(request) : reply()(request));
    const strange = createHarness([noList]);
    assert.equal((await strange.send({ model: 'svc/entirely-new-9' })).outcome, 'done');
    const wrong = createHarness([noList]);
    assert.equal((await wrong.send({ model: 'svc/Kimi-K3' })).outcome, 'failed');
    assert.equal(wrong.chats().length, 0);
  });

  it('a signal that is aborted already sends nothing', async () => {
    const harness = createHarness([reply()]);
    const result = await harness.send({}, AbortSignal.abort());
    assert.equal(result.outcome, 'stopped');
    assert.equal(harness.requests.length, 0);
  });

  it('W86 a reply with a part missing is no answer: the place is marked, what was damaged is told, Retry is offered', async () => {
    const damaged = new Response(
      'data: {"choices":[{"delta":{"content":"You must"}}]}\n\ndata: {"choices":[{"delta":{"content":" not sk-svc-canary-0123456789abcdef"\n\n' +
        'data: {"choices":[{"delta":{"content":" do that"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      { headers: { 'content-type': 'text/event-stream' } },
    );
    const harness = createHarness([() => damaged]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.match(result.reply.text, /^You must \[… a part was lost here …\]/);
    assert.deepEqual([result.failure.kind, result.failure.facts?.lost], ['protocol', 1]);
    assert.match(result.failure.serverMessage ?? '', /"content":" not sk-svc-cana…/);
    assert.ok(harness.logLines.some((line) => /damaged: .*"content":" not/.test(line) && !line.includes('0123456789')));
    const { title, actions } = describeFailure(result.failure, (id) => id);
    assert.equal(title, 'A part of the answer was lost');
    assert.equal(actions[0]?.action, 'retry');
    assert.equal(harness.chats().length, 1);
  });
});
