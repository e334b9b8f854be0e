import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Answer, createHarness, delta, ended, events, finish, type Harness, json, reply } from './harness.ts';

const alone = { fallback: () => ({ enabled: false, order: [] }) };
const usage = (prompt_tokens: number, completion_tokens: number, more: object = {}) => ({
  ...{ prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  ...more,
});
const thought = (text: string) => ({
  choices: [{ index: 0, delta: { reasoning_content: text }, finish_reason: null }],
});
const long = { messages: [{ role: 'user' as const, text: 'word '.repeat(2000) }] };
const raw =
  (text: string): Answer =>
  () =>
    new Response(text, { headers: { 'content-type': 'text/event-stream' } });
const kindOf = async (harness: Harness, ...args: Parameters<Harness['send']>) => {
  const result = await harness.send(...args);
  return result.outcome === 'failed' ? result.failure.kind : result.outcome;
};
const refused = (status: number, error: object) => json(status, { error });
const unsupported = (param: string, message: string) =>
  refused(400, { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' });

/** What users reported of other assistants; what is right was written down before it was tried here. */
describe('client: providers, streams, prices and errors that users reported', () => {
  it('E17 a count on the chunk that also has the last words and the end is read (avala-ai/agent-code#375)', async () => {
    const last = {
      choices: [{ index: 0, delta: { content: '.' }, finish_reason: 'stop' }],
      usage: usage(13_159, 1358),
    };
    const harness = createHarness([events(delta('Done'), last, '[DONE]')]);
    const asked = { messages: [{ role: 'user' as const, text: 'word '.repeat(13_000) }] };
    assert.equal((await harness.send(asked)).reply.text, 'Done.');
    assert.deepEqual(ended(harness)[0]?.usage?.totalTokens, 14_517);
  });

  it('E17 tokens that were cached are part of the prompt and count once (adolfousier/opencrabs#1636)', async () => {
    const counted = usage(2100, 60, { prompt_tokens_details: { cached_tokens: 1900 } });
    const harness = createHarness([events(delta('Hi.'), finish('stop', counted), '[DONE]')]);
    await harness.send(long);
    const { promptTokens, totalTokens } = ended(harness)[0]?.usage ?? {};
    assert.deepEqual([promptTokens, totalTokens], [2100, 2160]);
  });

  it('W01 of an early count and the last one the last counts, also where it is smaller (maximhq/bifrost#6598)', async () => {
    const harness = createHarness([
      events({ ...delta('Hi'), usage: usage(2400, 0) }, finish('stop', usage(2100, 40)), '[DONE]'),
    ]);
    await harness.send(long);
    assert.equal(ended(harness)[0]?.usage?.totalTokens, 2140);
  });

  it('W24 a stream of nothing but a refusal is told as that, and is not sent again (justrach/codegraff#748)', async () => {
    const error = { type: 'invalid_request_error', message: 'messages.0.content: unknown content type' };
    const harness = createHarness([raw(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`)], alone);
    assert.equal(await kindOf(harness), 'bad-request');
    assert.equal(harness.chats().length, 1);
  });

  it('U7 a 200 that says it is overloaded goes to the next model, free of charge (router-for-me/CLIProxyAPI#2712)', async () => {
    const error = {
      ...{ type: 'service_unavailable_error', code: 'server_is_overloaded' },
      message: 'Our servers are currently overloaded. Please try again later.',
    };
    const harness = createHarness([
      raw(`data: ${JSON.stringify({ type: 'error', error })}\n\n`),
      raw(`data: ${JSON.stringify({ type: 'error', error })}\n\n`),
      reply('Here.'),
    ]);
    assert.equal((await harness.send()).reply.text, 'Here.');
    assert.deepEqual(
      ended(harness).map(({ charge }) => charge),
      ['no', 'no', 'yes'],
    );
    assert.notEqual(harness.chats().at(-1)?.body.model, 'svc/kimi-k3');
  });

  it('W24 a stream that ends without a word and without an end is no answer (griffinwork40/agent-afk#635)', async () => {
    const nothing = events({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] });
    assert.notEqual(await kindOf(createHarness([nothing, nothing, nothing], alone)), 'done');
  });

  it('W24 a stream without a reason that stops in a sentence is cut off, after whole ones too (GCWing/OpenBitFun#2038)', async () => {
    const whole = events(delta('All of it is here.'));
    const harness = createHarness([whole, whole, events(delta('The next step is to move the parser into the'))], alone);
    await harness.send();
    await harness.send();
    assert.equal(await kindOf(harness), 'cut-off');
  });

  it('H12 a limit that thinking used up is no empty success, and is paid (CherryHQ/stella#1079)', async () => {
    const words = Array.from({ length: 400 }, (_, at) => `Then ${at} follows.`).join(' ');
    const answer = events(thought(words), finish('length', usage(630, 32_000)), '[DONE]');
    const harness = createHarness([answer], alone);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed' || result.reply.finish === 'length');
    assert.deepEqual([result.reply.text, ended(harness)[0]?.charge], ['', 'yes']);
    assert.equal(ended(harness)[0]?.usage?.totalTokens, 32_630);
    assert.equal(harness.chats().length, 1, 'nor is it paid twice');
  });

  it('H05 max_tokens that a model names otherwise is sent otherwise (ThinkInAIXYZ/deepchat#336)', async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const harness = createHarness([unsupported('max_tokens', message), reply('Hi')], alone);
    assert.equal(await kindOf(harness, { maxTokens: 4096 }), 'done');
    assert.equal(harness.chats()[1]?.body.max_tokens, undefined);
  });

  it('H05 a temperature of which only the default is allowed is left out (decolua/9router#560)', async () => {
    const message = "Unsupported value: 'temperature' does not support 0.16 with this model. Only the default (1)";
    const error = { message, type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' };
    const harness = createHarness([refused(400, error), reply('Hi')], alone);
    assert.equal(await kindOf(harness, { temperature: 0.16 }), 'done');
    assert.equal(harness.chats()[1]?.body.temperature, undefined);
  });

  it('H01 a wait that is a moment of time is waited for, not for that many seconds (cloudfoundry/cloud_controller_ng#2544)', async () => {
    const moment = String(Date.parse('2026-11-20T10:00:08Z') / 1000);
    const busy = json(429, { error: { message: 'Rate limit exceeded' } }, { 'retry-after': moment });
    const harness = createHarness([busy, reply('Hi')], alone);
    assert.equal(await kindOf(harness), 'done');
    assert.ok((harness.sleeps[0] ?? 0) >= 8000 && (harness.sleeps[0] ?? 0) <= 30_000, `${harness.sleeps}`);
  });

  it('H01 a wait that is a date is waited for (modelcontextprotocol/typescript-sdk#1965)', async () => {
    const busy = json(429, { error: { message: 'Slow down' } }, { 'retry-after': 'Fri, 20 Nov 2026 10:00:12 GMT' });
    const harness = createHarness([busy, reply('Hi')], alone);
    assert.equal(await kindOf(harness), 'done');
    assert.ok((harness.sleeps[0] ?? 0) >= 12_000 && (harness.sleeps[0] ?? 0) < 20_000, `${harness.sleeps}`);
  });

  it('W65 an answer cut by the length limit says so, and has its count from the last event (microsoft/agent-framework#7051)', async () => {
    const harness = createHarness([
      events(
        delta('The history of pizza begins'),
        finish('length'),
        { choices: [], usage: usage(120, 1000) },
        '[DONE]',
      ),
    ]);
    const result = await harness.send();
    assert.equal(result.reply.finish, 'length');
    assert.equal(ended(harness)[0]?.usage?.totalTokens, 1120);
  });

  it('W24 an event that never ends is a failure, without all of it in memory (mnfst/llm-gateway#2716)', async () => {
    const harness = createHarness([raw(`data: ${'x'.repeat(40_000_000)}`)], alone);
    const result = await harness.send();
    assert.equal(result.outcome, 'failed');
    assert.notEqual(ended(harness)[0]?.charge, 'no', 'it was perhaps paid');
  });

  it('W24 a stream that ends after thoughts is no finished answer (strands-agents/harness-sdk#4334)', async () => {
    const half = events(thought('I should first look at the streaming module and then decide where the'));
    assert.notEqual(await kindOf(createHarness([half, half, half], alone)), 'done');
  });

  it('W24 a stream that only keeps alive and closes is empty, asked once more, and then told (doublewordai/control-layer#1510)', async () => {
    const silent = raw(': keep-alive\n\n: keep-alive\n\n');
    const harness = createHarness([silent, reply('Now.')], alone);
    assert.equal((await harness.send()).reply.text, 'Now.');
    const twice = createHarness([silent], alone);
    assert.equal(await kindOf(twice), 'empty-reply');
    assert.equal(twice.chats().length, 2);
  });

  it('S18 402 that names what one can still afford is the balance, asked once (newo-ether/Agora#8)', async () => {
    const message =
      'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 3395. To increase, visit https://example.com/settings/credits and upgrade to a paid account';
    const harness = createHarness([refused(402, { message, code: 402 })], alone);
    assert.equal(await kindOf(harness), 'balance');
    assert.equal(harness.chats().length, 1);
  });

  for (const [source, message, more, limit] of [
    [
      'CommandCodeAI/command-code#891',
      "This model's maximum context length is 1048576 tokens. However, you requested 1057726 tokens (993726 in the messages, 64000 in the completion). Please reduce the length of the messages or completion.",
      {},
      1_048_576,
    ],
    [
      'hotovo/aider-desk#919',
      "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=262145)",
      { type: 'BadRequestError', param: 'input_tokens', code: 400 },
      262_144,
    ],
  ] as const)
    it(`H17 a prompt that is too long is told with its limit (${source})`, async () => {
      const result = await createHarness([refused(400, { message, ...more })], alone).send();
      assert.ok(result.outcome === 'failed');
      assert.deepEqual([result.failure.kind, result.failure.facts?.limit], ['context-length', limit]);
    });

  it('H17 a stream that says that the prompt is too long is told so, once (earendil-works/pi#3647)', async () => {
    const error = {
      ...{ type: 'invalid_request_error', code: 'context_length_exceeded', param: 'input' },
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    };
    const harness = createHarness(
      [raw(`data: ${JSON.stringify({ type: 'error', error, sequence_number: 2 })}\n\n`)],
      alone,
    );
    assert.equal(await kindOf(harness), 'context-length');
    assert.equal(harness.chats().length, 1);
  });
});
