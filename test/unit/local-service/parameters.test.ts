import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatRequest } from '../../service/chat-request.ts';
import { startLocalService } from '../../service/local-service.ts';
import { standInReply } from '../../service/stand-in-model.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { json, useService } from './harness.ts';

interface Completion {
  choices: {
    message: { content: string | null; tool_calls?: { function: { name: string } }[] };
    finish_reason: string;
  }[];
}

const question = [{ role: 'user', content: 'Hello' }];
const tools = [
  { type: 'function', function: { name: 'ring', parameters: { properties: { bell: { type: 'string' } } } } },
];

describe('local service: optional parameters', () => {
  const { chat, script } = useService();
  const ask = async (more: object) => (await json<Completion>(await chat({ messages: question, ...more }))).choices[0];

  it('S4 stop ends the text before the first sequence', async () => {
    for (const stop of ['two', ['three', 'two']]) {
      script({ replies: [{ text: 'one two three' }] });
      const choice = await ask({ stop });
      assert.deepEqual([choice?.message.content, choice?.finish_reason], ['one ', 'stop']);
    }
  });

  it('S4 S29 max_completion_tokens cuts the reply as max_tokens does', async () => {
    for (const name of ['max_tokens', 'max_completion_tokens']) {
      script({ replies: [{ text: 'one two three four five six' }] });
      const choice = await ask({ [name]: 2 });
      assert.equal(choice?.finish_reason, 'length', name);
    }
  });

  it('S4 n above 1 is refused', async () => {
    assert.equal((await chat({ messages: question, n: 1 })).status, 200);
    assert.equal((await chat({ messages: question, n: 2 })).status, 400);
  });

  it('S4 response_format gives JSON, in the form of the schema', async () => {
    const plain = await ask({ response_format: { type: 'json_object' } });
    assert.equal(typeof JSON.parse(plain?.message.content ?? '').answer, 'string');
    const schema = {
      type: 'object',
      properties: { said: { type: 'string' }, count: { type: 'integer' } },
      required: ['count'],
    };
    const formed = await ask({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } });
    const { said, count } = JSON.parse(formed?.message.content ?? '');
    assert.deepEqual([typeof said, count], ['string', 1]);
  });

  it('S4 tool_choice is obeyed', async () => {
    assert.equal((await ask({ tools, tool_choice: 'none' }))?.finish_reason, 'stop');
    for (const choice of ['required', { type: 'function', function: { name: 'ring' } }]) {
      assert.equal((await ask({ tools, tool_choice: choice }))?.message.tool_calls?.[0]?.function.name, 'ring');
    }
  });
});

describe('local service: long messages', () => {
  const long = 1_000_000;
  const named: Record<string, string> = {
    'letters in one line': 'a'.repeat(long),
    'letters and dots': 'a.'.repeat(long / 2),
    paths: 'a/'.repeat(long / 2),
    'opened tags': '<a>'.repeat(long / 3),
    'opened tags of many names': Array.from({ length: 100_000 }, (_, index) => `<t${index}>`).join(''),
    'halves of tags': '<a '.repeat(long / 3),
    backticks: '`'.repeat(long),
    'opened fences': '```a\n'.repeat(long / 5),
    'words that ask for a list': 'what list '.repeat(long / 10),
    'different words': Array.from({ length: 120_000 }, (_, index) => `word${index}`).join(' '),
    quotations: '"a" `b` '.repeat(long / 8),
    blanks: `a${' '.repeat(long)}b`,
  };
  for (const [what, content] of Object.entries(named)) {
    it(`X33 a megabyte of ${what} does not hold up the others`, async () => {
      const request = { model: 'svc/glm-5.3', messages: [{ role: 'user', content }] } as ChatRequest;
      const spent = await cpuMs(() => standInReply(request, () => 'c1'));
      assert.ok(spent < 5000, `${spent} ms`);
    });
  }

  it('X33 a long result of a tool is quoted in no time', async () => {
    const call = { id: 'c1', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } };
    for (const content of [`1\t${'a'.repeat(long)}`, '1\t// a '.padEnd(long, ' x'), '` '.repeat(long / 2)]) {
      const messages = [
        { role: 'user', content: `Explain a.ts ${'word '.repeat(20_000)}` },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content },
      ];
      const spent = await cpuMs(() => standInReply({ model: 'svc/glm-5.3', messages } as ChatRequest, () => 'c2'));
      assert.ok(spent < 5000, `${spent} ms`);
    }
  });

  it('forgets bodies where nobody looks at them', async () => {
    const service = await startLocalService({ keepBodies: false });
    try {
      const answer = await fetch(`${service.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-svc-local-demo', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'svc/glm-5.3', messages: question }),
      });
      await answer.text();
      const record = await service.waitForRequest(({ finishedAt }) => finishedAt !== undefined, 60_000);
      assert.deepEqual([record.rawBody, record.json, record.responseStatus], ['', undefined, 200]);
    } finally {
      await service.close();
    }
  });
});
