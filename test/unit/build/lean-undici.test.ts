import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { after, before, describe, it } from 'mocha';
import { fetch as wholeFetch } from 'undici';
import { leanUndici } from '../../../scripts/lean-undici.mts';
import type { DirectFetch } from '../../../src/service/wire/direct-fetch.ts';
import type { Transport } from '../../../src/service/wire/transport.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Raw, so that what no library would send is sent as well. */
const answers: Record<string, string> = {
  length: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"text":"é"}',
  chunked: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n',
  'to its end': 'HTTP/1.0 200 OK\r\n\r\nuntil it closes',
  empty: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  'no content': 'HTTP/1.1 204 No Content\r\n\r\n',
  refused: 'HTTP/1.1 429 Too Many\r\nRetry-After: 3\r\nX-Two: a\r\nX-Two: b\r\nContent-Length: 4\r\n\r\nwait',
  'early hints': 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  'cut short': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this',
  'no HTTP': 'SSH-2.0-OpenSSH_9.2\r\n',
  nothing: '',
};

/** All that a caller can see of an exchange. */
async function outcomeOf(fetch: Transport, url: string): Promise<unknown> {
  const signal = new AbortController().signal;
  try {
    const response = await fetch(url, { method: 'POST', body: '{"é":1}', headers: { 'x-test': 'yes' }, signal });
    const { status, ok, headers } = response;
    const head = { status, ok, two: headers.get('x-two'), again: headers.get('Retry-After') };
    try {
      const pieces: Uint8Array[] = [];
      for (const reader = response.body?.getReader(); reader !== undefined; ) {
        const { done, value } = await reader.read();
        if (done) break;
        if (value !== undefined) pieces.push(value);
      }
      return { ...head, body: Buffer.concat(pieces).toString() };
    } catch {
      return { ...head, body: 'broke' };
    }
  } catch (error) {
    return `failed: ${error instanceof Error ? error.name : error}`;
  }
}

describe('undici without what HTTP/1.1 with texts does not need', () => {
  let result: esbuild.BuildResult<{ write: false; metafile: true }>;
  let lean: DirectFetch;
  before(async () => {
    result = await esbuild.build({
      ...leanUndici,
      absWorkingDir: root,
      entryPoints: ['src/service/wire/direct-fetch.ts'],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
      metafile: true,
      logLevel: 'error',
    });
    const module: { exports: Partial<{ createDirectFetch(): DirectFetch }> } = { exports: {} };
    const text = result.outputFiles[0]?.text ?? '';
    new Function('module', 'exports', 'require', text)(module, module.exports, createRequire(import.meta.url));
    assert.ok(module.exports.createDirectFetch);
    lean = module.exports.createDirectFetch();
  });
  after(() => lean.close());

  it('leaves out exactly what is known to be missed by nothing', () => {
    const leftOut = Object.entries(result.metafile.inputs).flatMap(([file, { imports }]) =>
      imports
        .filter((one) => one.path.startsWith('left-out:'))
        .map(({ original }) => `${path.posix.basename(file)} does without ${original}`),
    );
    // Where undici has moved, see what the new importer needs of the module before this list follows.
    assert.deepEqual(leftOut.filter((one) => !one.endsWith('node:assert')).sort(), [
      'client-h1.js does without ../web/fetch/body.js',
      'client.js does without ./client-h2.js',
      'request.js does without ../web/fetch/formdata',
      'request.js does without ../web/webidl',
    ]);
    assert.ok(leftOut.some((one) => one.endsWith('node:assert')));
  });

  it('loads nothing of HTTP/2, of fetch and of the second parser', () => {
    const inputs = Object.keys(result.metafile.inputs);
    const unwanted = inputs.filter((file) => /undici\/lib\/(web|mock|cache|interceptor|llhttp\/milo)|h2/.test(file));
    assert.deepEqual(unwanted, []);
    const text = result.outputFiles[0]?.text ?? '';
    assert.doesNotMatch(text, /require\(["'](?:node:)?(?:http2|assert)["']\)/);
    assert.doesNotMatch(text, /esbuildDetection/);
  });

  for (const [name, answer] of Object.entries(answers)) {
    it(`sees what the whole of undici sees: ${name}`, async () => {
      const received: string[] = [];
      const server = createTcpServer((socket) => {
        let text = '';
        socket.on('error', () => undefined);
        socket.on('data', (bytes) => {
          text += bytes.toString();
          if (!text.endsWith('{"é":1}')) return;
          received.push(text.split('\r\n')[0] ?? '', /x-test: \w+/.exec(text)?.[0] ?? '');
          socket.end(answer);
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat?a=b`;
      try {
        const seen = await outcomeOf(lean, url);
        assert.deepEqual(seen, await outcomeOf(wholeFetch as unknown as Transport, url));
        const [first, second] = [received.slice(0, received.length / 2), received.slice(received.length / 2)];
        assert.deepEqual(first, second);
        assert.deepEqual(first.slice(0, 2), ['POST /v1/chat?a=b HTTP/1.1', 'x-test: yes']);
      } finally {
        server.close();
      }
    });
  }

  it('ends an exchange that is called off, in its middle', async () => {
    const server = createServer((_request, response) => {
      response.write('first');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const controller = new AbortController();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      const response = await lean(url, { method: 'GET', signal: controller.signal });
      const reader = response.body?.getReader();
      await reader?.read();
      controller.abort();
      await assert.rejects(async () => reader?.read(), { name: 'AbortError' });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
