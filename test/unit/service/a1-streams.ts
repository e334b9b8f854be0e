import assert from 'node:assert/strict';
import type { ReplyCall } from '../../../src/service/contract.ts';
import { estimateTokens } from '../../../src/service/tokens.ts';
import {
  type BodyOptions,
  call,
  calls,
  choice,
  data,
  done,
  finish,
  model,
  type Told,
  text,
  toBytes,
  usage,
} from './wire-support.ts';

/** One row: what a server sends and what has to come of it. The id and the sentence are the test's title. */
export interface Row {
  title: string;
  body: string | Uint8Array;
  options?: BodyOptions;
  check(told: Told): void;
}

const readA: ReplyCall = { name: 'read_file', arguments: '{"path":"a.ts"}' };
const readB: ReplyCall = { name: 'read_file', arguments: '{"path":"b.ts"}' };
const ok = (told: Told, wanted = 'Hello world') => {
  assert.deepEqual(told.end, { kind: 'ended' });
  assert.equal(told.reply.text, wanted);
  assert.equal(told.reply.evidence, 'finish');
  assert.equal(told.reply.damagedEvents, 0);
};
const called = (told: Told, ...wanted: ReplyCall[]) => assert.deepEqual(told.reply.toolCalls, wanted);
const hello = text('Hello') + text(' world');
const counts = (told: Told) => told.reply.usage;
const counted = (promptTokens: number, completionTokens: number, estimated = false) => ({
  promptTokens,
  completionTokens,
  totalTokens: promptTokens + completionTokens,
  estimated,
});
const errorEnd = (told: Told, body: unknown) => assert.deepEqual(told.end, { kind: 'error-body', body });
const callFinish = finish('tool_calls') + done;
const whole = (message: object, more: object = {}) => ({
  id: 'x',
  object: 'chat.completion',
  model,
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  ...more,
});
const isEmpty = (told: Told) => {
  assert.equal(told.end.kind, 'ended');
  assert.equal(told.reply.text, '');
  called(told);
};

