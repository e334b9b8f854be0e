import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Answer, createHarness, delta, ended, events, finish, json, openStream, until } from './harness.ts';

const alone = { fallback: () => ({ enabled: false, order: [] }) };
const tools = [
  { name: 'read_file', description: 'Reads', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
];
const long = { messages: [{ role: 'user' as const, text: 'word '.repeat(2000) }] };
const type = { headers: { 'content-type': 'text/event-stream' } };
const raw =
  (text: string): Answer =>
  () =>
    new Response(text, type);
const rawPieces =
  (...pieces: Uint8Array[]): Answer =>
  () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      }),
      type,
    );
const line = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const call = (...parts: object[]) => ({ choices: [{ index: 0, delta: { tool_calls: parts }, finish_reason: null }] });
const part = (index: number | undefined, id: string | undefined, name: string | undefined, args: string) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  type: 'function',
  function: { ...(name !== undefined && { name }), arguments: args },
});

/** What is sent by whom, and the one right reading, written down before it was tried here. */
const texts: Record<string, Answer> = {
  'a comment with a blank line between events that have ids (theopenco/llmgateway#2334)': raw(
    `id: 1\n${line(delta('Here '))}: ping\n\nid: 2\n${line(delta('I am.'))}: ping\n\nid: 3\n${line(finish())}data: [DONE]\n\n`,
  ),
  'a mark of byte order before the first event (agentic-os-org/ANOLISA#2209)': raw(
    `\u{FEFF}${line(delta('Here '))}${line(delta('I am.'))}${line(finish())}data: [DONE]\n\n`,
  ),
  'a comment in one piece with all that follows (continuedev/continue#13187)': raw(
    `: ping\n${line(delta('Here '))}: ping\n${line(delta('I am.'))}${line(finish())}data: [DONE]`,
  ),
  'no blank behind "data:", and a bare "data:" (lidge-jun/opencodex#1188)': raw(
    `${line(delta('Here ')).replace(': ', ':')}data:\n\n${line(delta('I am.')).replace(': ', ':')}${line(finish()).replace(': ', ':')}data:[DONE]\n\n`,
  ),
  'an event whose object takes two lines of data (Routstr/routstr-core#543)': raw(
    `data: {"choices":[{"index":0,\ndata: "delta":{"content":"Here I am."}}]}\n\n${line(finish())}data: [DONE]\n\n`,
  ),
};

const calls: Record<string, { chunks: object[]; ends?: string }> = {
  'the head of the second under the index of the first, its tail under its own (agno-agi/agno#8880)': {
    chunks: [
      call(part(0, 'a', 'read_file', '{"path":')),
      call(part(0, undefined, undefined, '"a.ts"}')),
      call(part(0, 'b', 'read_file', '{"path":')),
      call(part(1, undefined, undefined, '"b.ts"}')),
    ],
  },
  'both whole under one index (apache/maka#1976)': {
    chunks: [call(part(0, 'a', 'read_file', '{"path":"a.ts"}')), call(part(0, 'b', 'read_file', '{"path":"b.ts"}'))],
  },
  'an id on the first part only (openai/codex#7517)': {
    chunks: [
      call(part(0, 'a', 'read_file', '{"path":')),
      call(part(0, undefined, undefined, '"a.ts"}')),
      call(part(1, 'b', 'read_file', '{"path":')),
      call(part(1, undefined, undefined, '"b.ts"}')),
    ],
  },
  'empty ids and names on later parts (anomalyco/opencode#37841)': {
    chunks: [
      call(part(0, 'a', 'read_file', '{"path":')),
      call(part(0, '', '', '"a.ts"}')),
      call(part(1, 'b', 'read_file', '{"path":')),
      call(part(1, '', '', '"b.ts"}')),
    ],
  },
  'indices that begin with 1 (pipecat-ai/pipecat#4987)': {
    chunks: [
      call(part(1, 'a', 'read_file', '')),
      call(part(1, undefined, undefined, '{"path":"a.ts"}')),
      call(part(2, 'b', 'read_file', '')),
      call(part(2, undefined, undefined, '{"path":"b.ts"}')),
    ],
  },
  'no index at all (SamSaffron/term-llm#314)': {
    chunks: [
      call(part(undefined, 'a', 'read_file', '{"path":')),
      call(part(undefined, undefined, undefined, '"a.ts"}')),
      call(part(undefined, 'b', 'read_file', '{"path":"b.ts"}')),
    ],
  },
  'no id at all (continuedev/continue#13235)': {
    chunks: [
      call(part(0, undefined, 'read_file', '{"path":')),
      call(part(0, undefined, undefined, '"a.ts"}')),
      call(part(1, undefined, 'read_file', '{"path":"b.ts"}')),
    ],
  },
  'the name behind the first arguments (vercel/ai#14760)': {
    chunks: [
      call(part(0, 'a', undefined, '{"path":')),
      call(part(0, undefined, 'read_file', '"a.ts"}')),
      call(part(1, 'b', undefined, '{"path":"b.ts"}')),
      call(part(1, undefined, 'read_file', '')),
    ],
  },
  'no reason of the end (openclaw/openclaw#98575)': {
    chunks: [call(part(0, 'a', 'read_file', '{"path":"a.ts"}')), call(part(1, 'b', 'read_file', '{"path":"b.ts"}'))],
    ends: '',
  },
  'the reason "stop" (strands-agents/harness-sdk#3206)': {
    chunks: [call(part(0, 'a', 'read_file', '{"path":"a.ts"}')), call(part(1, 'b', 'read_file', '{"path":"b.ts"}'))],
    ends: 'stop',
  },
  'the last arguments on the chunk that ends it (MiaAI-Lab/GLM-5.3-Flash-EXL3-2x-DGX-Sparks#177)': {
    chunks: [
      call(part(0, 'a', 'read_file', '{"path":"a.ts"}')),
      call(part(1, 'b', 'read_file', '{"path":')),
      {
        choices: [
          { index: 0, delta: { tool_calls: [part(1, undefined, undefined, '"b.ts"}')] }, finish_reason: 'stop' },
        ],
      },
    ],
    ends: '',
  },
};

