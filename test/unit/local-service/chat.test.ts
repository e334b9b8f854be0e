import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { priceMicroUsd } from '../../service/billing.ts';
import { countTokens, takeTokens } from '../../service/tokens.ts';
import { type ErrorBody, json, textOf, useService, type WholeReply } from './harness.ts';

const replyText = 'One two three four five.';

describe('local service: a chat completion', () => {
  const { chat, script, service, stream } = useService();

  it('S5 gives a whole reply with text, finish and usage', async () => {
    script({ replies: [{ text: replyText }] });
    const reply = await json<WholeReply>(await chat());
    assert.equal(reply.object, 'chat.completion');
    assert.equal(reply.model, 'svc/glm-5.3');
    assert.deepEqual(reply.choices, [
      { index: 0, message: { role: 'assistant', content: replyText }, finish_reason: 'stop' },
    ]);
    assert.deepEqual(reply.usage, { prompt_tokens: 6, completion_tokens: 6, total_tokens: 12 });
  });

  it('S22 streams the common format: role, words, finish, usage beside empty choices, [DONE]', async () => {
    script({ replies: [{ text: replyText, reasoning: 'Let me count.' }] });
    const reply = await stream();
    assert.equal(reply.events[0]?.choices[0]?.delta.role, 'assistant');
    assert.equal(textOf(reply), replyText);
    assert.equal(
      reply.events.map((event) => event.choices[0]?.delta.reasoning_content ?? '').join(''),
      'Let me count.',
    );
    assert.ok(reply.events.length > 8);
    assert.equal(reply.events.at(-2)?.choices[0]?.finish_reason, 'stop');
    assert.deepEqual(reply.events.at(-1)?.choices, []);
    assert.ok((reply.events.at(-1)?.usage?.completion_tokens ?? 0) > 0);
    assert.ok(reply.raw.endsWith('data: [DONE]\n\n'));
  });

  it('streams no usage unless it was asked for', async () => {
    const reply = await stream({ stream_options: undefined });
    assert.ok(reply.events.every((event) => event.usage === undefined));
    assert.equal(service().charges.length, 1);
  });

  it('S23 streams tool calls in fragments with index, id and name first', async () => {
    const args = { path: 'src/a-rather-long-name.ts', startLine: 1 };
    script({
      replies: [
        {
          toolCalls: [
            { name: 'read_file', arguments: args },
            { name: 'list', arguments: '{"path":' },
          ],
        },
      ],
    });
    const reply = await stream();
    const deltas = reply.events.flatMap((event) => event.choices[0]?.delta.tool_calls ?? []);
    const first = deltas.filter(({ index }) => index === 0);
    assert.equal(first[0]?.function.name, 'read_file');
    assert.match(first[0]?.id ?? '', /^call_\d+$/);
    assert.ok(first.length > 3);
    assert.ok(first.slice(1).every(({ id }) => id === undefined));
    assert.deepEqual(JSON.parse(first.map((delta) => delta.function.arguments).join('')), args);
    const second = deltas.filter(({ index }) => index === 1);
    assert.equal(second.map((delta) => delta.function.arguments).join(''), '{"path":');
    assert.equal(reply.events.at(-2)?.choices[0]?.finish_reason, 'tool_calls');
  });

  it('accepts the history of a tool call: null content, tool role, unconfirmed fields', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const response = await chat({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
      temperature: 0.2,
      top_p: 1,
      seed: 7,
      stop: ['x'],
      tool_choice: 'auto',
      max_tokens: 100,
    });
    assert.equal(response.status, 200);
  });

  it('S29 max_tokens cuts the reply and says `length`, also inside tool arguments', async () => {
    script({ replies: [{ text: replyText }, { toolCalls: [{ name: 'f', arguments: { text: 'x'.repeat(100) } }] }] });
    const text = await json<WholeReply>(await chat({ max_tokens: 2 }));
    assert.equal(text.choices[0]?.message.content, 'One two ');
    assert.equal(text.choices[0]?.finish_reason, 'length');
    assert.equal(text.usage?.completion_tokens, 2);
    const call = await json<WholeReply>(await chat({ max_tokens: 5 }));
    assert.equal(call.choices[0]?.finish_reason, 'length');
    assert.throws(() => JSON.parse(call.choices[0]?.message.tool_calls?.[0]?.function.arguments ?? ''), SyntaxError);
  });

  it('S13 keeps no memory: only the messages sent are counted, all of them each time', async () => {
    const turns = Array.from({ length: 10 }, (_, index) => ({
      role: index % 2 ? 'assistant' : 'user',
      content: 'word '.repeat(20),
    }));
    const one = await json<WholeReply>(await chat({ messages: turns.slice(0, 1) }));
    const ten = await json<WholeReply>(await chat({ messages: turns }));
    const again = await json<WholeReply>(await chat({ messages: turns.slice(0, 1) }));
    assert.equal(ten.usage?.prompt_tokens, 10 * (one.usage?.prompt_tokens ?? 0));
    assert.equal(again.usage?.prompt_tokens, one.usage?.prompt_tokens);
  });

  it('counts system text and tool definitions as input', async () => {
    const tools = [
      { type: 'function', function: { name: 'unused_thing', description: 'd'.repeat(400), parameters: {} } },
    ];
    const plain = await json<WholeReply>(await chat());
    const withTools = await json<WholeReply>(await chat({ tools }));
    assert.ok((withTools.usage?.prompt_tokens ?? 0) > (plain.usage?.prompt_tokens ?? 0) + 100);
  });
});

