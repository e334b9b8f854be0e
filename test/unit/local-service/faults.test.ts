import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ErrorBody, json, useService, type WholeReply } from './harness.ts';

const tools = [{ type: 'function', function: { name: 'noop', parameters: { type: 'object', properties: {} } } }];

describe('local service: scripted errors', () => {
  const { chat, get, script, service, stream } = useService();

  it('S9 names the model in a capacity error, and leaves it out when told so', async () => {
    script({
      rules: [
        { times: 1, effect: { capacity: { retryAfter: '2' } } },
        { times: 1, effect: { capacity: { named: false, status: 429 } } },
      ],
    });
    const named = await chat({ model: 'svc/kimi-k3-fast' });
    assert.equal(named.status, 503);
    assert.equal(named.headers.get('retry-after'), '2');
    assert.match((await json<ErrorBody>(named)).error.message, /svc\/kimi-k3-fast .*capacity/);
  });

  it('S9 sends an unnamed capacity error when told so', async () => {
    script({ rules: [{ effect: { capacity: { named: false, status: 529 } } }] });
    const unnamed = await chat({ model: 'svc/kimi-k3-fast' });
    assert.equal(unnamed.status, 529);
    assert.doesNotMatch(await unnamed.text(), /kimi/);
  });

  it('W22 sends a capacity error as first event of a 200 stream', async () => {
    script({ rules: [{ effect: { capacity: { inStream: true } } }] });
    const reply = await stream();
    assert.equal(reply.status, 200);
    assert.equal(reply.events.length, 1);
    assert.match(reply.events[0]?.error?.message ?? '', /svc\/glm-5\.3/);
    assert.deepEqual(service().charges, []);
  });

  it('S8 shows the page of the proxy in front with 522, before the key is looked at', async () => {
    script({ rules: [{ effect: { page522: true } }, { match: { path: '/v1/models' }, effect: { page522: true } }] });
    for (const response of [await chat({}, { headers: {} }), await chat(), await get('/v1/models')]) {
      assert.equal(response.status, 522);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(await response.text(), /522: Connection timed out/);
    }
  });

  it('shows the 522 page for one model only', async () => {
    script({ rules: [{ match: { model: 'svc/kimi-k3' }, effect: { page522: true } }] });
    assert.equal((await chat({ model: 'svc/kimi-k3' })).status, 522);
    assert.equal((await chat()).status, 200);
  });

  it('W78 sends 429 with any Retry-After', async () => {
    script({ rules: [{ effect: { rateLimit: { retryAfter: '-1', message: 'slow down' } } }] });
    const response = await chat();
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '-1');
    assert.equal((await json<ErrorBody>(response)).error.message, 'slow down');
  });

  for (const status of [402, 403, 429] as const) {
    it(`S26 reports an exhausted balance with ${status} when told so`, async () => {
      script({ rules: [{ effect: { exhaustedBalance: status } }] });
      const response = await chat();
      assert.equal(response.status, status);
      assert.match((await json<ErrorBody>(response)).error.message, /balance/);
    });
  }

  it('S26 refuses bodies with 422, in the error object or as a validation framework that echoes the input', async () => {
    script({
      rules: [
        { match: { nth: 1 }, effect: { malformedBody: { status: 422 } } },
        { effect: { malformedBody: { status: 422, format: 'detail' } } },
      ],
    });
    const first = await chat();
    assert.equal(first.status, 422);
    assert.equal((await json<ErrorBody>(first)).error.code, 422);
    const second = await json<{ detail: { input: unknown }[] }>(await chat());
    assert.equal(JSON.stringify(second.detail[0]?.input).includes('Hello'), true);
  });

  it('sends any status, body, header and content type', async () => {
    script({
      rules: [
        {
          times: 1,
          effect: { respond: { status: 418, body: '<p>tea</p>', contentType: 'text/html', headers: { 'x-a': 'b' } } },
        },
        { match: { path: '/v1/models' }, effect: { respond: { status: 200, body: { data: [] } } } },
      ],
    });
    const tea = await chat();
    assert.equal(tea.status, 418);
    assert.equal(tea.headers.get('x-a'), 'b');
    assert.equal(tea.headers.get('content-type'), 'text/html');
    assert.equal(await tea.text(), '<p>tea</p>');
    assert.deepEqual(await (await get('/v1/models')).json(), { data: [] });
  });

  it('W77 redirects when told so', async () => {
    script({ rules: [{ effect: { redirect: { status: 307, location: 'http://127.0.0.1:1/' } } }] });
    const response = await chat({}, { method: 'POST', redirect: 'manual' });
    assert.equal(response.status, 307);
    assert.equal(response.headers.get('location'), 'http://127.0.0.1:1/');
  });

  it('W27 drops the connection before any answer', async () => {
    script({ rules: [{ effect: { dropConnection: true } }] });
    await assert.rejects(chat(), TypeError);
    const record = await service().waitForRequest(() => true, 60_000);
    assert.equal(record.responseStatus, undefined);
    assert.equal(record.closedByClientAt, undefined);
  });
});

