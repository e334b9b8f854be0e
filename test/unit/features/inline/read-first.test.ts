import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { defineTool, type Tool } from '../../../../src/agent/tool.ts';
import { maxTokensOf, readFirst } from '../../../../src/features/inline/core/read-first.ts';
import type { ChatRequest } from '../../../../src/service/contract.ts';
import { createManualClock, createScriptedClient, model, type ScriptedReply } from '../../agent/scripted-client.ts';

const request: ChatRequest = {
  model,
  surface: 'inline',
  maxTokens: 500,
  messages: [
    { role: 'system', text: 'You edit code.' },
    { role: 'user', text: 'Instruction: use round' },
  ],
};
const read = (text: string): Tool =>
  defineTool({
    name: 'read_file',
    kind: 'read',
    description: 'Reads.',
    parameters: z.object({ path: z.string() }),
    access: 'read',
    title: ({ path }) => `Read ${path}`,
    run: async () => ({ forModel: text }),
  });
const asking: Tool = defineTool<{ path: string }>({
  name: 'read_file',
  kind: 'read',
  description: 'Reads.',
  parameters: z.object({ path: z.string() }),
  access: 'read',
  title: ({ path }) => `Read ${path}`,
  plan: async () => ({
    approval: {
      subject: { kind: 'read', path: '.env', reason: 'secret', scope: 'file' },
      warnings: [],
      scopes: ['once'],
    },
    run: async () => ({ forModel: 'SECRET=1' }),
  }),
});
const call = (path: string): ScriptedReply => ({
  toolCalls: [{ name: 'read_file', arguments: JSON.stringify({ path }) }],
});
const answer: ScriptedReply = { text: '```\nround(a)\n```' };

async function run(script: readonly ScriptedReply[], tools: readonly Tool[], signal = new AbortController().signal) {
  const { client, requests } = createScriptedClient(script);
  const titles: string[] = [];
  const result = await readFirst(
    { client, tools, clock: createManualClock(), log: assert.fail },
    { request, turnId: 't1', signal, onEvent: () => undefined, onRead: (title) => titles.push(title) },
  );
  return { result, requests, titles };
}

const resultsIn = ({ messages }: ChatRequest) => messages.flatMap((one) => (one.role === 'tool' ? [one.text] : []));

describe('an answer before which the model may look at files', () => {
  it('F23 without tools is one request as it always was', async () => {
    const { result, requests } = await run([answer], []);
    assert.equal(result.outcome === 'done' && result.reply.text, answer.text);
    assert.deepEqual(requests, [request]);
  });

  it('F23 offers the tools, gives results as data, and keeps the settings and the surface', async () => {
    const { result, requests, titles } = await run([call('money.ts'), answer], [read('export const round = 1;')]);
    assert.equal(result.outcome === 'done' && result.reply.text, answer.text);
    assert.equal(result.attempts.length, 2);
    assert.deepEqual(titles, ['Read money.ts']);
    assert.deepEqual(
      requests[0]?.tools?.map(({ name }) => name),
      ['read_file'],
    );
    assert.match(JSON.stringify(requests[0]?.messages[0]), /You edit code\.\\nYou may look/);
    assert.deepEqual([requests[1]?.maxTokens, requests[1]?.surface], [500, 'inline']);
    assert.match(resultsIn(requests[1] ?? request).join(), /export const round = 1;/);
  });

  it('F23 makes three requests at most, the last without tools and with the word to answer', async () => {
    const { result, requests } = await run([call('a.ts'), call('b.ts'), answer], [read('text')]);
    assert.equal(result.outcome, 'done');
    assert.deepEqual(
      requests.map(({ tools }) => tools !== undefined),
      [true, true, false],
    );
    assert.match(JSON.stringify(requests[2]?.messages.at(-1)), /Answer now/);
  });

  it('F23 fails when the model calls tools to the end, and never runs a fourth request', async () => {
    const { result, requests } = await run([call('a.ts'), call('b.ts'), call('c.ts')], [read('text')]);
    assert.equal(result.outcome === 'failed' && result.failure.kind, 'malformed-tool-calls');
    assert.deepEqual([requests.length, result.attempts.length], [3, 3]);
  });

  it('F23 X18 refuses what would have to be asked about: the refusal is the result', async () => {
    const { requests } = await run([call('.env'), answer], [asking]);
    const [result = ''] = resultsIn(requests[1] ?? request);
    assert.doesNotMatch(result, /SECRET/);
    assert.match(result, /not|refus/i);
  });

  it('F23 cuts each result, and reads nothing more after two long ones', async () => {
    const long = 'x'.repeat(20_000);
    const calls: ScriptedReply = { toolCalls: [...(call('a').toolCalls ?? []), ...(call('b').toolCalls ?? [])] };
    const { requests } = await run([calls, call('c.ts'), answer], [read(long)]);
    const results = resultsIn(requests[2] ?? request);
    assert.ok(results.slice(0, 2).every((text) => text.length < 6100 && text.includes('cut here')));
    assert.match(results[2] ?? '', /Nothing more can be looked at/);
  });

  it('F23 stops in every request, and what was sent is counted', async () => {
    for (const before of [[], [call('a.ts')], [call('a.ts'), call('b.ts')]]) {
      const stop = new AbortController();
      const stopped: ScriptedReply = { outcome: 'stopped', during: () => stop.abort() };
      const { result } = await run([...before, stopped], [read('text')], stop.signal);
      assert.deepEqual([result.outcome, result.attempts.length], ['stopped', before.length + 1]);
    }
  });

  it('F23 promises a highest price that three requests with two long results do not exceed', async () => {
    const tokens = (text: string) => Math.ceil(text.length / 4);
    const { requests } = await run([call('a.ts'), call('b.ts'), answer], [read('x'.repeat(9000))]);
    const sent = requests.map(
      ({ messages, tools }) => tokens(JSON.stringify(messages)) + tokens(JSON.stringify(tools ?? '')),
    );
    const max = maxTokensOf({
      prompt: tokens(JSON.stringify(request.messages)) + 60,
      tools: tokens(JSON.stringify(requests[0]?.tools)),
      answer: 10,
    });
    const sum = sent.reduce((all, one) => all + one, 10);
    assert.ok(sum <= max, `${sum} of ${max}`);
    assert.ok(max < sum * 1.5, `${sum} of ${max}`);
  });
});
