import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ToolError } from '../../../../src/agent/tool.ts';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { createDirectFetch, type DirectFetch } from '../../../../src/service/wire/direct-fetch.ts';
import type { HttpResponse } from '../../../../src/service/wire/http-response.ts';
import { getPage, type Page } from '../../../../src/tools/web/get-page.ts';
import { createFakeClock } from '../../service/fake-clock.ts';
import { type RunningServer, serve } from '../../service/servers.ts';

const megabyte = 1024 * 1024;

describe('a page', () => {
  let direct: DirectFetch;
  let server: RunningServer | undefined;
  /** What was asked for, by its address. */
  let asked: string[];
  /** How often something of a page was read. */
  let reads: number;

  beforeEach(() => {
    reads = 0;
    direct = createDirectFetch();
    asked = [];
  });
  afterEach(async () => {
    await direct.close();
    await server?.close();
    server = undefined;
  });

  /** Every name leads to the local server. */
  async function open(listener: RequestListener, clock: Clock = systemClock) {
    const running = await serve(listener);
    server = running;
    return (address: string, signal = new AbortController().signal): Promise<Page> =>
      getPage(
        {
          clock,
          get(url, stop) {
            asked.push(url);
            const { hostname, pathname, search } = new URL(url);
            const local = `http://127.0.0.1:${running.port}${pathname}${search}`;
            return counted(direct(local, { headers: { 'x-host': hostname }, signal: stop }));
          },
        },
        new URL(address),
        signal,
      );
  }
  const send = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'text/plain' }) =>
    open((_, answer) => answer.writeHead(200, headers).end(body));
  const textOf = (page: Page) => (page.kind === 'text' ? page.text : assert.fail(page.kind));
  const fails = (page: Promise<Page>, why: RegExp) =>
    assert.rejects(page, (error) => error instanceof ToolError && why.test(error.message));

  it('F38 is asked for without cookies, keys or a body, and what it is comes back', async () => {
    let head: unknown;
    const get = await open((request, answer) => {
      head = [request.method, Object.keys(request.headers).sort()];
      answer.writeHead(200, { 'content-type': 'text/markdown; charset=utf-8', 'set-cookie': 'a=b' }).end('# Hi');
    });
    const page = await get('https://example.com/a');
    assert.deepEqual(page, {
      kind: 'text',
      url: 'https://example.com/a',
      type: 'text/markdown',
      isHtml: false,
      text: '# Hi',
      isCut: false,
    });
    await get('https://example.com/a');
    assert.deepEqual(head, ['GET', ['connection', 'host', 'x-host']]);
  });

  it('X53 follows redirects within the domain, over https, and at most five', async () => {
    const get = await open((request, answer) => {
      const left = Number(new URL(request.url ?? '', 'http://x').searchParams.get('left'));
      if (left === 0) return answer.writeHead(200, { 'content-type': 'text/plain' }).end('there');
      const to = left % 2 === 0 ? `http://example.com/?left=${left - 1}#x` : `?left=${left - 1}`;
      return answer.writeHead([301, 302, 303, 307, 308][left % 5] ?? 302, { location: to }).end('moved');
    });
    assert.equal(textOf(await get('https://example.com/?left=5')), 'there');
    assert.equal(asked.length, 6);
    assert.ok(
      asked.every((url) => url.startsWith('https://example.com/?left=')),
      asked.join(),
    );
    asked = [];
    await fails(get('https://example.com/?left=60'), /more than 5 times/);
    assert.equal(asked.length, 6);
  });

  it('X53 a redirect to another domain, a part of this one included, asks nobody there', async () => {
    const targets = {
      'https://www.example.com/b': 'https://www.example.com/b',
      '//evil.example.org/?x#y': 'https://evil.example.org/?x',
      'http://example.com.evil.org': 'https://example.com.evil.org/',
    };
    for (const [location, to] of Object.entries(targets)) {
      const get = await open((_, answer) => answer.writeHead(302, { location }).end());
      assert.deepEqual(await get('https://example.com/'), { kind: 'elsewhere', to });
      await server?.close();
    }
    assert.deepEqual(new Set(asked), new Set(['https://example.com/']));
  });

  it('X53 a redirect to a closed address, another port or scheme, or with a password fails', async () => {
    const hosts = ['127.0.0.1', '0x7f.1', '[::1]', 'localhost', 'example.com:8080', 'me:pw@example.com', 'a.internal'];
    for (const location of [...hosts.map((host) => `https://${host}/`), 'file:///etc/passwd', 'data:,x', 'http://[']) {
      const get = await open((_, answer) => answer.writeHead(302, { location }).end());
      await fails(get('https://example.com/'), /redirects to an address that is not fetched/);
      await server?.close();
    }
    assert.deepEqual(new Set(asked), new Set(['https://example.com/']));
  });

  it('F38 a status that is none of success, and a name that is not found, are told', async () => {
    const get = await open((_, answer) => answer.writeHead(404).end('<h1>Not here</h1>'));
    await fails(get('https://example.com/a'), /^https:\/\/example\.com\/a answered with status 404\.$/);
    const cause = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    const unknown = getPage(
      { clock: systemClock, get: () => Promise.reject(new TypeError('fetch failed', { cause })) },
      new URL('https://example.com/'),
      new AbortController().signal,
    );
    await fails(unknown, /^example\.com cannot be reached \(ENOTFOUND\)\.$/);
  });

  it('F38 only text is read, and nothing of what is not', async () => {
    const types: [type: string, bytes: string][] = [
      ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
      ['application/pdf', '%PDF-1.7 x'],
      ['text/plain', '%PDF-1.7 x'],
      ['application/octet-stream', 'a\0b\0\0c'],
      ['video/mp4', '\0\0\0\x18ftypmp42\0\0'],
      ['application/zip', 'PK\x03\x04\x14\0\0\0'],
    ];
    for (const [type, bytes] of types) {
      // The answer goes on for ever.
      const get = await open((_, answer) => {
        answer.writeHead(200, { 'content-type': type }).write(Buffer.from(bytes, 'latin1'));
      });
      await fails(get('https://example.com/'), /only text is fetched/);
      await server?.close();
    }
    const texts = [
      'application/json',
      'application/ld+json',
      'application/xml',
      'image/svg+xml',
      'application/javascript',
      'text/css',
      ...['video/mp2t', 'application/octet-stream', 'application/sql', 'text/x\u00e9'],
    ];
    for (const type of texts) {
      await server?.close();
      const get = await send('{}', { 'content-type': `${type}; charset=utf-8` });
      assert.equal(textOf(await get('https://example.com/')), '{}', type);
    }
  });

  it('F38 is read in the encoding of its mark, its answer or itself', async () => {
    const html = (bytes: Buffer, type = 'text/html') => ({ bytes, type });
    const latin = Buffer.from('<meta charset="windows-1252"><p>Gr\u00fc\u00dfe', 'latin1');
    const pages: [{ bytes: Buffer; type: string }, RegExp][] = [
      [html(Buffer.from('<p>Grüße')), /Grüße/],
      [html(latin), /Grüße/],
      [html(Buffer.from('Grüße', 'latin1'), 'text/plain; charset="ISO-8859-1"'), /^Grüße$/],
      [html(Buffer.from('\ufeffGrüße', 'utf16le'), 'text/plain; charset=utf-8'), /^Grüße$/],
      [html(Buffer.from('\ufeffGrüße'), 'text/plain; charset=latin1'), /^Grüße$/],
      [html(Buffer.from('Grüße'), 'text/plain; charset=x-nobody-knows'), /^Grüße$/],
      [html(Buffer.from([0x82, 0xa0]), 'text/plain; charset=shift_jis'), /^あ$/],
      [html(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>', 'latin1'), 'application/xml'), /ü/],
      [html(Buffer.from('Gr\u00fc\u00dfe', 'latin1'), 'text/plain; charset=utf-7'), /^Gr\ufffd/],
    ];
    for (const [{ bytes, type }, expected] of pages) {
      assert.match(textOf(await (await send(bytes, { 'content-type': type }))('https://example.com/')), expected, type);
      await server?.close();
    }
  });

  it('X53 an endless page is read up to 2 MB, and its connection closed', async () => {
    const get = await open((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/plain' });
      endless(answer);
    });
    const page = await get('https://example.com/');
    assert.ok(page.kind === 'text' && page.isCut && page.text.length === 2 * megabyte);
    await closed();
  });

  it('X53 of what unpacks without end 2 MB are read as well', async () => {
    const get = await open((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      const zip = createGzip();
      zip.pipe(answer);
      answer.on('close', () => zip.destroy());
      endless(zip);
    });
    const page = await get('https://example.com/');
    assert.ok(page.kind === 'text' && page.isCut && page.text.length === 2 * megabyte);
    await closed();
    await server?.close();
    for (const [encoding, bomb] of [
      ['gzip', gzipSync(Buffer.alloc(64 * megabyte, 'a'))],
      ['br', brotliCompressSync(Buffer.alloc(64 * megabyte, 'a'))],
    ] as const) {
      const unpacked = await (await send(bomb, { 'content-type': 'text/plain', 'content-encoding': encoding }))(
        'https://example.com/',
      );
      assert.ok(unpacked.kind === 'text' && unpacked.isCut && unpacked.text.length === 2 * megabyte, encoding);
      await server?.close();
    }
  });

  it('X53 a page that says nothing for 20 seconds, or drips for a minute, is given up', async () => {
    const clock = createFakeClock();
    const drips: ServerResponse[] = [];
    const get = await open((request, answer) => {
      if (request.url === '/mute') return;
      answer.writeHead(200, { 'content-type': 'text/plain' }).write('x');
      drips.push(answer);
    }, clock);
    const mute = get('https://example.com/mute');
    const refused = fails(mute, /no byte arrived for 20 seconds/);
    await until(() => (server?.connections() ?? 0) > 0);
    await clock.advance(20_000);
    await refused;

    const slow = fails(get('https://example.com/slow'), /over 60 seconds/);
    await until(() => drips.length > 0);
    const [answer] = drips;
    const gone = once(answer ?? assert.fail(), 'close');
    for (let second = 0; second < 60; second += 10) {
      const before = reads;
      answer?.write('x');
      await until(() => reads > before);
      await clock.advance(10_000);
    }
    await slow;
    await gone;
  });

  it('X53 Stop ends a page and its connection', async () => {
    const get = await open((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/plain' }).write('x');
    });
    const stop = new AbortController();
    const page = get('https://example.com/', stop.signal);
    await until(() => (server?.connections() ?? 0) > 0);
    stop.abort();
    await assert.rejects(page);
    await closed();
  });

  async function counted(answer: Promise<HttpResponse>): Promise<HttpResponse> {
    const response = await answer;
    const reader = response.body?.getReader();
    if (reader === undefined) return response;
    const read = async () => {
      const piece = await reader.read();
      reads += 1;
      return piece;
    };
    return { ...response, body: { getReader: () => ({ read, cancel: reader.cancel }) } };
  }
  const closed = () => until(() => server?.sockets().length === 0);
});

function endless(to: NodeJS.WritableStream): void {
  const piece = Buffer.alloc(64 * 1024, 'a');
  const source = new Readable({ read: () => source.push(piece) });
  source.pipe(to);
  to.on('close', () => source.destroy());
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
