import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { json, readStream, textOf, useService, type WholeReply } from './harness.ts';

describe('local service: broken streams', () => {
  const { chat, script, service, stream } = useService();
  const text = 'The quick brown fox jumps over the lazy dog.';

  it('W24 cuts the connection after exactly the given bytes and does not charge', async () => {
    for (const cutAfterBytes of [0, 1, 500, 777]) {
      script({ rules: [{ effect: { cutAfterBytes } }], replies: [{ text }] });
      const reply = await stream();
      assert.equal(reply.status, 200);
      assert.equal(Buffer.byteLength(reply.raw), cutAfterBytes);
      assert.equal(reply.broken, true);
    }
    assert.deepEqual(service().charges, []);
  });

  it('W48 can cut right after the last byte of [DONE]', async () => {
    script({ replies: [{ text, times: 2 }] });
    const cutAfterBytes = Buffer.byteLength((await stream()).raw);
    script({ replies: [{ text }], rules: [{ effect: { cutAfterBytes } }] });
    const reply = await stream();
    assert.ok(reply.done && reply.broken);
  });

  it('W24 ends the body cleanly after exactly the given bytes, whole replies too', async () => {
    script({ rules: [{ effect: { endAfterBytes: 600 } }], replies: [{ text }] });
    const reply = await stream();
    assert.equal(Buffer.byteLength(reply.raw), 600);
    assert.equal(reply.broken, false);
    assert.equal(reply.done, false);
    script({ rules: [{ effect: { endAfterBytes: 50 } }], replies: [{ text }] });
    assert.equal((await (await chat()).text()).length, 50);
    assert.deepEqual(service().charges, []);
  });

  it('cuts whole replies inside their JSON', async () => {
    script({ rules: [{ effect: { cutAfterBytes: 50 } }], replies: [{ text }] });
    await assert.rejects((await chat()).text(), TypeError);
    assert.deepEqual(service().charges, []);
  });

  it('cuts multi-byte characters in half', async () => {
    script({ rules: [{ effect: { raw: { pieces: ['é'] }, cutAfterBytes: 1 } }] });
    const reply = await readStream(await chat());
    assert.equal(reply.broken, true);
    script({ rules: [{ effect: { raw: { pieces: ['é'] }, endAfterBytes: 1 } }] });
    assert.deepEqual([...new Uint8Array(await (await chat()).arrayBuffer())], [0xc3]);
  });

  it('W02 W25 W26 leaves out usage, finish or [DONE]', async () => {
    script({
      replies: [{ text, times: 3 }],
      rules: [
        { match: { nth: 1 }, effect: { omitUsage: true } },
        { match: { nth: 2 }, effect: { omitFinish: true } },
        { match: { nth: 3 }, effect: { omitDone: true } },
      ],
    });
    const finished = (reply: { events: { choices: { finish_reason: string | null }[] }[] }): boolean =>
      reply.events.some((event) => event.choices[0]?.finish_reason === 'stop');
    const [noUsage, noFinish, noDone] = [await stream(), await stream(), await stream()];
    assert.ok(noUsage.done && finished(noUsage) && noUsage.events.every((event) => event.usage === undefined));
    assert.ok(noFinish.done && !finished(noFinish) && textOf(noFinish) === text);
    assert.ok(!noDone.done && finished(noDone) && noDone.events.at(-1)?.usage !== undefined);
    script({ rules: [{ effect: { omitUsage: true } }] });
    assert.equal((await json<WholeReply>(await chat())).usage, undefined);
  });

  it('W01 sends cumulative usage on every chunk', async () => {
    script({ rules: [{ effect: { usageOnEveryChunk: true } }], replies: [{ text }] });
    const counts = (await stream()).events.map((event) => event.usage?.completion_tokens ?? -1);
    assert.equal(counts[0], 0);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    );
    assert.equal(counts.at(-1), 11);
  });

  it('W23 W23d sends an error event in the middle of a stream, also as a named event', async () => {
    const body = { error: { code: 500, message: 'broke' } };
    script({ rules: [{ effect: { streamError: { afterChunks: 3, body, event: 'error' } } }], replies: [{ text }] });
    const reply = await stream();
    assert.equal(textOf({ ...reply, events: reply.events.slice(0, 3) }), 'The quick ');
    assert.match(reply.raw, /event: error\ndata: \{"error":\{"code":500,"message":"broke"\}\}\n\n$/);
    assert.deepEqual(service().charges, []);
  });

  it('W75 replies under another model id', async () => {
    script({ rules: [{ effect: { replyModel: 'other/model' } }] });
    assert.equal((await stream()).events[0]?.model, 'other/model');
  });

  it('sends scripted chunks verbatim before [DONE]', async () => {
    const chunks = [
      { choices: [{ delta: { content: 'x', odd: 1 } }] },
      { choices: null, usage: { prompt_tokens: '3' } },
    ];
    script({ replies: [{ chunks }] });
    const reply = await stream();
    assert.deepEqual(reply.events, chunks);
    assert.ok(reply.done);
    assert.equal(service().charges.length, 1);
  });

  it('W21 sends raw bytes in the given pieces with any status and content type', async () => {
    const smile = Buffer.from('data: {"a":"😀"}\r\n\r\n');
    const pieces = [smile.subarray(0, 14), { base64: smile.subarray(14).toString('base64') }, ': end\n'];
    script({ rules: [{ effect: { raw: { status: 202, contentType: 'text/odd', pieces, gapMs: 1 } } }] });
    const response = await chat();
    assert.equal(response.status, 202);
    assert.equal(response.headers.get('content-type'), 'text/odd');
    assert.equal(await response.text(), `${smile}: end\n`);
  });

  it('raw bytes can end in a cut connection', async () => {
    script({ rules: [{ effect: { raw: { pieces: ['data: {}\n\n'], end: 'cut' } } }] });
    const reply = await readStream(await chat());
    assert.equal(reply.raw, 'data: {}\n\n');
    assert.equal(reply.broken, true);
  });
});