describe('local service: billing', () => {
  const { chat, script, service, stream } = useService({ balanceUsd: 0.000_01 });

  it('S11 draws 0.33 USD per million tokens, in whole micro-dollars, rounded half up', () => {
    assert.equal(priceMicroUsd(1_000_000), 330_000);
    assert.equal(priceMicroUsd(0), 0);
    assert.equal(priceMicroUsd(1), 0);
    assert.equal(priceMicroUsd(2), 1);
    assert.equal(priceMicroUsd(50), 17); // 16.5
    fc.assert(
      fc.property(fc.nat(100_000_000), (tokens) => {
        const price = priceMicroUsd(tokens);
        assert.ok(Number.isSafeInteger(price));
        assert.ok(price * 100 - tokens * 33 <= 50 && price * 100 - tokens * 33 > -50);
      }),
    );
  });

  it('S11 S12 charges what usage says and draws the balance down', async () => {
    script({ replies: [{ text: 'abcdefgh' }] });
    const { usage } = await json<WholeReply>(await chat());
    assert.deepEqual(service().charges, [
      { requestIndex: 0, model: 'svc/glm-5.3', promptTokens: 6, completionTokens: 2, microUsd: 3 },
    ]);
    assert.equal(usage?.total_tokens, 8);
    assert.equal(service().balanceMicroUsd(), 10 - 3);
    assert.equal(service().totalTokens(), 8);
  });

  it('S10 does not charge empty replies, whole or streamed, nor failed calls', async () => {
    script({
      replies: [{}, {}, { reasoning: 'Thinking without a word.' }],
      rules: [{ match: { nth: 4 }, effect: { capacity: {} } }],
    });
    assert.equal((await chat()).status, 200);
    assert.ok((await stream()).done);
    assert.ok((await stream()).done);
    assert.equal((await chat()).status, 503);
    assert.deepEqual(service().charges, []);
    assert.equal(service().balanceMicroUsd(), 10);
  });

  it('S26 refuses with 402 once the balance is used up, and serves again after a top-up of 5 USD or more', async () => {
    script({ replies: [{ text: 'x'.repeat(400) }] });
    assert.equal((await chat()).status, 200);
    assert.ok(service().balanceMicroUsd() <= 0);
    const refused = await chat();
    assert.equal(refused.status, 402);
    assert.equal((await json<ErrorBody>(refused)).error.code, 402);
    assert.throws(() => service().topUp(4.99), /5 USD/);
    service().topUp(5);
    assert.equal((await chat()).status, 200);
  });

  it('takes tokens without splitting a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, tokens) => {
        const taken = takeTokens(text, tokens);
        assert.ok(text.startsWith(taken));
        assert.ok(countTokens(taken) <= tokens);
        assert.ok(taken.isWellFormed() || !text.isWellFormed());
      }),
    );
  });
});
