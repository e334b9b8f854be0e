import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HistoryMessage } from '../../../../src/shared/messages.ts';
import { type Answer, createHarness, delta, ended, errorAnswer, events, finish, json, reply } from './harness.ts';

const alone = { fallback: () => ({ enabled: false, order: [] }) };
const tools = [{ name: 'write_file', description: '', parameters: { type: 'object', properties: {} } }];
const thought = (text: string) => ({ choices: [{ index: 0, delta: { reasoning_content: text } }] });
const call = (written: string) => ({
  choices: [
    { index: 0, delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'write_file', arguments: written } }] } },
  ],
});
const said = (text: string) => events(delta(text), finish(), '[DONE]');

/** What users reported of other assistants; what is right was written down before it was tried here. */
describe('client: what users reported', () => {
  it('W65 a reason "other" on half an answer is cut off (apache/maka#2297)', async () => {
    const half = events(delta('Let me look at the top region structure in'), finish('other'), '[DONE]');
    const result = await createHarness([half], alone).send();
    assert.equal(result.outcome === 'failed' && result.failure.kind, 'cut-off');
  });

  it('W24 a stream that closes in the conclusion is cut off (ranxianglei/billion-context#239)', async () => {
    const harness = createHarness([reply('Hi.'), events(delta('In conclusion, the parser should'))], alone);
    await harness.send();
    const result = await harness.send();
    assert.equal(result.outcome === 'failed' && result.failure.kind, 'cut-off');
  });

  it('W65 a healthy reason that is not known ends a whole answer (ltmoerdani/opencode-copilot-chat#170)', async () => {
    const harness = createHarness([events(delta('All tests pass.'), finish('max_tool_calls'))], alone);
    assert.equal((await harness.send()).outcome, 'done');
  });

  it('W24b a damaged last chunk behind a part of a call runs nothing (SamSaffron/term-llm#448)', async () => {
    const harness = createHarness([events(call('{"path":"a","content":"x'), '{"choices":[{"delta":{"tool_c')], alone);
    const result = await harness.send({ tools });
    assert.deepEqual([result.outcome, result.reply.toolCalls], ['failed', []]);
  });

  it('E17 thinking that is part of the completion counts once (anomalyco/opencode#17566, hugalafutro/model-hotel#991)', async () => {
    const usage = {
      prompt_tokens: 2008,
      completion_tokens: 266,
      total_tokens: 2274,
      completion_tokens_details: { reasoning_tokens: 261 },
    };
    const harness = createHarness([
      events(
        thought(Array.from({ length: 90 }, (_, at) => `Step ${at} differs.`).join(' ')),
        delta('Yes.'),
        finish('stop', usage),
        '[DONE]',
      ),
    ]);
    await harness.send({ messages: [{ role: 'user', text: 'word '.repeat(2000) }] });
    assert.deepEqual(ended(harness)[0]?.usage, {
      promptTokens: 2008,
      completionTokens: 266,
      totalTokens: 2274,
      estimated: false,
    });
  });

  it('W01 a count on every chunk counts once (langfuse/langfuse#8808)', async () => {
    const at = (completion: number) => ({
      usage: { prompt_tokens: 10, completion_tokens: completion, total_tokens: 10 + completion },
    });
    const harness = createHarness([
      events(
        { ...delta('One '), ...at(1) },
        { ...delta('two '), ...at(2) },
        { ...delta('three.'), ...at(3) },
        finish('stop'),
        '[DONE]',
      ),
    ]);
    await harness.send();
    assert.equal(ended(harness)[0]?.usage?.totalTokens, 13);
  });

  it('W02 thinking is part of an estimate (BerriAI/litellm#38676)', async () => {
    const harness = createHarness([events(thought('some thoughts '.repeat(200)), delta('Yes.'), finish(), '[DONE]')]);
    await harness.send();
    assert.ok((ended(harness)[0]?.usage?.completionTokens ?? 0) > 300);
  });

  const unpaid: Record<string, Answer> = {
    'eddiearc/larkin#236': json(429, {
      error: { message: '余额不足或无可用资源包,请充值。', type: 'upstream_error', code: '1113' },
    }),
    'earendil-works/pi#6025': json(429, {
      error: {
        message: 'Resource has been exhausted (e.g. check quota).',
        status: 'RESOURCE_EXHAUSTED',
        details: [{ reason: 'INSUFFICIENT_G1_CREDITS_BALANCE' }],
      },
    }),
    'promptdriven/pdd#814': json(400, {
      error: { type: 'invalid_request_error', message: 'Credit balance is too low' },
    }),
    'anima-research/agent-framework#108': json(400, {
      error: {
        type: 'invalid_request_error',
        message:
          'You have reached your specified workspace API usage limits. You will regain access on 2026-09-01 at 00:00 UTC.',
      },
    }),
  };
  for (const [source, answer] of Object.entries(unpaid))
    it(`S8 what only money helps is not asked again (${source})`, async () => {
      const harness = createHarness([answer]);
      const result = await harness.send();
      assert.equal(result.outcome === 'failed' && result.failure.kind, 'balance');
      assert.equal(harness.chats().length, 1);
    });

  for (const [source, body, text, reasoning] of [
    [
      'nbramia/LifeOS#568',
      'internal reasoning\n</think>{"sources":["calendar"]}',
      '{"sources":["calendar"]}',
      'internal reasoning',
    ],
    [
      'vllm-project/vllm#53924',
      'figuring it out</think>you close the block with </think> when done',
      'you close the block with </think> when done',
      'figuring it out',
    ],
  ] as const)
    it(`W84 thoughts in the text are thoughts (${source})`, async () => {
      const { reply: told } = await createHarness([said(body)]).send();
      assert.deepEqual([told.text.trim(), told.reasoning.trim()], [text, reasoning]);
    });

  it('W13 arguments that a router cut while it says tool_calls run nothing (NousResearch/hermes-agent#7693)', async () => {
    const cut = events(call('{"path":"a","content":"const'), finish('tool_calls'), '[DONE]');
    const { reply: told } = await createHarness([cut]).send({ tools });
    assert.ok(told.toolCalls.every(({ arguments: written }) => !written.trimEnd().endsWith('}')));
  });

  const picture = { hash: 'h', mediaType: 'image/png' as const, width: 1, height: 1, bytes: 1, label: 'a.png' };
  const aboutPicture: HistoryMessage[] = [{ role: 'user', text: 'Look', images: [picture] as never }];
  for (const [source, answer] of Object.entries({
    'vercel/ai#2837': errorAnswer(400, 'message[0].content must be a string'),
    'thinking-machines-lab/tinker-feedback#83': json(422, {
      detail: 'Validation Error',
      errors: [
        {
          loc: 'body -> messages -> 0 -> content -> list[TextContentPart] -> 0 -> type',
          msg: "Input should be 'text'",
          type: 'literal_error',
        },
      ],
    }),
  }))
    it(`S24 parts that are no text were refused: it is the image (${source})`, async () => {
      const harness = createHarness([answer], { readImage: async () => 'data:image/png;base64,AA==' });
      const result = await harness.send({ messages: aboutPicture });
      assert.equal(result.outcome === 'failed' && result.failure.kind, 'images-refused');
    });

  for (const [source, answer, most] of [
    [
      'diffbot/code-gpt-docs#284',
      errorAnswer(
        400,
        'max_tokens is too large: 6000. This model supports at most 4096 completion tokens, whereas you provided 6000.',
      ),
      4096,
    ],
    [
      'cline/cline#8337',
      json(400, {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: {
            raw: '{"code":400,"reason":"INVALID_REQUEST_BODY","message":"max_tokens (current value: 65536) must be between 0 and 32768 ","metadata":{}}',
          },
        },
      }),
      32_768,
    ],
  ] as const)
    it(`S4 a reply length that is too large is sent again with the largest (${source})`, async () => {
      const harness = createHarness([
        (request) => (Number(request.body.max_tokens) > most ? answer(request) : reply('Hi.')(request)),
      ]);
      const result = await harness.send({ maxTokens: 65_536 });
      assert.equal(result.outcome, 'done');
      assert.equal(harness.chats().at(-1)?.body.max_tokens, most);
    });
});
