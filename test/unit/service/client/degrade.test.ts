import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HistoryMessage } from '../../../../src/shared/messages.ts';
import {
  type Answer,
  createHarness,
  ended,
  errorAnswer,
  events,
  finish,
  type Harness,
  json,
  ofType,
  reply,
  type SentRequest,
  usage,
  wholeReply,
} from './harness.ts';

const tools = [{ name: 'read_file', description: 'Reads', parameters: { type: 'object', properties: {} } }];

function notices(harness: Harness): unknown[] {
  return ofType(harness.events, 'notice').map((event) => event.notice);
}

/** Refuses requests that satisfy the condition, answers the others. */
function refuse(condition: (request: SentRequest) => boolean, refusal: Answer, answer: Answer = reply()): Answer {
  return (request) => (condition(request) ? refusal(request) : answer(request));
}

describe('client: learned degradation', () => {
  it('S22 a model that refuses streaming is asked for the whole reply, now and from then on', async () => {
    const refusal = errorAnswer(400, 'Streaming is not supported for this model');
    const harness = createHarness([refuse(({ body }) => body.stream === true, refusal, wholeReply('all at once'))]);
    const result = await harness.send();
    assert.equal(result.outcome, 'done');
    assert.equal(result.reply.text, 'all at once');
    assert.deepEqual(notices(harness), [{ kind: 'degraded', model: 'svc/kimi-k3', feature: 'streaming' }]);
    assert.equal(harness.learned.get('svc/kimi-k3').streaming?.works, false);
    assert.match(harness.learned.get('svc/kimi-k3').streaming?.evidence ?? '', /not supported/);
    await harness.send();
    assert.deepEqual(
      harness.chats().map(({ body }) => body.stream ?? false),
      [true, false, false],
    );
    assert.equal(notices(harness).length, 1);
  });

  const foreign = ['mcp_maps_route', 'mcp_maps_find'].map((name) => ({ ...tools[0], name, isExternal: true as const }));
  const offered = [...tools, ...foreign].map((tool) => ({ description: '', parameters: {}, ...tool, name: tool.name }));
  const sentNames = ({ body }: SentRequest) =>
    (body.tools as { function: { name: string } }[] | undefined)?.map(({ function: { name } }) => name);
  for (const [how, refusal] of Object.entries({
    'its place in a path': errorAnswer(400, 'tools[2].function.parameters: invalid type: null, expected a map'),
    'its name': errorAnswer(400, "Invalid schema for function 'mcp_maps_find': schema must have a type"),
    'the parameter': json(400, {
      error: { message: 'Invalid value', code: 'invalid_value', param: 'tools.2.function' },
    }),
    'a location': json(422, {
      detail: [{ loc: ['body', 'tools', 2, 'function'], msg: 'Input should be a valid dict' }],
    }),
  }))
    it(`S23 a refusal that names one tool of others by ${how} is about that one, now and from then on (can1357/oh-my-pi#2652)`, async () => {
      const harness = createHarness([
        refuse((request) => sentNames(request)?.includes('mcp_maps_find') === true, refusal),
      ]);
      assert.equal((await harness.send({ tools: offered })).outcome, 'done');
      const wanted = { kind: 'degraded', model: 'svc/kimi-k3', feature: 'tool', parameter: 'mcp_maps_find' };
      assert.deepEqual(notices(harness), [wanted]);
      await harness.send({ tools: offered });
      assert.deepEqual(harness.chats().slice(1).map(sentNames), [
        ['read_file', 'mcp_maps_route'],
        ['read_file', 'mcp_maps_route'],
      ]);
      await harness.send({ tools: offered, model: 'svc/glm-5.3' });
      assert.equal(sentNames(harness.chats()[3] as SentRequest)?.length, 3);
    });

  it('S23 a schema that is refused without a name or place is one of those of others (earendil-works/pi#4138)', async () => {
    const refusal = errorAnswer(400, 'tools.function.parameters is not a valid moonshot flavored json schema');
    const hasForeign = (request: SentRequest) => (sentNames(request)?.length ?? 0) > 1;
    const harness = createHarness([refuse(hasForeign, refusal)]);
    assert.equal((await harness.send({ tools: offered })).outcome, 'done');
    assert.deepEqual(harness.chats().map(sentNames), [offered.map(({ name }) => name), ['read_file']]);
  });

  it('S24 a refusal of one image says nothing about the model', async () => {
    for (const [before, message] of [
      [[], 'This model does not support image format image/tiff'],
      [[], 'Image not supported: larger than 20 MB'],
      [[{ works: true, at: '', evidence: '' }], 'image input is not supported'],
    ] as const) {
      const harness = createHarness([errorAnswer(400, message)]);
      for (const images of before) harness.learned.learn('svc/kimi-k3', { images });
      await harness.send();
      assert.notEqual(harness.learned.get('svc/kimi-k3').images?.works, false, message);
    }
  });

  const note: HistoryMessage = { role: 'user', text: '[Automatic note: nothing new came of it.]' };
  for (const [where, behind] of [
    ['a result', []],
    ['a result and a note of the loop', [note]],
  ] as const)
    it(`W97 thoughts behind ${where} are no answer, whatever was learned elsewhere (MoonshotAI/Kimi-K2#128)`, async () => {
      const thought = events({ choices: [{ delta: { reasoning_content: 'Now I edit it.' } }] }, finish(), '[DONE]');
      const harness = createHarness([thought]);
      assert.equal((await harness.send()).reply.text, 'Now I edit it.');
      assert.equal(harness.learned.get('svc/kimi-k3').answersAsReasoning?.works, true);
      const messages: HistoryMessage[] = [
        { role: 'user', text: 'Fix it.' },
        {
          role: 'assistant',
          text: '',
          model: 'svc/kimi-k3',
          toolCalls: [{ id: 'a', name: 'read_file', arguments: '{}' }],
        },
        { role: 'tool', callId: 'a', name: 'read_file', text: 'const a = 1;' },
        ...behind,
      ];
      const before = harness.chats().length;
      const result = await harness.send({ messages, tools });
      assert.equal(result.outcome === 'failed' && result.failure.kind, 'empty-reply');
      assert.equal(harness.chats().length - before, 2);
      // Without tools there was nothing that the model could have gone on with.
      assert.equal((await harness.send({ messages })).reply.text, 'Now I edit it.');
    });

  it('S23 C-51 a model that refuses tools is asked without them, with a note, now and from then on', async () => {
    const refusal = errorAnswer(404, 'No endpoints found that support tool use');
    const harness = createHarness([refuse(({ body }) => body.tools !== undefined, refusal)]);
    assert.equal((await harness.send({ tools })).outcome, 'done');
    assert.deepEqual(notices(harness), [{ kind: 'degraded', model: 'svc/kimi-k3', feature: 'tools' }]);
    await harness.send({ tools });
    assert.deepEqual(
      harness.chats().map(({ body }) => body.tools !== undefined),
      [true, false, false],
    );
    assert.ok(
      harness.chats().every(({ body }) => body.tool_choice === undefined),
      'H11 tool_choice is never sent',
    );
  });

  for (const [field, wire, value] of [
    ['temperature', 'temperature', 0.2],
    ['topP', 'top_p', 0.9],
    ['seed', 'seed', 7],
    ['stop', 'stop', ['END']],
  ] as const) {
    it(`S4 H10 a refused ${wire} is dropped, said and remembered; other parameters stay`, async () => {
      const refusal = errorAnswer(400, `Unsupported parameter: ${wire} is not supported for this model`);
      const harness = createHarness([refuse(({ body }) => body[wire] !== undefined, refusal)]);
      const request = { maxTokens: 100, [field]: value };
      assert.equal((await harness.send(request)).outcome, 'done');
      assert.deepEqual(notices(harness), [
        { kind: 'degraded', model: 'svc/kimi-k3', feature: 'parameter', parameter: wire },
      ]);
      await harness.send(request);
      assert.deepEqual(
        harness.chats().map(({ body }) => body[wire] !== undefined),
        [true, false, false],
      );
      assert.ok(harness.chats().every(({ body }) => body.max_tokens === 100));
    });
  }

  it('S4 no unconfirmed parameter is sent unless it is set', async () => {
    const harness = createHarness([reply()]);
    await harness.send();
    assert.deepEqual(Object.keys(harness.chats()[0]?.body ?? {}).sort(), [
      'messages',
      'model',
      'stream',
      'stream_options',
    ]);
  });

  it('W67 refused stream_options are dropped without a note and remembered', async () => {
    const refusal = json(422, {
      detail: [
        { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted', input: {} },
      ],
    });
    const harness = createHarness([refuse(({ body }) => body.stream_options !== undefined, refusal)]);
    assert.equal((await harness.send()).outcome, 'done');
    await harness.send();
    assert.deepEqual(
      harness.chats().map(({ body }) => body.stream_options !== undefined),
      [true, false, false],
    );
    assert.deepEqual(notices(harness), []);
  });

  it('W67 a refusal that names no parameter gives up stream_options first', async () => {
    const refusal = errorAnswer(400, 'Extra inputs are not permitted');
    const harness = createHarness([refuse(({ body }) => body.stream_options !== undefined, refusal)]);
    assert.equal((await harness.send()).outcome, 'done');
  });

  it('H05 reasoning that must be echoed is echoed, and one that must not be is not', async () => {
    const messages: HistoryMessage[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', text: 'b', reasoning: 'because', model: 'svc/glm-5.3', toolCalls: [] },
      { role: 'user', text: 'c' },
    ];
    const echoes = ({ body }: SentRequest): boolean => JSON.stringify(body.messages).includes('reasoning_content');
    const demanding = errorAnswer(400, 'The `reasoning_content` in the thinking mode must be passed back to the API.');
    const strict = errorAnswer(400, 'messages[1]: unknown field `reasoning_content`');
    const first = createHarness([refuse((request) => !echoes(request), demanding)]);
    assert.equal((await first.send({ model: 'svc/glm-5.3', messages })).outcome, 'done');
    assert.equal(first.learned.get('svc/glm-5.3').reasoningEcho, 'required');
    const second = createHarness([refuse(echoes, strict)]);
    assert.equal((await second.send({ messages })).outcome, 'done');
    assert.equal(second.learned.get('svc/kimi-k3').reasoningEcho, 'refused');
    assert.match(second.learned.get('svc/kimi-k3').reasoningEchoFrom?.evidence ?? '', /unknown field/);
  });

  it('C-56 a refused history is cleaned harder and sent exactly once more', async () => {
    const harness = createHarness([errorAnswer(400, "message at position 3 with role 'assistant' must not be empty")]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'history-refused');
    assert.equal(harness.chats().length, 2);
    assert.deepEqual(harness.sleeps, [], 'there is nothing to wait for');
  });

  it('H03 a model that takes call-only turns only with words costs one extra request, once', async () => {
    const refusal = errorAnswer(400, "the message at position 1 with role 'assistant' must not be empty");
    const isEmpty = ({ content, role }: { content?: unknown; role?: unknown }) =>
      role === 'assistant' && (typeof content !== 'string' || content.trim() === '');
    const messagesOf = ({ body }: SentRequest) => (Array.isArray(body.messages) ? body.messages : []);
    const harness = createHarness([refuse((request) => messagesOf(request).some(isEmpty), refusal)]);
    const messages: HistoryMessage[] = [
      { role: 'user', text: 'a' },
      {
        role: 'assistant',
        text: '',
        model: 'svc/glm-5.3',
        toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{}' }],
      },
      { role: 'tool', callId: 'c1', name: 'read_file', text: 'b' },
    ];
    for (let step = 0; step < 3; step++) assert.equal((await harness.send({ messages, tools })).outcome, 'done');
    assert.equal(harness.chats().length, 4);
    assert.equal(harness.learned.get('svc/kimi-k3').plainHistory?.works, false);
  });

  it('H03 a refusal that no form of the history cures teaches nothing', async () => {
    const harness = createHarness([errorAnswer(400, "message at position 3 with role 'assistant' must not be empty")]);
    await harness.send();
    assert.equal(harness.learned.get('svc/kimi-k3').plainHistory, undefined);
  });

  it('C context a stated limit is remembered, and the request is not repeated', async () => {
    const refusal = errorAnswer(
      400,
      "This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens.",
    );
    const harness = createHarness([refusal]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    const { contextTokens, contextTokensFrom } = harness.learned.get('svc/kimi-k3');
    assert.equal(contextTokens, 8192);
    assert.match(contextTokensFrom?.evidence ?? '', /maximum context length is 8192/);
    assert.match(contextTokensFrom?.at ?? '', /^\d{4}-/);
    assert.equal(harness.chats().length, 1);
  });

  it('C param a limit of the reply is learned from any words (skapadia3214/groq-moa#8, RooCodeInc/Roo-Code#248)', async () => {
    for (const message of [
      'max_tokens for `x` must be less than or equal to 3000',
      'The maximum tokens you requested exceed the model limit of 3000. Try again with a maximum tokens value lower than 3000.',
    ]) {
      const harness = createHarness([refuse(({ body }) => Number(body.max_tokens) > 3000, errorAnswer(400, message))]);
      assert.equal((await harness.send({ maxTokens: 5000 })).outcome, 'done');
      assert.equal(harness.chats()[1]?.body.max_tokens, 3000);
    }
  });

  it('C context a max_tokens that is too large is lowered to what is possible', async () => {
    const refusal = errorAnswer(
      400,
      "'max_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 1000 input tokens",
    );
    const harness = createHarness([refuse(({ body }) => Number(body.max_tokens) > 3096, refusal)]);
    assert.equal((await harness.send({ maxTokens: 5000 })).outcome, 'done');
    assert.deepEqual(
      harness.chats().map(({ body }) => body.max_tokens),
      [5000, 3096],
    );
  });

  it('S24 a refusal of images is remembered', async () => {
    const harness = createHarness([errorAnswer(400, 'Model svc/kimi-k3 does not support image input.')]);
    await harness.send();
    assert.equal(harness.learned.get('svc/kimi-k3').images?.works, false);
  });

  it('T04 resends for refused features do not use up the retries', async () => {
    let overloads = 0;
    const answer: Answer = (request) => {
      if (request.body.stream_options !== undefined)
        return errorAnswer(400, 'stream_options is not supported')(request);
      if (request.body.tools !== undefined) return errorAnswer(400, 'tools are not supported')(request);
      overloads += 1;
      return overloads < 3 ? errorAnswer(500, 'oops')(request) : reply('done')(request);
    };
    const harness = createHarness([answer]);
    assert.equal((await harness.send({ tools })).outcome, 'done');
    assert.equal(harness.chats().length, 5);
  });

  it('T04 a model that refuses whatever is sent ends after four resends', async () => {
    let turn = 0;
    const complaints = ['stream_options', 'temperature', 'top_p', 'seed', 'stop'];
    const answer: Answer = (request) => errorAnswer(400, `Unknown parameter: ${complaints[turn++ % 5]}`)(request);
    const harness = createHarness([answer]);
    const result = await harness.send({ temperature: 1, topP: 1, seed: 1, stop: ['x'] });
    assert.equal(result.outcome, 'failed');
    assert.equal(harness.chats().length, 5);
    assert.equal(ended(harness).length, 5);
  });

  it('T04 a feature that is refused again after it was given up ends the step', async () => {
    const harness = createHarness([errorAnswer(400, 'tools are not supported')]);
    const result = await harness.send({ tools });
    assert.equal(result.outcome, 'failed');
    assert.equal(harness.chats().length, 2);
  });

  it('U11 a feature that a model takes is remembered too', async () => {
    const harness = createHarness([reply()]);
    await harness.send();
    const { streaming, tools: called } = harness.learned.get('svc/kimi-k3');
    assert.deepEqual([streaming?.works, called], [true, undefined], 'no call was made');
    const call = { index: 0, id: 'x', type: 'function', function: { name: 'read_file', arguments: '{}' } };
    const calls = events({ choices: [{ delta: { tool_calls: [call] } }] }, finish('tool_calls', usage), '[DONE]');
    const calling = createHarness([calls]);
    await calling.send({ tools });
    assert.equal(calling.learned.get('svc/kimi-k3').tools?.works, true);
  });
});