describe('client: streams that users reported', () => {
  for (const [what, answer] of Object.entries(texts))
    it(`W01 the whole text, and nothing damaged: ${what}`, async () => {
      const harness = createHarness([answer], alone);
      const { outcome, reply } = await harness.send();
      assert.deepEqual([outcome, reply.text, reply.damagedEvents], ['done', 'Here I am.', 0]);
      assert.deepEqual([ended(harness)[0]?.outcome, harness.chats().length], ['complete', 1]);
    });

  it('W01 the whole text, and nothing damaged: CRLF, cut between any two bytes (miruamel/xuan#194)', async () => {
    const bytes = new TextEncoder().encode(
      `${line(delta('Here '))}${line(delta('I am.'))}${line(finish())}data: [DONE]\n\n`.replaceAll('\n', '\r\n'),
    );
    for (let at = 1; at < bytes.length; at++) {
      const harness = createHarness([rawPieces(bytes.slice(0, at), bytes.slice(at))], alone);
      const { outcome, reply } = await harness.send();
      assert.deepEqual([outcome, reply.text, reply.damagedEvents], ['done', 'Here I am.', 0], `${at}`);
    }
  });

  for (const [what, { chunks, ends = 'tool_calls' }] of Object.entries(calls))
    it(`H05 two calls, each with its own arguments: ${what}`, async () => {
      const harness = createHarness([events(...chunks, ...(ends === '' ? [] : [finish(ends)]), '[DONE]')], alone);
      const { outcome, reply } = await harness.send({ tools });
      assert.equal(outcome, 'done');
      assert.deepEqual(
        reply.toolCalls.map(({ name, arguments: args }) => [name, JSON.parse(args)]),
        [
          ['read_file', { path: 'a.ts' }],
          ['read_file', { path: 'b.ts' }],
        ],
      );
      assert.equal(ended(harness)[0]?.outcome, 'complete');
    });

  it('H13 what was sent and got no first word in time is perhaps charged, and not sent again (GCWing/OpenBitFun#2677)', async () => {
    const harness = createHarness([openStream()], alone);
    const sending = harness.send();
    await until(() => harness.chats().length === 1);
    await until(() => {
      harness.advance(60_000);
      return ended(harness).length > 0;
    });
    const { outcome } = await sending;
    assert.deepEqual([outcome, harness.chats().length, ended(harness)[0]?.charge], ['failed', 1, 'maybe']);
  });

  it('U7 a refusal that will not pass is asked for once (GCWing/OpenBitFun#2690)', async () => {
    for (const [status, message] of [
      [400, 'messages: invalid'],
      [401, 'no'],
      [413, 'too large'],
      [422, 'not valid'],
      [400, 'context_length_exceeded'],
    ] as const) {
      const harness = createHarness([json(status, { error: { message } })], alone);
      assert.equal((await harness.send()).outcome, 'failed');
      assert.equal(harness.chats().length, 1, message);
    }
  });

  it('E17 cached tokens that stand beside the prompt count as part of it (vercel/ai#14382)', async () => {
    const counted = { prompt_tokens: 2100, completion_tokens: 60, total_tokens: 2160, num_cached_tokens: 1900 };
    const harness = createHarness([events(delta('Hi.'), finish('stop', counted), '[DONE]')]);
    await harness.send(long);
    const { promptTokens, totalTokens } = ended(harness)[0]?.usage ?? {};
    assert.deepEqual([promptTokens, totalTokens], [2100, 2160]);
  });
});