export const rows: readonly Row[] = [
  {
    title: 'W00 reads usage from a last chunk without choices',
    body: hello + finish() + data({ choices: [], ...usage(7, 2) }) + done,
    check: (told) => {
      ok(told);
      assert.deepEqual(counts(told), counted(7, 2));
    },
  },
  {
    title: 'W01 takes the last of many usages and never adds them up',
    body: text('Hello', null, usage(7, 1)) + text(' world', null, usage(7, 2)) + finish('stop', usage(7, 3)) + done,
    check: (told) => {
      ok(told);
      assert.deepEqual(counts(told), counted(7, 3));
    },
  },
  {
    title: 'W02 says nothing of usage when the service says nothing',
    body: hello + finish() + done,
    check: (told) => {
      ok(told);
      assert.equal(counts(told), undefined);
    },
  },
  {
    title: 'W03 reads usage beside choices that are null',
    body: hello + finish() + data({ choices: null, ...usage(7, 2) }) + done,
    check: (told) => {
      ok(told);
      assert.deepEqual(counts(told), counted(7, 2));
    },
  },
  {
    title: 'W04 reads the finish reason beside a delta that is null',
    body: hello + data(choice(null, 'length')) + done,
    check: (told) => {
      ok(told);
      assert.equal(told.reply.finish, 'length');
    },
  },
  {
    title: 'W05 shows no text for content that is null or a role alone',
    body: data(choice({ role: 'assistant', content: null })) + data(choice({ role: 'assistant' })) + hello + finish(),
    check: (told) => ok(told),
  },
  {
    title: 'W06 keeps reasoning apart from text',
    body:
      data(choice({ reasoning_content: 'Let me ' })) + data(choice({ reasoning_content: 'see.' })) + hello + finish(),
    check: (told) => {
      ok(told);
      assert.equal(told.reply.reasoning, 'Let me see.');
      assert.deepEqual(
        told.events.map((event) => event.type),
        ['reasoning', 'text'],
      );
    },
  },
  {
    title: 'W07 takes one of two fields that repeat the same reasoning',
    body:
      data(choice({ reasoning: 'Hm.', reasoning_content: 'Hm.' })) +
      data(choice({ reasoning: ' So.', reasoning_content: '' })) +
      hello +
      finish(),
    check: (told) => {
      ok(told);
      assert.equal(told.reply.reasoning, 'Hm. So.');
    },
  },
  {
    title: 'W08 joins calls without index by their ids',
    body:
      calls(call({ id: 'a', name: 'read_file', arguments: '{"path":' })) +
      calls(call({ arguments: '"a.ts"}' })) +
      calls(call({ id: 'b', name: 'read_file', arguments: '{"path":' })) +
      calls(call({ arguments: '"b.ts"}' })) +
      callFinish,
    check: (told) => called(told, readA, readB),
  },
  {
    title: 'W09 takes a repeated id for the same call',
    body:
      calls(call({ index: 0, id: 'a', name: 'read_file', arguments: '{"path":' })) +
      calls(call({ index: 0, id: 'a', arguments: '"a.ts"}' })) +
      callFinish,
    check: (told) => called(told, readA),
  },
  {
    title: 'W10 takes an empty id for none',
    body:
      calls(call({ index: 0, id: 'a', name: 'read_file', arguments: '{"path":' })) +
      calls(call({ index: 0, id: '', arguments: '"a.ts"}' })) +
      callFinish,
    check: (told) => called(told, readA),
  },
  {
    title: 'W11 does not lengthen a name that is repeated',
    body:
      calls(call({ index: 0, id: 'a', name: 'read_file', arguments: '{"path":' })) +
      calls(call({ index: 0, name: 'read_file', arguments: '"a.ts"}' })) +
      callFinish,
    check: (told) => called(told, readA),
  },
  {
    title: 'W12 writes arguments that are an object as JSON',
    body: calls(call({ index: 0, id: 'a', name: 'read_file', arguments: { path: 'a.ts' } })) + callFinish,
    check: (told) => called(told, readA),
  },
  {
    title: 'W13 hands on cut arguments as they are, so that strict parsing refuses them',
    body: calls(call({ index: 0, id: 'a', name: 'read_file', arguments: '{"path":"a' })) + callFinish,
    check: (told) => called(told, { name: 'read_file', arguments: '{"path":"a' }),
  },
  {
    title: 'W14 reads several whole calls from one chunk',
    body:
      calls(
        call({ name: 'read_file', arguments: readA.arguments }),
        call({ name: 'read_file', arguments: readB.arguments }),
      ) + callFinish,
    check: (told) => called(told, readA, readB),
  },
  {
    title: 'W15 keeps the calls of a reply that ends with stop',
    body: calls(call({ index: 0, id: 'a', ...readA })) + finish('stop') + done,
    check: (told) => called(told, readA),
  },
  {
    title: 'W16 keeps two calls apart that share an index',
    body: calls(call({ index: 0, id: 'a', ...readA })) + calls(call({ index: 0, id: 'b', ...readB })) + callFinish,
    check: (told) => called(told, readA, readB),
  },
  {
    title: 'W17 reads fields without a space',
    body: (hello + finish()).replaceAll('data: ', 'data:'),
    check: (told) => ok(told),
  },
  {
    title: 'W18 reads lines that end in CR LF',
    body: (hello + finish()).replaceAll('\n', '\r\n'),
    check: (told) => ok(told),
  },
  {
    title: 'W19 reads lines that end in CR',
    body: (hello + finish()).replaceAll('\n', '\r'),
    check: (told) => ok(told),
  },
  {
    title: 'W20 ignores keep-alive comments',
    body: `: OPENROUTER PROCESSING\n\n${text('Hello')}: OPENROUTER PROCESSING\n\n${text(' world')}${finish()}`,
    check: (told) => ok(told),
  },
  {
    title: 'W20b ignores a comment inside an event',
    body: `: wait\n${hello}: wait\n${finish()}`,
    check: (told) => ok(told),
  },
  {
    title: 'W21 puts characters together that were cut between packets',
    body: text('Grüße, 世界 👩‍👩‍👧') + finish(),
    check: (told) => ok(told, 'Grüße, 世界 👩‍👩‍👧'),
  },
  {
    title: 'W22 reports an error that comes as the first event',
    body: data({ error: { code: 429, message: 'busy' } }) + hello + finish() + done,
    check: (told) => {
      errorEnd(told, { error: { code: 429, message: 'busy' } });
      assert.equal(told.visible, false);
    },
  },
  {
    title: 'W23 keeps the text before an error in mid-stream and runs nothing',
    body:
      hello + calls(call({ index: 0, id: 'a', ...readA })) + finish('error', { error: { code: 502, message: 'gone' } }),
    check: (told) => {
      assert.equal(told.end.kind, 'error-body');
      assert.equal(told.reply.text, 'Hello world');
      assert.equal(told.reply.finish, 'error');
      called(told);
    },
  },
  {
    title: 'W23b knows the error object of vLLM',
    body: data({ object: 'error', message: 'bad', code: 400 }),
    check: (told) => errorEnd(told, { object: 'error', message: 'bad', code: 400 }),
  },
  {
    title: 'W23c knows the error text of TGI',
    body: data({ error: 'Model is overloaded', error_type: 'overloaded' }),
    check: (told) => errorEnd(told, { error: 'Model is overloaded', error_type: 'overloaded' }),
  },
  {
    title: 'W23d knows an event called error whatever it holds',
    body: `${hello}event: error\ndata: out of memory\n\n`,
    check: (told) => {
      errorEnd(told, 'out of memory');
      assert.equal(told.reply.text, 'Hello world');
    },
  },
  {
    title: 'W24 keeps the text of a reply that breaks off and calls it incomplete',
    body: hello,
    check: (told) => {
      assert.deepEqual(told.end, { kind: 'ended' });
      assert.equal(told.reply.text, 'Hello world');
      assert.equal(told.reply.evidence, 'none');
    },
  },
  {
    title: 'W24b runs nothing from arguments that break off',
    body: calls(call({ index: 0, id: 'a', name: 'read_file', arguments: '{"path":"a' })),
    check: (told) => called(told),
  },
  {
    title: 'W24c runs nothing from whole arguments without a finish',
    body: calls(call({ index: 0, id: 'a', ...readA })),
    check: (told) => {
      called(told);
      assert.equal(told.reply.evidence, 'none');
    },
  },
  { title: 'W25 is content with a finish reason without [DONE]', body: hello + finish(), check: (told) => ok(told) },
  {
    title: 'W26 accepts [DONE] without a finish reason as inferred',
    body: hello + calls(call({ index: 0, id: 'a', ...readA })) + done,
    check: (told) => {
      assert.equal(told.reply.evidence, 'inferred');
      called(told, readA);
    },
  },
  {
    title: 'W27 tells a broken connection and keeps what came',
    body: hello,
    options: { ending: 'reset' },
    check: (told) => {
      assert.equal(told.end.kind, 'reset');
      assert.equal(told.reply.text, 'Hello world');
      assert.equal(told.visible, true);
    },
  },
  {
    title: 'W28 reads a whole reply in place of a stream',
    body: JSON.stringify(
      whole(
        { content: 'Hello world', reasoning_content: 'Hm.', tool_calls: [call({ id: 'a', ...readA })] },
        usage(3, 4),
      ),
    ),
    options: { contentType: 'application/json' },
    check: (told) => {
      ok(told);
      called(told, readA);
      assert.deepEqual(counts(told), counted(3, 4));
      assert.equal(told.reply.reasoning, 'Hm.');
    },
  },
  {
    title: 'W28b reports an error body with status 200, also when it is labelled as events',
    body: JSON.stringify({ error: { message: 'no' } }),
    check: (told) => errorEnd(told, { error: { message: 'no' } }),
  },
  {
    title: 'W29 keeps only the title of a web page',
    body: '<!doctype html><html><head><title>Hotel\n Wi-Fi &amp; more</title></head><body><h1>Sign in</h1></body></html>',
    options: { contentType: 'text/html' },
    check: (told) => {
      assert.deepEqual(told.end, { kind: 'html', title: 'Hotel Wi-Fi & more' });
      assert.equal(told.reply.text, '');
    },
  },
  {
    title: 'W32 takes a second finish chunk for the first and its usage for the last',
    body: hello + finish('stop', usage(5, 1)) + text('', 'stop', usage(5, 2)) + done,
    check: (told) => {
      ok(told);
      assert.deepEqual(counts(told), counted(5, 2));
    },
  },
  {
    title: 'W32b drops a tool chunk that was sent twice',
    body: calls(call({ index: 0, id: 'a', ...readA })).repeat(2) + callFinish,
    check: (told) => called(told, readA),
  },
  {
    title: 'W33 tells which calls stood in a reply that was cut by the length limit, so that they can be answered',
    body: calls(call({ index: 0, id: 'a', ...readA })) + finish('length') + done,
    check: (told) => {
      called(told, readA);
      assert.equal(told.reply.finish, 'length');
    },
  },
  {
    title: 'W34 tells that a content filter ended the reply and runs nothing',
    body: hello + calls(call({ index: 0, id: 'a', ...readA })) + finish('content_filter') + done,
    check: (told) => {
      assert.equal(told.reply.finish, 'content-filter');
      called(told);
    },
  },
  {
    title: 'W35 takes an empty finish reason for none',
    body: text('Hello', '') + text(' world', ''),
    check: (told) => {
      assert.equal(told.reply.evidence, 'none');
      assert.equal(told.reply.finish, 'none');
    },
  },
  {
    title: 'W36 reads a reply of a role and a stop as empty',
    body: data(choice({ role: 'assistant', content: '' })) + finish() + done,
    check: (told) => {
      isEmpty(told);
      assert.equal(told.visible, false);
    },
  },
  { title: 'W36b reads [DONE] alone as empty', body: done, check: isEmpty },
  { title: 'W36b reads a body of no bytes as empty', body: '', check: isEmpty },
  {
    title: 'W37 reads a last event without its line end',
    body: (hello + finish()).trimEnd(),
    check: (told) => ok(told),
  },
  { title: 'W38 strips a byte order mark', body: `\ufeff${hello}${finish()}`, check: (told) => ok(told) },
  {
    title: 'W39 W86 marks the place of a malformed event, counts it and keeps what it was',
    body: `${text('You must')}data: {"choices":[{"delta":{"content":" not"\n\n${text(' do that')}${finish()}${done}`,
    check: (told) => {
      assert.equal(told.reply.text, 'You must [… a part was lost here …]  do that');
      assert.deepEqual(told.events, [{ type: 'text', text: told.reply.text }]);
      assert.equal(told.reply.damagedEvents, 1);
      assert.deepEqual(told.reply.lost, ['{"choices":[{"delta":{"content":" not"']);
    },
  },
  {
    title: 'W86 marks what was lost at the end and in reasoning, and nothing that a cut or a count lost',
    body:
      data(choice({ reasoning_content: 'Let me' })) +
      'data: {"choi\n\n' +
      hello +
      'data: {"choices\n\n' +
      finish() +
      'data: {"usage\n\n' +
      done,
    check: (told) => {
      assert.equal(told.reply.reasoning, 'Let me [… a part was lost here …] ');
      assert.equal(told.reply.text, 'Hello world [… a part was lost here …] ');
      assert.equal(told.reply.damagedEvents, 3);
      assert.equal(told.reply.lost?.length, 2);
    },
  },
  {
    title: 'W86 takes an event that the end of the connection cut for what it is',
    body: `${hello}data: {"choices":[{"del`,
    check: (told) => {
      assert.equal(told.reply.text, 'Hello world');
      assert.equal(told.reply.evidence, 'none');
      assert.equal(told.reply.lost, undefined);
    },
  },
  {
    title: 'W84 takes typed parts of thinking for reasoning',
    body:
      data(choice({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Let me ' }] }] })) +
      data(
        choice({
          content: [
            { type: 'thinking', thinking: 'see.' },
            { type: 'text', text: 'Hello' },
          ],
        }),
      ) +
      data(choice({ content: [{ type: 'text', text: ' world' }] })) +
      finish() +
      done,
    check: (told) => {
      ok(told);
      assert.equal(told.reply.reasoning, 'Let me see.');
    },
  },
  {
    title: 'W84 reads the details of reasoning where there is nothing else',
    body: data(choice({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] })) + hello + finish() + done,
    check: (told) => {
      ok(told);
      assert.equal(told.reply.reasoning, 'Hm.');
    },
  },
  {
    title: 'W85 stops arguments that repeat themselves',
    body:
      calls(call({ index: 0, id: 'a', name: 'read_file', arguments: '{"path":"' })) +
      calls(call({ index: 0, arguments: 'and then again ' })).repeat(600),
    options: { ending: 'open' },
    check: (told) => {
      assert.deepEqual(told.end, { kind: 'repetition' });
      called(told);
    },
  },
  {
    title: 'W90 keeps two calls with one id apart by their indexes',
    body:
      calls(call({ index: 0, id: 'same', name: 'read_file', arguments: '{"path":' })) +
      calls(call({ index: 1, id: 'same', name: 'read_file', arguments: '{"path":' })) +
      calls(call({ index: 0, id: 'same', arguments: '"a.ts"}' })) +
      calls(call({ index: 1, arguments: '"b.ts"}' })) +
      callFinish,
    check: (told) => called(told, readA, readB),
  },
  {
    title: 'W28 reads a whole reply in an envelope',
    body: JSON.stringify({ success: true, data: whole({ content: 'Hello world' }) }),
    options: { contentType: 'application/json' },
    check: (told) => ok(told),
  },
  {
    title: 'W40 sorts interleaved calls by their index',
    body:
      calls(call({ index: 0, id: 'a', name: 'read_file', arguments: '{"path":' })) +
      calls(call({ index: 1, id: 'b', name: 'read_file', arguments: '{"path":' })) +
      calls(call({ index: 0, arguments: '"a.ts"}' })) +
      calls(call({ index: 1, arguments: '"b.ts"}' })) +
      callFinish,
    check: (told) => called(told, readA, readB),
  },
  {
    title: 'W41 takes data that begins with a colon for a comment',
    body: `data: : OPENROUTER PROCESSING\n\n${hello}data: : OPENROUTER PROCESSING\n\n${finish()}`,
    check: (told) => ok(told),
  },
  {
    title: 'W43 reads nothing after [DONE] and closes the body',
    body: hello + finish() + done + text(' and more'),
    options: { ending: 'open' },
    check: (told) => {
      ok(told);
      assert.equal(told.cancelled, true);
    },
  },
  {
    title: 'W45 joins an event of several data lines',
    body: `${hello}data: {"choices":[{"delta":{},\ndata: "finish_reason":"stop"}]}\n\n`,
    check: (told) => ok(told),
  },
  {
    title: 'W46 takes a huge index for a name',
    body: calls(call({ index: 4294967295, id: 'a', ...readA })) + callFinish,
    check: (told) => called(told, readA),
  },
  {
    title: 'W46 reads at most 128 calls and counts the rest as damage',
    body: calls(...Array.from({ length: 130 }, (_, index) => call({ index, id: `id${index}`, ...readA }))) + callFinish,
    check: (told) => {
      assert.equal(told.reply.toolCalls.length, 128);
      assert.equal(told.reply.damagedEvents, 2);
    },
  },
  {
    title: 'W46b takes an index called __proto__ for a name',
    body:
      calls(call({ index: '__proto__', id: 'a', name: 'read_file', arguments: '{"path":' })) +
      calls(call({ index: '__proto__', arguments: '"a.ts"}' })) +
      callFinish,
    check: (told) => {
      called(told, readA);
      assert.equal(Object.hasOwn(Object.prototype, 'id'), false);
    },
  },
  {
    title: 'W49 keeps calls without id apart by their index',
    body: calls(call({ index: 0, ...readA })) + calls(call({ index: 1, ...readB })) + callFinish,
    check: (told) => called(told, readA, readB),
  },
  {
    title: 'W50 accepts a name that comes after the arguments began',
    body:
      calls(call({ index: 0, id: 'a', arguments: '{"path":' })) +
      calls(call({ index: 0, name: 'read_file', arguments: '"a.ts"}' })) +
      callFinish,
    check: (told) => called(told, readA),
  },
  {
    title: 'W55 finds usage inside the choice',
    body: hello + data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', ...usage(9, 1) }] }) + done,
    check: (told) => assert.deepEqual(counts(told), counted(9, 1)),
  },
  {
    title: 'W57 ignores an empty role',
    body: data(choice({ role: '', content: 'Hello' })) + data(choice({ role: '', content: ' world' })) + finish(),
    check: (told) => ok(told),
  },
  {
    title: 'W58 joins content that comes in parts',
    body: data(choice({ content: [{ type: 'text', text: 'Hello' }, { type: 'image' }, ' world'] })) + finish(),
    check: (told) => ok(told),
  },
  {
    title: 'W59 hides tool markup in text, reports it and makes no call of it',
    body:
      text('Let me look.') +
      text('<|tool_calls_sec') +
      text('tion_begin|><|tool_call_begin|>functions.edit_file:0{"path":"a"}') +
      text('<|tool_calls_section_end|>') +
      finish() +
      done,
    check: (told) => {
      assert.equal(told.reply.text, 'Let me look.');
      assert.equal(told.reply.toolMarkup, true);
      called(told);
      assert.deepEqual(told.events, [{ type: 'text', text: 'Let me look.' }]);
    },
  },
  {
    title: 'W59 hides the section markup of Kimi K3',
    body: text('Look: <|close|>response') + text('<|open|>tools<|sep|>{"name":"read_file"}') + finish() + done,
    check: (told) => {
      assert.equal(told.reply.text, 'Look: ');
      assert.equal(told.reply.toolMarkup, true);
    },
  },
  {
    title: 'W60 ignores empty lists of calls on text',
    body:
      data(choice({ content: 'Hello', tool_calls: [] })) +
      data(choice({ content: ' world', tool_calls: null })) +
      finish(),
    check: (told) => {
      ok(told);
      called(told);
    },
  },
  {
    title: 'W61 hands on empty arguments as they are',
    body: calls(call({ index: 0, id: 'a', name: 'get_problems', arguments: '' })) + callFinish,
    check: (told) => called(told, { name: 'get_problems', arguments: '' }),
  },
  {
    title: 'W62 reads text, finish and usage from one chunk',
    body: text('Hello') + text(' world', 'stop', usage(4, 2)) + done,
    check: (told) => {
      ok(told);
      assert.deepEqual(counts(told), counted(4, 2));
    },
  },
  {
    title: 'W63 goes on after a finish reason that comes with every chunk',
    body: text('Hello', 'stop') + text(' world', 'stop') + done,
    check: (told) => ok(told),
  },
  {
    title: 'W63 asks for new evidence when calls go on after a finish reason',
    body: text('Hello', 'stop') + calls(call({ index: 0, id: 'a', ...readA })),
    check: (told) => {
      called(told);
      assert.equal(told.reply.evidence, 'none');
    },
  },
  {
    title: 'W64 stops after two hundred equal signs of reasoning',
    body: data(choice({ reasoning_content: '!' })).repeat(1800),
    options: { ending: 'open' },
    check: (told) => {
      assert.deepEqual(told.end, { kind: 'repetition' });
      assert.equal(told.reply.reasoning, '!'.repeat(200));
      assert.equal(told.cancelled, true);
    },
  },
  {
    title: 'W64 stops after 2000 characters of a short period',
    body: Array.from({ length: 900 }, (_, index) => text(index % 2 === 0 ? 'abc' : 'abcabc')).join('') + finish(),
    check: (told) => {
      assert.deepEqual(told.end, { kind: 'repetition' });
      assert.ok(told.reply.text.length >= 1000 && told.reply.text.length <= 3000, `${told.reply.text.length}`);
    },
  },
  {
    title: 'W65 folds foreign finish reasons',
    body: hello + finish('model_context_window_exceeded') + done,
    check: (told) => assert.equal(told.reply.finish, 'length'),
  },
  {
    title: 'W66 relies on [DONE] where the finish reason has another spelling',
    body: hello + data({ choices: [{ index: 0, delta: {}, finishReason: 'STOP' }] }) + done,
    check: (told) => assert.equal(told.reply.evidence, 'inferred'),
  },
  {
    title: 'W70 cleans tool names of prefix and number',
    body:
      calls(
        call({ index: 0, id: 'functions.read_file:0', name: 'functions.read_file:0', arguments: readA.arguments }),
      ) + callFinish,
    check: (told) => called(told, readA),
  },
  {
    title: 'W71 unwraps arguments that were encoded twice',
    body:
      calls(call({ index: 0, id: 'a', name: 'read_file', arguments: JSON.stringify(readA.arguments) })) + callFinish,
    check: (told) => called(told, readA),
  },
  {
    title: 'W72 reads a finish for calls without any call as empty',
    body: data(choice({ role: 'assistant', content: '' })) + callFinish,
    check: isEmpty,
  },
  {
    title: 'W73 reads reasoning alone as empty and keeps it',
    body: data(choice({ reasoning_content: 'Hm.' })) + finish() + done,
    check: (told) => {
      isEmpty(told);
      assert.equal(told.reply.reasoning, 'Hm.');
    },
  },
  {
    title: 'S11 W74 takes the total for what is billed, and says so when its parts do not add up to it',
    body: hello + finish('stop', { usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 99 } }),
    check: (told) => assert.deepEqual(counts(told), { ...counted(4, 2, true), totalTokens: 99 }),
  },
  {
    title: 'W74 does not count with texts, negative numbers or nothing',
    body: hello + finish('stop', usage('12', -3)) + data({ choices: [], usage: { prompt_tokens: null } }),
    check: (told) => assert.equal(counts(told), undefined),
  },
  {
    title: 'W74 estimates the reply when only the prompt is counted',
    body: hello + finish('stop', usage(4)),
    check: (told) => assert.deepEqual(counts(told), counted(4, estimateTokens('Hello world', model), true)),
  },
  {
    title: 'W75 tells the model that the reply names when it is another',
    body: text('Hello', null, { model: 'svc/kimi-k3' }) + text(' world', 'stop', { model: 'svc/kimi-k3' }),
    check: (told) => {
      assert.equal(told.reply.reportedModel, 'svc/kimi-k3');
      assert.equal(told.reply.model, model);
    },
  },
  {
    title: 'W75 does not take a missing prefix for another model',
    body: text('Hello', 'stop', { model: 'glm-5.3' }),
    check: (told) => assert.equal(told.reply.reportedModel, undefined),
  },
  {
    title: 'W76 reads choice 0 only, wherever it stands',
    body:
      data({
        choices: [
          { index: 1, delta: { content: 'No' } },
          { index: 0, delta: { content: 'Hello' } },
        ],
      }) +
      data({ choices: [{ index: 1, delta: { content: 'No' }, finish_reason: 'length' }] }) +
      text(' world', 'stop'),
    check: (told) => {
      ok(told);
      assert.equal(told.reply.finish, 'stop');
    },
  },
];

export function bodyBytes({ body }: Row): Uint8Array {
  return typeof body === 'string' ? toBytes(body) : body;
}
