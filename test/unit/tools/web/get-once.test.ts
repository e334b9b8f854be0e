import assert from 'node:assert/strict';
import type { lookup as dnsLookup } from 'node:dns';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { notPublicCode } from '../../../../src/base/public-address.ts';
import { createDirectFetch, type DirectFetch } from '../../../../src/service/wire/direct-fetch.ts';
import { createGetOnce, type GetOnceDeps } from '../../../../src/tools/web/get-once.ts';
import { pageAddress } from '../../../../src/tools/web/page-address.ts';
import { type RunningServer, serve } from '../../service/servers.ts';

const open = '93.184.215.14';

describe('how a page is asked for', () => {
  let server: RunningServer | undefined;
  let direct: DirectFetch | undefined;
  afterEach(async () => {
    await direct?.close();
    await server?.close();
    server = undefined;
    direct = undefined;
  });

  /** `answers`: what the name leads to, one time after the other; the last for good. Empty: the name is not known. */
  function setUp(answers: readonly string[], changes: Partial<GetOnceDeps> = {}) {
    const resolved: string[] = [];
    const sentOn: { url: string; init: RequestInit }[] = [];
    const lookup = ((name: string, _options: object, done: (error: Error | null, found?: object[]) => void) => {
      const address = answers[Math.min(resolved.length, answers.length - 1)];
      resolved.push(name);
      if (address === undefined) done(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
      else done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
    }) as unknown as typeof dnsLookup;
    const get = createGetOnce({
      lookup,
      networkInterfaces: () => ({}),
      env: {},
      hasProxySetting: () => false,
      loadDirect: async (publicLookup) => {
        direct = createDirectFetch({ lookup: publicLookup });
        return direct;
      },
      editorFetch: () => async (url, init) => {
        sentOn.push({ url, init });
        return new Response('through the proxy');
      },
      ...changes,
    });
    return { get, resolved, sentOn };
  }
  const never = () => new AbortController().signal;
  const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
    const error: unknown = await work.then(
      () => assert.fail(),
      (reason: unknown) => reason,
    );
    const { cause = error } = error as Error;
    return (cause as NodeJS.ErrnoException).code;
  };

  it('X53 a name that leads to a closed address is never connected to, whatever it led to before', async () => {
    server = await serve((_, answer) => answer.end('secret'));
    const { get, resolved } = setUp([open, '127.0.0.1']);
    const stop = new AbortController();
    const first = assert.rejects(get(`http://rebinding.example.org:${server.port}/`, stop.signal));
    while (resolved.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await first;
    for (let time = 0; time < 3; time++) {
      assert.equal(await codeOf(get(`http://rebinding.example.org:${server.port}/`, never())), notPublicCode);
    }
    assert.equal(resolved.length, 4, 'looked up for each connection, once');
    assert.equal(server.connections(), 0);
  });

  it('X53 closed addresses of every kind are never connected to', async () => {
    server = await serve((_, answer) => answer.end('secret'));
    for (const address of ['127.0.0.1', '127.1.2.3', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1', '64:ff9b::7f00:1']) {
      const { get } = setUp([address]);
      assert.equal(await codeOf(get(`http://a.example.org:${server.port}/`, never())), notPublicCode, address);
      await direct?.close();
    }
    assert.equal(server.connections(), 0);
  });

  it('X53 a direct attempt that failed is not repeated by the editor', async () => {
    const { get, sentOn } = setUp([]);
    assert.equal(await codeOf(get('https://a.example.org/', never())), 'ENOTFOUND');
    assert.deepEqual(sentOn, []);
  });

  it('X03 X53 the name on the card is the name that is resolved, however the address was written', async () => {
    const host = fc.constantFrom(
      'Example.COM',
      'bücher.de',
      'аpple.com',
      'a_b.org.',
      'ex%61mple.com',
      'ＦＯＯ.com',
      'ⓔxample.com',
    );
    const written = fc.oneof(host, fc.domain()).map((name) => `http://${name}/`);
    const { get, resolved } = setUp(['10.0.0.1']);
    await fc.assert(
      fc.asyncProperty(written, async (text) => {
        const url = pageAddress(text);
        assert.equal(await codeOf(get(url.href, never())), notPublicCode);
        assert.equal(resolved.at(-1), url.hostname);
      }),
      { numRuns: 50 },
    );
  });

  it('N02 X53 behind a proxy the editor asks, without cookies, and closed names are refused as far as they are known here', async () => {
    const behind = { env: { HTTPS_PROXY: 'http://proxy:3128' } };
    const through = setUp([open], behind);
    assert.equal((await through.get('https://a.example.org/', never())).status, 200);
    const [sent] = through.sentOn;
    assert.ok(sent);
    assert.equal(sent.url, 'https://a.example.org/');
    const { redirect, credentials, headers } = sent.init;
    assert.deepEqual([redirect, credentials], ['manual', 'omit']);
    assert.deepEqual(Object.keys(headers ?? {}), ['user-agent', 'accept']);
    assert.equal(direct, undefined);

    const unknown = setUp([], behind);
    assert.equal((await unknown.get('https://a.example.org/', never())).status, 200);

    for (const address of ['10.0.0.1', '127.0.0.1', 'fd00::1']) {
      const closed = setUp([address], { hasProxySetting: () => true });
      assert.equal(await codeOf(closed.get('https://a.example.org/', never())), notPublicCode);
      assert.deepEqual(closed.sentOn, []);
    }
  });
});
