import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ErrorBody, json, readStream, textOf, useService, type WholeReply } from './harness.ts';

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
    const record = await service().waitForRequest(() => true, 1000);
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

describe('local service: broken streams', () => {
  const { chat, script, service, stream } = useService();
  const text = 'The quick brown fox jumps over the lazy dog.';

  it('W24 cuts the connection after exactly the given bytes and does not charge', async () => {
    for (const cutAfterBytes of [0, 1, 500, 777]) {
      script({ rules: [{ effect: { cutAfterBytes } }], replies: [{ text }] });
      const reply = await stream();
      assert.equal(reply.status, 200);
      assert.equal(Buffer.byteLength(reply.raw), cutAfterBytes);
      assert.equal(reply.broken, true);
    }
    assert.deepEqual(service().charges, []);
  });

  it('W48 can cut right after the last byte of [DONE]', async () => {
    script({ replies: [{ text, times: 2 }] });
    const cutAfterBytes = Buffer.byteLength((await stream()).raw);
    script({ replies: [{ text }], rules: [{ effect: { cutAfterBytes } }] });
    const reply = await stream();
    assert.ok(reply.done && reply.broken);
  });

  it('W24 ends the body cleanly after exactly the given bytes, whole replies too', async () => {
    script({ rules: [{ effect: { endAfterBytes: 600 } }], replies: [{ text }] });
    const reply = await stream();
    assert.equal(Buffer.byteLength(reply.raw), 600);
    assert.equal(reply.broken, false);
    assert.equal(reply.done, false);
    script({ rules: [{ effect: { endAfterBytes: 50 } }], replies: [{ text }] });
    assert.equal((await (await chat()).text()).length, 50);
    assert.deepEqual(service().charges, []);
  });

  it('cuts whole replies inside their JSON', async () => {
    script({ rules: [{ effect: { cutAfterBytes: 50 } }], replies: [{ text }] });
    await assert.rejects((await chat()).text(), TypeError);
    assert.deepEqual(service().charges, []);
  });

  it('cuts multi-byte characters in half', async () => {
    script({ rules: [{ effect: { raw: { pieces: ['é'] }, cutAfterBytes: 1 } }] });
    const reply = await readStream(await chat());
    assert.equal(reply.broken, true);
    script({ rules: [{ effect: { raw: { pieces: ['é'] }, endAfterBytes: 1 } }] });
    assert.deepEqual([...new Uint8Array(await (await chat()).arrayBuffer())], [0xc3]);
  });

  it('W02 W25 W26 leaves out usage, finish or [DONE]', async () => {
    script({
      replies: [{ text, times: 3 }],
      rules: [
        { match: { nth: 1 }, effect: { omitUsage: true } },
        { match: { nth: 2 }, effect: { omitFinish: true } },
        { match: { nth: 3 }, effect: { omitDone: true } },
      ],
    });
    const finished = (reply: { events: { choices: { finish_reason: string | null }[] }[] }): boolean =>
      reply.events.some((event) => event.choices[0]?.finish_reason === 'stop');
    const [noUsage, noFinish, noDone] = [await stream(), await stream(), await stream()];
    assert.ok(noUsage.done && finished(noUsage) && noUsage.events.every((event) => event.usage === undefined));
    assert.ok(noFinish.done && !finished(noFinish) && textOf(noFinish) === text);
    assert.ok(!noDone.done && finished(noDone) && noDone.events.at(-1)?.usage !== undefined);
    script({ rules: [{ effect: { omitUsage: true } }] });
    assert.equal((await json<WholeReply>(await chat())).usage, undefined);
  });

  it('W01 sends cumulative usage on every chunk', async () => {
    script({ rules: [{ effect: { usageOnEveryChunk: true } }], replies: [{ text }] });
    const counts = (await stream()).events.map((event) => event.usage?.completion_tokens ?? -1);
    assert.equal(counts[0], 0);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    );
    assert.equal(counts.at(-1), 11);
  });

  it('W23 W23d sends an error event in the middle of a stream, also as a named event', async () => {
    const body = { error: { code: 500, message: 'broke' } };
    script({ rules: [{ effect: { streamError: { afterChunks: 3, body, event: 'error' } } }], replies: [{ text }] });
    const reply = await stream();
    assert.equal(textOf({ ...reply, events: reply.events.slice(0, 3) }), 'The quick ');
    assert.match(reply.raw, /event: error\ndata: \{"error":\{"code":500,"message":"broke"\}\}\n\n$/);
    assert.deepEqual(service().charges, []);
  });

  it('W75 replies under another model id', async () => {
    script({ rules: [{ effect: { replyModel: 'other/model' } }] });
    assert.equal((await stream()).events[0]?.model, 'other/model');
  });

  it('sends scripted chunks verbatim before [DONE]', async () => {
    const chunks = [
      { choices: [{ delta: { content: 'x', odd: 1 } }] },
      { choices: null, usage: { prompt_tokens: '3' } },
    ];
    script({ replies: [{ chunks }] });
    const reply = await stream();
    assert.deepEqual(reply.events, chunks);
    assert.ok(reply.done);
    assert.equal(service().charges.length, 1);
  });

  it('W21 sends raw bytes in the given pieces with any status and content type', async () => {
    const smile = Buffer.from('data: {"a":"😀"}\r\n\r\n');
    const pieces = [smile.subarray(0, 14), { base64: smile.subarray(14).toString('base64') }, ': end\n'];
    script({ rules: [{ effect: { raw: { status: 202, contentType: 'text/odd', pieces, gapMs: 1 } } }] });
    const response = await chat();
    assert.equal(response.status, 202);
    assert.equal(response.headers.get('content-type'), 'text/odd');
    assert.equal(await response.text(), `${smile}: end\n`);
  });

  it('raw bytes can end in a cut connection', async () => {
    script({ rules: [{ effect: { raw: { pieces: ['data: {}\n\n'], end: 'cut' } } }] });
    const reply = await readStream(await chat());
    assert.equal(reply.raw, 'data: {}\n\n');
    assert.equal(reply.broken, true);
  });
});
