import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { createDirectFetch, type DirectFetch } from '../../../src/service/wire/direct-fetch.ts';
import {
  createTransport,
  type NetworkTransport,
  type Transport,
  type TransportDeps,
} from '../../../src/service/wire/transport.ts';
import { fetchThrough, makeCertificate, refusedPort, serve, serveProxy, serveSecurely, textOf } from './servers.ts';

interface Setup {
  transport: NetworkTransport;
  used: string[];
  lines: string[];
  inits: RequestInit[];
}

describe('the transport', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });
  const keep = <T extends { close(): Promise<void> }>(closable: T): T => {
    cleanUps.push(() => closable.close());
    return closable;
  };
  const signal = new AbortController().signal;

  /** Counts which way each request goes. */
  function create(deps: Partial<TransportDeps> & { editor?: Transport } = {}): Setup {
    const used: string[] = [];
    const lines: string[] = [];
    const inits: RequestInit[] = [];
    const editor = deps.editor ?? (() => Promise.reject(new TypeError('fetch failed')));
    let direct: DirectFetch | undefined;
    const transport = createTransport({
      loadDirect: () => {
        direct ??= keep(createDirectFetch());
        const through = direct;
        return Promise.resolve((url, init) => {
          used.push('direct');
          inits.push(init);
          return through(url, init);
        });
      },
      editorFetch: () => (url, init) => {
        used.push('editor');
        inits.push(init);
        return editor(url, init);
      },
      hasProxySetting: () => false,
      env: {},
      log: (line) => lines.push(line),
      ...deps,
    });
    return { transport, used, lines, inits };
  }

  it('goes directly where no proxy is configured', async () => {
    const server = keep(await serve((_, answer) => answer.end('ok')));
    const { transport, used, inits } = create();
    const response = await transport(`http://127.0.0.1:${server.port}/v1/models`, { signal });
    assert.equal(await textOf(response), 'ok');
    assert.deepEqual(used, ['direct']);
    assert.equal(inits[0]?.redirect, 'manual');
  });

  it('N02 N05 N06 goes through the forward proxy with the editor where a proxy is set or in the environment', async () => {
    const server = keep(await serve((asked, answer) => asked.pipe(answer)));
    const proxy = keep(await serveProxy(server.port));
    const editor: Transport = (url, init) => fetchThrough(proxy.port, url, String(init.body));
    const url = 'http://service.test:8080/v1/chat/completions';
    for (const configured of [{ hasProxySetting: () => true }, { env: { https_proxy: 'http://proxy.test' } }]) {
      const { transport, used, inits } = create({ editor, ...configured });
      const response = await transport(url, { method: 'POST', body: 'through', signal });
      assert.equal(await textOf(response), 'through');
      assert.deepEqual(used, ['editor']);
      assert.equal(inits[0]?.redirect, 'manual');
      assert.ok(!('dispatcher' in (inits[0] ?? {})));
    }
    assert.deepEqual(proxy.targets, ['service.test:8080', 'service.test:8080']);
  });

  it('N07 goes directly to this machine whatever proxy is set', async () => {
    const server = keep(await serve((_, answer) => answer.end('ok')));
    const { transport, used } = create({ hasProxySetting: () => true });
    await transport(`http://127.0.0.1:${server.port}/v1/models`, { signal });
    assert.deepEqual(used, ['direct']);
  });

  it('tries the editor once when the host refuses, and remembers what worked until the network changes', async () => {
    const port = await refusedPort();
    const { transport, used, lines } = create({ editor: () => Promise.resolve(new Response('ok')) });
    const url = `http://127.0.0.1:${port}/v1/models`;
    await transport(url, { signal });
    await transport(url, { signal });
    assert.deepEqual(used, ['direct', 'editor', 'editor']);
    assert.match(lines.join(), /ECONNREFUSED/);
    transport.networkChanged();
    await transport(url, { signal });
    assert.deepEqual(used.slice(3), ['direct', 'editor']);
  });

  it('tries the editor when the name is unknown', async () => {
    const { transport, used } = create({ editor: () => Promise.resolve(new Response('ok')) });
    await transport('https://no-such-host.invalid/v1/models', { signal });
    assert.deepEqual(used, ['direct', 'editor']);
  });

  it('remembers nothing when neither way works, and tells what the editor met', async () => {
    const port = await refusedPort();
    const { transport, used } = create({ editor: () => Promise.reject(new TypeError('no way')) });
    const url = `http://127.0.0.1:${port}/v1/models`;
    await assert.rejects(transport(url, { signal }), { message: 'no way' });
    await assert.rejects(transport(url, { signal }), { message: 'no way' });
    assert.deepEqual(used, ['direct', 'editor', 'direct', 'editor']);
  });

  it('N08 N09 tries the editor when the certificate is not trusted', async function () {
    const folder = mkdtempSync(join(tmpdir(), 'svc-certificate-'));
    cleanUps.push(() => rm(folder, { recursive: true }));
    const made = makeCertificate(folder);
    // Without openssl there is nothing to make a certificate with.
    if (made === undefined) return this.skip();
    const server = keep(await serveSecurely((_, answer) => answer.end('ok'), made.key, made.cert));
    const editor: Transport = (url) =>
      new Promise((resolve, reject) => {
        const asked = request(url, { ca: made.cert }, (answer) => {
          answer.resume();
          resolve(new Response('trusted', { status: answer.statusCode }));
        });
        asked.on('error', reject).end();
      });
    const { transport, used, lines } = create({ editor });
    const response = await transport(`https://127.0.0.1:${server.port}/v1/models`, { signal });
    assert.equal(await textOf(response), 'trusted');
    assert.deepEqual(used, ['direct', 'editor']);
    assert.match(lines.join(), /DEPTH_ZERO_SELF_SIGNED_CERT/);
  });

  it('T05 does not send a request twice that may have been read', async () => {
    const server = keep(await serve((asked) => asked.socket.resetAndDestroy()));
    const { transport, used } = create({ editor: () => Promise.resolve(new Response('ok')) });
    await assert.rejects(
      transport(`http://127.0.0.1:${server.port}/v1/chat/completions`, { method: 'POST', body: '{}', signal }),
    );
    assert.deepEqual(used, ['direct']);
  });

  it('does not try the editor after an abort', async () => {
    const { transport, used } = create({ editor: () => Promise.resolve(new Response('ok')) });
    const aborted = AbortSignal.abort(new Error('enough'));
    await assert.rejects(transport('http://127.0.0.1:9/v1/models', { signal: aborted }), { message: 'enough' });
    assert.deepEqual(used, ['direct']);
  });

  it('uses the editor when the direct connection cannot be loaded', async () => {
    const { transport, used, lines } = create({
      loadDirect: () => Promise.reject(new Error('no such file')),
      editor: () => Promise.resolve(new Response('ok')),
    });
    await transport.warm();
    await transport('https://service.test/v1/models', { signal });
    assert.deepEqual(used, ['editor']);
    assert.match(lines.join(), /no such file/);
  });

  it('N01 looks up the fetch of the editor at the time of the call', async () => {
    const original = globalThis.fetch;
    const { transport } = create({ editorFetch: undefined, hasProxySetting: () => true });
    globalThis.fetch = () => Promise.resolve(new Response('patched'));
    try {
      assert.equal(await textOf(await transport('https://service.test/v1/models', { signal })), 'patched');
    } finally {
      globalThis.fetch = original;
    }
  });
});