describe('local service: what a model cannot do', () => {
  const { chat, script, stream } = useService();
  const refusal = async (response: Response): Promise<string> => {
    assert.equal(response.status, 400);
    return (await json<ErrorBody>(response)).error.message;
  };

  it('S22 refuses streaming for one model and serves it whole', async () => {
    script({ rules: [{ match: { model: 'svc/kimi-k3' }, effect: { streaming: 'refused' } }] });
    assert.match(await refusal(await chat({ model: 'svc/kimi-k3', stream: true })), /streaming/);
    assert.equal((await chat({ model: 'svc/kimi-k3' })).status, 200);
    assert.ok((await stream()).done);
  });

  it('W28 answers a streaming request with whole JSON', async () => {
    script({ rules: [{ effect: { streaming: 'ignored' } }], replies: [{ text: 'whole' }] });
    const response = await chat({ stream: true });
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal((await json<WholeReply>(response)).choices[0]?.message.content, 'whole');
  });

  it('S23 refuses tools, or ignores them', async () => {
    script({ rules: [{ match: { nth: 1 }, effect: { tools: 'refused' } }, { effect: { tools: 'ignored' } }] });
    assert.match(await refusal(await chat({ tools })), /tools/);
    const reply = await json<WholeReply>(await chat({ tools, messages: [{ role: 'user', content: 'call noop now' }] }));
    assert.equal(reply.choices[0]?.message.tool_calls, undefined);
  });

  it('S24 images can be refused or accepted against the built-in list', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const messages = [{ role: 'user', content: [image] }];
    script({
      rules: [
        { match: { model: 'svc/kimi-k3' }, effect: { images: 'refused' } },
        { match: { model: 'svc/qwen-3.8-27b', hasImages: true }, effect: { images: 'accepted' } },
      ],
    });
    assert.match(await refusal(await chat({ model: 'svc/kimi-k3', messages })), /image/);
    assert.equal((await chat({ model: 'svc/qwen-3.8-27b', messages })).status, 200);
  });

  it('H17 refuses what is over a context cap, with both numbers, and too many messages', async () => {
    script({ rules: [{ effect: { contextTokens: 50, maxMessages: 2 } }] });
    const long = [{ role: 'user', content: 'x'.repeat(400) }];
    assert.match(
      await refusal(await chat({ messages: long })),
      /maximum context length is 50 tokens.* 104 input tokens/,
    );
    const many = Array.from({ length: 3 }, () => ({ role: 'user', content: 'x' }));
    assert.match(await refusal(await chat({ messages: many })), /Too many messages/);
    assert.equal((await chat()).status, 200);
  });

  const call = (args: string, id = 'c1'): object => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: args },
  });
  const user = { role: 'user', content: 'Go' };
  const result = { role: 'tool', tool_call_id: 'c1', content: 'ok' };
  const calling = (args = '{}', id = 'c1'): object => ({
    role: 'assistant',
    content: '',
    tool_calls: [call(args, id)],
  });
  const cases: [string, object, object][] = [
    ['H01', { messages: [user, calling('{"a":'), result] }, { messages: [user, calling(), result] }],
    ['H02', { messages: [user, calling()] }, { messages: [user, calling(), result] }],
    ['H02', { messages: [user, result] }, { messages: [user] }],
    ['H02', { messages: [user, calling(), user, result] }, { messages: [user, calling(), result, user] }],
    ['H02', { messages: [user, calling(), user] }, { messages: [user, calling(), result, user] }],
    ['H03', { messages: [user, calling(), result] }, { messages: [user, { ...calling(), content: ' ' }, result] }],
    [
      'H04',
      { messages: [user, { role: 'assistant', tool_calls: [call('{}')] }, result] },
      { messages: [user, calling(), result] },
    ],
    [
      'H05',
      { messages: [user, calling(), result] },
      { messages: [user, { ...calling(), reasoning_content: '' }, result] },
    ],
    [
      'H05-tool-calls',
      { messages: [user, calling(), result] },
      { messages: [user, { role: 'assistant', content: 'Hm' }, user] },
    ],
    [
      'H05-unknown-field',
      { messages: [user, { ...calling(), reasoning_content: '' }, result] },
      { messages: [user, calling(), result] },
    ],
    [
      'H09',
      { messages: [{ role: 'user', content: 'cut \ud83d' }] },
      { messages: [{ role: 'user', content: 'whole 😀' }] },
    ],
    ['H10', { temperature: 0 }, {}],
    ['H11', { tool_choice: 'auto' }, {}],
    ['H14', { messages: [user, calling('{}', 'functions.f:0'), { ...result, tool_call_id: 'functions.f:0' }] }, {}],
    ['W67', { stream_options: { include_usage: true } }, {}],
  ];
  for (const [check, bad, good] of cases) {
    it(`${check} is refused by a model that checks it: ${JSON.stringify(bad).slice(0, 60)}`, async () => {
      script({ rules: [{ effect: { checks: [check] as never } }] });
      assert.notEqual(await refusal(await chat(bad)), '');
      assert.equal((await chat(good)).status, 200);
      script({});
      assert.equal((await chat(bad)).status, 200, 'accepted without the check');
    });
  }
});
