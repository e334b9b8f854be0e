import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { maxAnswerLength, minMicroUsd, runSubagent, savedBy } from '../../../src/agent/subagent.ts';
import { defineTool, type ToolAccess, type ToolKind } from '../../../src/agent/tool.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createScriptedClient, model, type ScriptedReply } from './scripted-client.ts';

const tool = (name: string, access: ToolAccess = 'read', kind: ToolKind = 'read', result = 'seen') =>
  defineTool({
    ...{ name, kind, access, description: name, parameters: z.object({ at: z.optional(z.number()) }) },
    title: ({ at }) => `${name} ${at}`,
    run: async () => ({ forModel: result }),
  });

async function run(script: readonly ScriptedReply[], tools = [tool('look')], max = 20_000) {
  const { client, requests } = createScriptedClient(script);
  const reads: string[] = [];
  const result = await runSubagent(
    {
      client,
      tools,
      systemPrompt: () => 'Rules.',
      estimate: ({ messages }) => 100 * messages.length,
      clock: systemClock,
      log: (line) => assert.fail(line),
    },
    {
      ...{ task: 'Find it.', model, request: { temperature: 0 }, maxMicroUsd: max, turnId: 't' },
      signal: new AbortController().signal,
      onRead: (title) => reads.push(title),
      onPaid: () => undefined,
    },
  );
  return { result, requests, reads };
}

const call = (at: number, name = 'look') => ({ toolCalls: [{ name, arguments: JSON.stringify({ at }) }] });

describe('a subagent', () => {
  it('F35 gets only tools that look, whatever it is given, and never one that asks a subagent', async () => {
    const tools = [
      tool('look'),
      tool('write', 'write', 'edit'),
      tool('run', 'execute', 'command'),
      tool('ask', 'ask', 'ask'),
      tool('ask_subagent', 'read', 'subagent'),
    ];
    const { requests, result } = await run([call(1, 'ask_subagent'), call(1, 'write'), { text: 'No.' }], tools);
    assert.deepEqual(
      requests[0]?.tools?.map(({ name }) => name),
      ['look'],
    );
    assert.match(JSON.stringify(requests[1]?.messages), /There is no tool named \\"ask_subagent\\"/);
    assert.match(JSON.stringify(requests[2]?.messages), /There is no tool named \\"write\\"/);
    assert.deepEqual([result.outcome, result.text, result.reads], ['finished', 'No.', []]);
  });

  it('F35 sends its settings, its surface, and no reply longer than was reckoned with', async () => {
    const { requests } = await run([{ text: 'Yes.' }]);
    const [{ surface, maxTokens, temperature } = assert.fail()] = requests;
    assert.deepEqual([surface, maxTokens, temperature], ['subagent', 4000, 0]);
  });

  it('F35 answers in 6,000 characters at most, and says where it was cut', async () => {
    const { result } = await run([{ text: 'word '.repeat(3000) }]);
    assert.ok(result.text.length <= maxAnswerLength);
    assert.match(result.text, /\n\[cut here: its answer was too long\]$/);
  });

  it('F35 the results of one step are cut to what the next request was reckoned with', async () => {
    const long = tool('look', 'read', 'read', 'x'.repeat(12_000));
    const two = { toolCalls: [...call(1).toolCalls, ...call(2).toolCalls, ...call(3).toolCalls] };
    const { requests } = await run([two, call(4), { text: 'Done.' }], [long]);
    const results = (requests[2]?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message.text] : []));
    const lengths = results.map((text) => text.replace(/[^x]/g, '').length);
    assert.deepEqual(lengths, [12_000, 4000, 0, 12_000], 'each step has room of its own');
    assert.match(results[2] ?? '', /cut here: ask for less at once/);
  });

  it('U17 reckons what it kept out of its conversation, and where it was ahead or behind', async () => {
    const { result } = await run([call(1), call(2), { text: 'Here.' }]);
    assert.deepEqual(
      [result.readRequests, result.briefTokens, result.laterReadTokens, result.paidTokens],
      [2, 90, 100, 300],
    );
    const { keptTokens, aheadTokens } = savedBy({ ...result, readTokens: 900 }, 10_090);
    // Its second look would have carried 10,000 tokens more; its first request and its answer came on top.
    assert.equal(aheadTokens, 10_000 - 200);
    assert.ok(keptTokens > 890 && keptTokens < 900, `${keptTokens}`);
    assert.equal(savedBy(result, 90).aheadTokens, -200, 'nothing is won over an empty conversation');
    assert.ok(savedBy({ ...result, readTokens: 0 }, 0).keptTokens < 0);
  });

  it('F35 U4 has room for one look and its answer, or is not begun', () => {
    assert.equal(minMicroUsd(1000), 5280);
  });
});
