import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { classifyNetworkError } from '../../../src/service/failure/classify-network.ts';
import { createDirectFetch, type DirectFetch } from '../../../src/service/wire/direct-fetch.ts';
import { readReply } from '../../../src/service/wire/read-reply.ts';
import { settle } from './fake-clock.ts';
import { type RunningServer, refusedPort, serve, textOf } from './servers.ts';
import { finish, model, text } from './wire-support.ts';

describe('the direct connection', () => {
  let direct: DirectFetch;
  let server: RunningServer | undefined;
  const never = () => new AbortController().signal;
  const at = (path = '/v1/models') => `http://127.0.0.1:${server?.port}${path}`;

  beforeEach(() => {
    direct = createDirectFetch();
  });
  afterEach(async () => {
    await direct.close();
    await server?.close();
    server = undefined;
  });

  it('sends what it is given and returns status, headers and body', async () => {
    server = await serve(async (asked, answer) => {
      const body = (await asked.setEncoding('utf8').toArray()).join('');
      answer
        .writeHead(201, { 'x-one': ['a', 'b'] })
        .end(`${asked.method} ${asked.url} ${asked.headers.authorization} ${body}`);
    });
    const headers = { authorization: 'Bearer x' };
    const response = await direct(at('/v1/chat/completions?q=1'), {
      method: 'POST',
      headers,
      body: 'grüße',
      signal: never(),
    });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('x-one'), 'a, b');
    assert.equal(await textOf(response), 'POST /v1/chat/completions?q=1 Bearer x grüße');
  });

  it('N14 N18 a server without encryption under an https address is a wrong address, not a certificate', async () => {
    server = await serve((_, answer) => answer.end('ok'));
    const error = await direct(at().replace('http:', 'https:'), { signal: never() }).catch((reason: unknown) => reason);
    const failure = classifyNetworkError(error, { endpoint: 'GET /models', at: '', redact: (text) => text });
    assert.deepEqual([failure.kind, failure.facts?.cause], ['wrong-address', 'tls'], JSON.stringify(failure));
  });

  it('uses one connection for one request after the other', async () => {
    server = await serve((_, answer) => answer.end('ok'));
    for (let turn = 0; turn < 3; turn++) {
      assert.equal(await textOf(await direct(at(), { signal: never() })), 'ok');
      // undici lends a connection again one turn of the event loop after its last answer.
      await settle();
    }
    assert.equal(server.connections(), 1);
  });

  it('W77 does not follow a redirect and shows where it leads', async () => {
    server = await serve((_, answer) => answer.writeHead(307, { location: 'https://elsewhere.test/v1' }).end());
    const response = await direct(at(), { signal: never() });
    assert.equal(response.status, 307);
    assert.equal(response.headers.get('location'), 'https://elsewhere.test/v1');
  });

  it('W30 decodes what a proxy compressed on the way, piece by piece', async () => {
    const body = text('Hello') + finish();
    const encodings: Record<string, (body: string) => Uint8Array> = {
      gzip: gzipSync,
      br: brotliCompressSync,
      deflate: deflateSync,
      zstd: zstdCompressSync,
      'gzip, br': (plain) => brotliCompressSync(gzipSync(plain)),
      'zstd,identity': zstdCompressSync,
    };
    for (const [encoding, compress] of Object.entries(encodings)) {
      server = await serve((_, answer) => {
        answer
          .writeHead(200, { 'content-encoding': encoding, 'content-type': 'text/event-stream' })
          .end(compress(body));
      });
      const response = await direct(at(), { signal: never() });
      const told = await readReply(response, {
        requestedModel: model,
        model,
        signal: never(),
        firstEventMs: 5000,
        idleMs: 5000,
        clock: systemClock,
        onEvent: () => undefined,
      });
      assert.equal(told.reply.text, 'Hello', encoding);
      await server.close();
    }
  });

  it('returns a response without a body for 204', async () => {
    server = await serve((_, answer) => answer.writeHead(204).end());
    const response = await direct(at(), { signal: never() });
    assert.equal(response.body, null);
  });

  it('T09 closes the socket after an abort, before and after the headers', async () => {
    for (const withHeaders of [false, true]) {
      let closed: Promise<unknown> | undefined;
      const asked = Promise.withResolvers<void>();
      server = await serve((_, answer) => {
        closed = once(answer, 'close');
        if (withHeaders) answer.writeHead(200).write('data: {}\n\n');
        asked.resolve();
      });
      const abort = new AbortController();
      const response = direct(at(), { signal: abort.signal });
      await asked.promise;
      if (withHeaders) await response;
      abort.abort(new Error('enough'));
      if (withHeaders) await assert.rejects(textOf(await response), { message: 'enough' });
      else await assert.rejects(response, { message: 'enough' });
      await closed;
      await server.close();
    }
  });

  it('T09 closes the socket when the body is cancelled', async () => {
    const closed = Promise.withResolvers<void>();
    server = await serve((_, answer) => {
      answer.on('close', closed.resolve);
      answer.writeHead(200).write('data: {}\n\n');
    });
    const response = await direct(at(), { signal: never() });
    await response.body?.getReader().cancel();
    await closed.promise;
  });

  it('sends nothing when it was aborted before', async () => {
    server = await serve((_, answer) => answer.end('ok'));
    await assert.rejects(direct(at(), { signal: AbortSignal.abort(new Error('enough')) }), { message: 'enough' });
    assert.equal(server.connections(), 0);
  });

  it('holds the other side back while nobody reads', async () => {
    const total = 64 * 1024 * 1024;
    let written = 0;
    server = await serve((_, answer) => {
      const piece = Buffer.alloc(64 * 1024);
      const go = (): void => {
        while (written < total) {
          written += piece.length;
          if (!answer.write(piece)) {
            answer.once('drain', go);
            return;
          }
        }
        answer.end();
      };
      go();
    });
    const response = await direct(at(), { signal: never() });
    const reader = response.body?.getReader();
    await reader?.read();
    const seen = new Set<number>();
    // Written data stops growing once every buffer on the way is full.
    while (!seen.has(written)) {
      seen.add(written);
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(written < total, `${written}`);
    let received = 0;
    for (;;) {
      const read = await reader?.read();
      if (read === undefined || read.done) break;
      received += read.value?.byteLength ?? 0;
    }
    assert.ok(received > total / 2);
  });

  it('X32 unpacks only as much as is read, however much a few bytes stand for', async () => {
    for (const [encoding, bomb] of [
      ['gzip', gzipSync(Buffer.alloc(32 * 1024 * 1024))],
      ['br', brotliCompressSync(Buffer.alloc(32 * 1024 * 1024))],
    ] as const) {
      server = await serve((_, answer) => answer.writeHead(200, { 'content-encoding': encoding }).end(bomb));
      const reader = (await direct(at(), { signal: never() })).body?.getReader();
      let largest = 0;
      for (let time = 0; time < 5; time++) {
        const read = await reader?.read();
        largest = Math.max(largest, read?.value?.byteLength ?? 0);
        for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
      }
      assert.ok(largest <= 512 * 1024, `${encoding}: ${largest} bytes at once`);
      await reader?.cancel();
      await server.close();
    }
  });

  it('X53 connects to what its lookup says and asks it for each connection', async () => {
    server = await serve((_, answer) => answer.writeHead(200, { connection: 'close' }).end('ok'));
    const names: string[] = [];
    let isClosed = false;
    const named = createDirectFetch({
      lookup: (name, { all }, done) => {
        names.push(name);
        if (isClosed) return done(Object.assign(new Error('closed'), { code: 'CLOSED' }), '');
        return all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
      },
    });
    const ask = () => named(`http://nowhere.example.org:${server?.port}/`, { signal: never() });
    assert.equal(await textOf(await ask()), 'ok');
    assert.equal(await textOf(await ask()), 'ok');
    isClosed = true;
    const failure = await ask().catch((error: unknown) => error);
    assert.ok(failure instanceof TypeError && failure.cause instanceof Error && 'code' in failure.cause);
    assert.equal(failure.cause.code, 'CLOSED');
    assert.deepEqual([names, server.connections()], [Array(3).fill('nowhere.example.org'), 2]);
    await named.close();
  });

  it('N14 gives a refusal the shape of fetch and says that nothing was sent', async () => {
    const port = await refusedPort();
    const failure = await direct(`http://127.0.0.1:${port}/v1`, { signal: never() }).catch((error: unknown) => error);
    assert.ok(failure instanceof TypeError && failure.cause instanceof Error && 'code' in failure.cause);
    assert.equal(failure.cause.code, 'ECONNREFUSED');
    assert.equal('notSent' in failure && failure.notSent, true);
  });

  it('N17 W98 asks a list once more when a kept connection breaks before it answers, and says so of what costs', async () => {
    let requests = 0;
    const reset = new WeakSet<object>();
    server = await serve((asked, answer) => {
      requests += 1;
      if (reset.has(asked.socket)) asked.socket.resetAndDestroy();
      else {
        reset.add(asked.socket);
        answer.end('ok');
      }
    });
    await textOf(await direct(at(), { signal: never() }));
    await settle();
    assert.equal(await textOf(await direct(at(), { signal: never() })), 'ok');
    assert.equal(requests, 3);
    await settle();
    const sent = direct(at(), { method: 'POST', body: '{}', signal: never() });
    const failure = await sent.catch((error: unknown) => error);
    assert.ok(failure instanceof TypeError && 'unread' in failure && failure.unread === true);
    assert.equal(requests, 4);
  });

  it('N17 does not ask again when a new connection breaks', async () => {
    let requests = 0;
    server = await serve((asked) => {
      requests += 1;
      asked.socket.resetAndDestroy();
    });
    const failure = await direct(at(), { method: 'POST', body: '{}', signal: never() }).catch(
      (error: unknown) => error,
    );
    assert.ok(failure instanceof TypeError);
    assert.equal('notSent' in failure && failure.notSent, false);
    assert.equal(requests, 1);
  });

  it('N17 does not ask again when the answer had begun (T03)', async () => {
    let requests = 0;
    const seen = new WeakSet<object>();
    server = await serve((asked, answer: ServerResponse) => {
      requests += 1;
      if (!seen.has(asked.socket)) {
        seen.add(asked.socket);
        answer.end('ok');
        return;
      }
      answer.writeHead(200).write('data: {}\n\n', () => asked.socket.resetAndDestroy());
    });
    await textOf(await direct(at(), { signal: never() }));
    await settle();
    const outcome = direct(at(), { signal: never() }).then(textOf);
    await assert.rejects(outcome);
    assert.equal(requests, 2);
  });
});
