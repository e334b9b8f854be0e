import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { readReply } from '../../../src/service/wire/read-reply.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { bodyBytes, rows } from './a1-streams.ts';
import {
  call,
  calls,
  choice,
  createResponse,
  data,
  done,
  essence,
  finish,
  model,
  read,
  readPieces,
  start,
  text,
  toBytes,
  usage,
} from './wire-support.ts';

/** Cuts bytes at the given places, in any order and with repetitions. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
    (left, right) => left - right,
  );
  let from = 0;
  return ends.map((end) => {
    const piece = bytes.subarray(from, end);
    from = end;
    return piece;
  });
}

const anyRow = fc.constantFrom(...rows.filter((row) => bodyBytes(row).length < 100_000));
const anyPlaces = fc.array(fc.nat(200_000), { maxLength: 12 });

const streamed =
  data(choice({ role: 'assistant', content: '' })) +
  data(choice({ reasoning_content: 'Hm.' })) +
  text('Ich prüfe 世界. ') +
  text('"quoted" \\ and\n') +
  text('plain') +
  calls(call({ index: 0, id: 'a', name: 'edit_file', arguments: '{"path":' })) +
  calls(call({ index: 0, arguments: '"ä.ts"}' })) +
  calls(call({ index: 1, id: 'b', name: 'read_file', arguments: '{}' })) +
  finish('tool_calls', usage(5, 6)) +
  done;

describe('reading a reply', () => {
  it('N15 gives the same events and reply however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyRow, anyPlaces, async (row, places) => {
        const bytes = bodyBytes(row);
        const whole = await readPieces([bytes], row.options);
        const pieces = await readPieces(cut(bytes, places), row.options);
        // How far the reading of a broken or endless body got says nothing about the reply.
        assert.deepEqual(essence(pieces), essence(whole), row.title);
      }),
      { numRuns: 400 },
    );
  });

  it('gives the same events and reply byte by byte', async () => {
    for (const row of rows) {
      const bytes = bodyBytes(row);
      if (bytes.length > 20_000) continue;
      const single = await readPieces(
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        row.options,
      );
      assert.deepEqual(essence(single), essence(await readPieces([bytes], row.options)), row.title);
    }
  });

  it('yields no tool call from a stream cut at any byte before its terminal evidence', async () => {
    for (const line of ['\n', '\r\n', '\r']) {
      const bytes = toBytes(streamed.replaceAll('\n', line));
      const evidence = new TextDecoder().decode(bytes).indexOf('"finish_reason":"tool_calls"');
      assert.ok(evidence > 0);
      const firstWhole = toBytes(new TextDecoder().decode(bytes).slice(0, evidence)).length;
      for (let length = 0; length <= bytes.length; length++) {
        for (const ending of line === '\n' ? (['eof', 'reset'] as const) : (['eof'] as const)) {
          const { reply } = await readPieces([bytes.subarray(0, length)], { ending });
          if (reply.evidence === 'none') assert.deepEqual(reply.toolCalls, [], `cut at ${length}`);
          if (length <= firstWhole) assert.equal(reply.evidence, 'none', `cut at ${length}`);
        }
      }
      assert.equal((await readPieces([bytes])).reply.toolCalls.length, 2);
    }
  });

  it('yields no tool call from any row cut anywhere without terminal evidence', async () => {
    await fc.assert(
      fc.asyncProperty(anyRow, fc.nat(200_000), async (row, place) => {
        const bytes = bodyBytes(row);
        const { reply } = await readPieces([bytes.subarray(0, place % (bytes.length + 1))], {
          ...row.options,
          ending: 'eof',
        });
        if (reply.evidence === 'none') assert.deepEqual(reply.toolCalls, []);
      }),
      { numRuns: 300 },
    );
  });

  it('takes any bytes without throwing (X32)', async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc
          .constantFrom('data: ', '\n\n', '{"choices":[', '<', 'event: error\n', '[DONE]', 'data: null\n\n', '\ufeff')
          .map(toBytes),
        fc.json().map((json) => toBytes(`data: ${json}\n\n`)),
        fc.json().map((json) => toBytes(data(choice(JSON.parse(json), 'stop')))),
        fc.json().map((json) => toBytes(calls(JSON.parse(json)))),
      ),
      { maxLength: 12 },
    );
    const contentType = fc.constantFrom('text/event-stream', 'application/json', 'text/html', '');
    await fc.assert(
      fc.asyncProperty(pieces, contentType, async (bytes, type) => {
        const { reply } = await readPieces(bytes, { contentType: type });
        assert.ok(reply.text.length >= 0);
        if (reply.evidence === 'none') assert.deepEqual(reply.toolCalls, []);
      }),
      { numRuns: 500 },
    );
  });

  it('reads chunks that differ only in their text as it reads all others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 30 }), async (texts) => {
        const plain = texts.map((one) => text(one)).join('') + finish();
        const varied =
          texts.map((one, index) => data({ ...choice({ content: one }), id: `${index}` })).join('') + finish();
        const told = await read(plain);
        assert.equal(told.reply.text, texts.join('').toWellFormed());
        assert.deepEqual(essence(told), essence(await read(varied)));
      }),
    );
  });

  it('stops at once when it is told to, keeps what came and closes the body (T09)', async () => {
    const running = start(createResponse([], { ending: 'open' }));
    running.body.push(text('Hello') + calls(call({ index: 0, id: 'a', name: 'x', arguments: '{}' })));
    await running.clock.advance(10);
    running.abort.abort();
    const told = await running.done;
    assert.deepEqual(told.end, { kind: 'stopped' });
    assert.equal(told.reply.text, 'Hello');
    assert.deepEqual(told.reply.toolCalls, []);
    assert.equal(told.cancelled, true);
    assert.equal(running.clock.timers(), 0);
  });

  it('does not begin when it was stopped before', async () => {
    const body = createResponse([toBytes(text('Hello') + finish())]);
    const running = start(body);
    running.abort.abort();
    assert.equal((await running.done).end.kind, 'stopped');
  });

  it('takes a stream that slept with the machine for stalled (T13)', async () => {
    const running = start(createResponse([], { ending: 'open' }));
    running.body.push(text('Hello'));
    await running.clock.advance(6000);
    running.clock.suspend(3_600_000);
    await running.clock.advance(12_000);
    assert.deepEqual((await running.done).end, { kind: 'timeout', phase: 'idle' });
  });

  it('goes on with a stream that outlived the sleep of the machine (T13)', async () => {
    const running = start(createResponse([], { ending: 'open' }));
    running.body.push(text('Hello'));
    await running.clock.advance(6000);
    running.clock.suspend(3_600_000);
    await running.clock.advance(5000);
    running.body.push(text(' world') + finish() + done);
    assert.equal((await running.done).reply.text, 'Hello world');
  });

  it('tells text that is neither events nor JSON by its label', async () => {
    const told = await read('upstream connect error', { contentType: 'text/plain' });
    assert.equal(told.end.kind, 'protocol');
    assert.equal((await read('{"choices":[{"mess', { contentType: 'application/json' })).end.kind, 'protocol');
  });

  it('reads events that are labelled as a page or as JSON (rule 5)', async () => {
    for (const contentType of ['text/html', 'application/json', '']) {
      const told = await read(text('Hello') + finish(), { contentType });
      assert.equal(told.reply.text, 'Hello', contentType);
    }
  });

  it('gives way to the rest of the host during a burst (P1)', async () => {
    const burst = toBytes(
      Array.from({ length: 200_000 }, (_, index) => text(`word ${(index * 7919).toString(36)} `)).join('') + finish(),
    );
    // Turns of the event loop that others got meanwhile: a count, so that a busy machine changes nothing.
    let turns = 0;
    let reading = true;
    const takeTurn = () => {
      turns += 1;
      if (reading) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    let events = 0;
    const told = await readReply(createResponse([burst]).response, {
      requestedModel: model,
      model,
      signal: new AbortController().signal,
      firstEventMs: 10_000,
      idleMs: 10_000,
      clock: systemClock,
      onEvent: () => {
        events += 1;
      },
    }).finally(() => {
      reading = false;
    });
    assert.equal(told.end.kind, 'ended');
    // One event per slice, not per chunk.
    assert.ok(events < 20_000, `${events} events`);
    assert.ok(turns > 2, `${turns} turns`);
  });

  it('P2 spends the same on every piece of long arguments', async () => {
    const pieces = (count: number) =>
      calls(call({ index: 0, id: 'a', name: 'create_file', arguments: '{"text":"' })) +
      Array.from({ length: count }, (_, at) => calls(call({ index: 0, arguments: `word ${10_000 + at} ` }))).join('') +
      calls(call({ index: 0, arguments: '"}' })) +
      finish('tool_calls') +
      done;
    const body = toBytes(pieces(32_000));
    let told: Awaited<ReturnType<typeof readPieces>> | undefined;
    const spent = await cpuMs(async () => (told = await readPieces([body])));
    assert.equal(told?.reply.toolCalls[0]?.arguments.length, '{"text":""}'.length + 32_000 * 'word 10000 '.length);
    // A pass over all arguments at every piece takes 20 s, one over the piece alone 0.3 s.
    assert.ok(spent < 5000, `${spent} ms`);
  });
});
