import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { createDirectFetch } from '../../../src/service/wire/direct-fetch.ts';
import { readReply } from '../../../src/service/wire/read-reply.ts';
import { bodyOf, type Recording, readRecordings } from '../../support/provider-streams.ts';
import { settle } from './fake-clock.ts';
import { serve } from './servers.ts';
import { essence, model, read, readPieces, type Told, toBytes } from './wire-support.ts';

const finishes: Readonly<Record<string, string>> = { stop: 'stop', tool_calls: 'stop', length: 'length' };

function assertMeant({ reply, end }: Told, { meant }: Recording): void {
  // Blanks around tags of thinking belong to neither.
  assert.equal(reply.text.trim(), meant.text.trim());
  assert.equal(reply.reasoning.trim(), meant.reasoning.trim());
  assert.deepEqual(reply.toolCalls, meant.calls);
  assert.equal(reply.finish, meant.finish === null ? 'none' : finishes[meant.finish]);
  assert.equal(reply.damagedEvents, 0);
  if (meant.error === undefined) assert.deepEqual(end, { kind: 'ended' });
  else assert.ok(end.kind === 'error-body' && JSON.stringify(end.body).includes(JSON.stringify(meant.error)));
  assert.deepEqual(reply.usage, meant.usage === null ? undefined : counted(meant.usage));
}

function counted({ prompt, total }: { prompt: number; total: number }) {
  return { promptTokens: prompt, completionTokens: total - prompt, totalTokens: total, estimated: false };
}

function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((left, right) => left - right);
  return [0, ...ends].map((from, index) => bytes.subarray(from, ends[index] ?? bytes.length));
}

describe('what real providers sent', () => {
  const recordings = readRecordings();

  it('is at least fifty recordings, each with its source', () => {
    assert.ok(recordings.length >= 50);
    for (const { source } of recordings) assert.ok(source.repository !== '' && source.path !== '');
  });

  for (const recording of recordings) {
    const body = bodyOf(recording);

    it(`is read as it was meant: ${recording.file}`, async () => {
      const told = await read(body);
      assertMeant(told, recording);
      const whole = essence(told);
      const crlf = body.replaceAll('\n', '\r\n');
      assert.deepEqual(essence(await read(crlf)), whole);
      const commented = body.replaceAll('\n\n', '\n\n: keep-alive\n\n:\n');
      assert.deepEqual(essence(await read(`: begin\n\n${commented}`)), whole);
    });

    it(`means the same however it is cut: ${recording.file}`, async () => {
      const bytes = toBytes(body);
      const whole = essence(await read(bytes));
      const each = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
      assert.deepEqual(essence(await readPieces(each)), whole);
      const crlf = toBytes(body.replaceAll('\n', '\r\n'));
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(), { maxLength: 40 }), fc.boolean(), async (places, hasCrlf) => {
          assert.deepEqual(essence(await readPieces(cutAt(hasCrlf ? crlf : bytes, places))), whole);
        }),
        { numRuns: 10 },
      );
    });
  }

  it('is read the same over a real connection, in whatever pieces the network makes', async () => {
    const server = await serve(async ({ url }, answer) => {
      const recording = recordings[Number(url?.slice(1))];
      const bytes = toBytes(recording === undefined ? '' : bodyOf(recording));
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of cutAt(bytes, [7, 97, 1009, 4001, 7919])) {
        answer.write(piece);
        await settle();
      }
      answer.end();
    });
    const direct = createDirectFetch();
    const signal = new AbortController().signal;
    try {
      for (const [index, recording] of recordings.entries()) {
        const response = await direct(`http://127.0.0.1:${server.port}/${index}`, { signal });
        const { reply, end } = await readReply(response, {
          requestedModel: model,
          model,
          tools: new Set(['read_file', 'edit_file']),
          signal,
          firstEventMs: 60_000,
          idleMs: 60_000,
          clock: systemClock,
          onEvent: () => undefined,
        });
        const { reply: wanted, end: wantedEnd } = await read(bodyOf(recording));
        assert.deepEqual([reply, end], [wanted, wantedEnd], recording.file);
      }
    } finally {
      await direct.close();
      await server.close();
    }
  });
});
