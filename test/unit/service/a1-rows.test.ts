import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { finishReason } from '../../../src/service/wire/chunk-schema.ts';
import { bodyBytes, rows } from './a1-streams.ts';
import { call, calls, choice, createResponse, data, done, finish, read, start, text } from './wire-support.ts';

describe('rows of A1, one body each', () => {
  for (const row of rows) {
    it(row.title, async () => row.check(await read(bodyBytes(row), row.options)));
  }
});

describe('rows of A1 that need more than one body', () => {
  const said = (...pieces: string[]) =>
    read(
      calls(call({ index: 0, id: 'a', name: 'read_file', arguments: '' })) +
        pieces.map((piece) => calls(call({ index: 0, arguments: piece }))).join('') +
        finish('tool_calls') +
        done,
    );
  const anyArguments = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });

  it('W32b reads arguments that the last piece says once more as that piece, wherever the first saying ended', async () => {
    await fc.assert(
      fc.asyncProperty(anyArguments, fc.nat(), fc.nat(), async (value, end, cut) => {
        const first = JSON.stringify(value);
        const begun = first.slice(0, 1 + (end % first.length));
        const middle = cut % (begun.length + 1);
        const again = JSON.stringify(value, undefined, 1);
        const { reply } = await said(begun.slice(0, middle), begun.slice(middle), again);
        assert.deepEqual(JSON.parse(reply.toolCalls[0]?.arguments ?? ''), JSON.parse(first));
      }),
    );
  });

  it('W32b mends nothing else: pieces that say something different stay as they came', async () => {
    await fc.assert(
      fc.asyncProperty(anyArguments, anyArguments, async (one, other) => {
        const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
        if (second.startsWith(first)) return;
        const { reply } = await said(first, second);
        assert.equal(reply.toolCalls[0]?.arguments, first + second);
      }),
    );
  });

  it('W31 refuses an event that does not end', async () => {
    const piece = new TextEncoder().encode('x'.repeat(1024 * 1024));
    const beginning = new TextEncoder().encode('data: {"choices":[{"delta":{"content":"');
    const body = createResponse([beginning, ...Array.from({ length: 20 }, () => piece)], { ending: 'open' });
    const told = await start(body).done;
    assert.deepEqual(told.end, { kind: 'too-big' });
    assert.equal(told.cancelled, true);
  });

  it('W31 reads an event of 8 MB', async () => {
    const long = Array.from({ length: 1024 * 1024 }, (_, index) => `${1e7 + index}`).join('');
    const told = await read(text(long) + finish());
    assert.equal(told.reply.text, long);
    assert.equal(told.end.kind, 'ended');
  });

  it('W31 refuses a reply that does not end', async () => {
    const piece = new TextEncoder().encode(`: ${'x'.repeat(1024 * 1024)}\n\n`);
    const body = createResponse(
      Array.from({ length: 70 }, () => piece),
      { ending: 'open' },
    );
    const told = await start(body).done;
    assert.deepEqual(told.end, { kind: 'too-big' });
  });

  it('W47 gives up when nothing follows a delta for the idle time, and keeps the text', async () => {
    const running = start(createResponse([], { ending: 'open' }));
    running.body.push(text('Hello'));
    await running.clock.advance(89_000);
    assert.equal(running.body.cancelled(), false);
    await running.clock.advance(2000);
    const told = await running.done;
    assert.deepEqual(told.end, { kind: 'timeout', phase: 'idle' });
    assert.equal(told.reply.text, 'Hello');
    assert.equal(told.cancelled, true);
  });

  it('W48 is done at [DONE] although the socket stays open', async () => {
    const running = start(createResponse([], { ending: 'open' }));
    running.body.push(text('Hello') + finish() + done);
    const told = await running.done;
    assert.deepEqual(told.end, { kind: 'ended' });
    assert.equal(told.cancelled, true);
    assert.equal(running.clock.timers(), 0);
  });

  it('W48 waits seconds, not the idle time, when only usage can follow', async () => {
    const running = start(createResponse([], { ending: 'open' }));
    running.body.push(text('Hello') + finish());
    await running.clock.advance(11_000);
    const told = await running.done;
    assert.deepEqual(told.end, { kind: 'ended' });
    assert.equal(told.reply.evidence, 'finish');
  });

  it('W25 is complete when the connection breaks after the finish reason', async () => {
    const told = await read(text('Hello') + finish(), { ending: 'reset' });
    assert.deepEqual(told.end, { kind: 'ended' });
  });

  it('W65 W59 a reply that ends for its calls and has none has lost one, whatever it says', async () => {
    for (const reason of ['tool_calls', 'tool_use', 'function_call']) {
      for (const said of ['', text('Let me look.')]) {
        const { reply } = await read(said + finish(reason) + done);
        assert.equal(reply.toolMarkup, true, `${reason} ${said}`);
      }
    }
    const made = await read(
      calls(call({ index: 0, id: 'a', name: 'read_file', arguments: '{}' })) + finish('tool_calls'),
    );
    assert.equal(made.reply.toolMarkup, false);
    assert.equal((await read(text('All done.') + finish('stop') + done)).reply.toolMarkup, false);
  });

  it('W65 knows the words that real servers end with', () => {
    const wanted = {
      stop: ['stop', 'tool_calls', 'function_call', 'end', 'end_turn', 'eos', 'STOP'],
      length: ['length', 'max_tokens', 'model_context_window_exceeded', 'LENGTH'],
      'content-filter': ['content_filter', 'sensitive'],
      error: ['error', 'network_error', 'insufficient_system_resource'],
    };
    for (const [folded, words] of Object.entries(wanted)) {
      for (const word of words) assert.equal(finishReason(word), folded, word);
    }
    assert.equal(finishReason('something_new'), undefined);
  });

  it('W48 S25 waits as long as for the first event while a call may be forming (vllm-project/vllm#50604)', async () => {
    const named = calls(call({ index: 0, id: 'a', name: 'read_file', arguments: '' }));
    for (const [before, limit] of [
      [named, 180],
      [text('Let me read it:'), 180],
      [text('Let me read it.'), 180],
      [data(choice({ reasoning_content: 'I read it' })), 180],
      [text('Let me re'), 90],
    ] as const) {
      const running = start(createResponse([], { ending: 'open' }));
      running.body.push(before);
      await running.clock.advance((limit - 6) * 1000);
      assert.equal(running.body.cancelled(), false, before);
      await running.clock.advance(12_000);
      assert.deepEqual((await running.done).end, { kind: 'timeout', phase: 'idle' }, before);
    }
  });

  it('W68 lets comments extend the idle time once, not for ever', async () => {
    const running = start(createResponse([], { ending: 'open' }));
    running.body.push(text('Hello'));
    for (let seconds = 0; seconds < 170; seconds += 10) {
      running.body.push(': keep-alive\n\n');
      await running.clock.advance(10_000);
    }
    assert.equal(running.body.cancelled(), false);
    running.body.push(': keep-alive\n\n');
    await running.clock.advance(15_000);
    assert.deepEqual((await running.done).end, { kind: 'timeout', phase: 'idle' });
  });

  it('W69 waits for the first event as long as it may, then says so', async () => {
    const running = start(createResponse([], { ending: 'open' }));
    await running.clock.advance(179_000);
    assert.equal(running.body.cancelled(), false);
    await running.clock.advance(2000);
    assert.deepEqual((await running.done).end, { kind: 'timeout', phase: 'first-event' });
  });
});

/** Every row of the table, so that none is forgotten. */
const rowIds =
  'W00 W01 W02 W03 W04 W05 W06 W07 W08 W09 W10 W11 W12 W13 W14 W15 W16 W17 W18 W19 W20 W20b W21 W22 W23 W23b W23c W23d ' +
  'W24 W24b W24c W25 W26 W27 W28 W28b W29 W30 W31 W32 W32b W33 W34 W35 W36 W36b W37 W38 W39 W40 W41 W43 W45 W46 W46b W47 ' +
  'W48 W49 W50 W55 W57 W58 W59 W60 W61 W62 W63 W64 W65 W66 W67 W68 W69 W70 W71 W72 W73 W74 W75 W76 W77 W78';

describe('the table itself', () => {
  it('every row of the table A1 has a test', () => {
    const here = import.meta.dirname;
    const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const source = files.map((file) => readFileSync(join(here, file), 'utf8')).join('\n');
    const titled = new Set([...source.matchAll(/(?:it\(|title: )\s*['"`](W\d+[a-d]?) /g)].map((match) => match[1]));
    assert.deepEqual(
      rowIds.split(' ').filter((id) => !titled.has(id)),
      [],
    );
  });
});
