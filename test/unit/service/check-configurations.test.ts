import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { type CheckDeps, type CheckReport, checkService } from '../../../src/service/check/check.ts';
import { checkReportText, toMarkdown } from '../../../src/service/check/check-page.ts';
import { createRedactor } from '../../../src/service/redact.ts';
import { createDirectFetch } from '../../../src/service/wire/direct-fetch.ts';
import type { Transport } from '../../../src/service/wire/transport.ts';
import { type LocalService, startLocalService } from '../../service/local-service.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import {
  fetchThrough,
  listen,
  makeCertificate,
  type RunningServer,
  refusedPort,
  serve,
  serveSecurely,
} from './servers.ts';

const key = 'sk-svc-check-0123456789abcdef';
const model = 'svc/kimi-k3';
const open = new AbortController().signal;

interface Sent {
  url: string;
  method: string;
  body: unknown;
  authorized: boolean;
}

/** Examines an address, and holds for every configuration what the check must never do. */
async function examine(
  baseUrl: string,
  change: Partial<CheckDeps> = {},
): Promise<{ report: CheckReport; sent: Sent[] }> {
  const sent: Sent[] = [];
  const transport: Transport = (url, init) => {
    const authorized = new Headers(init.headers).has('authorization');
    sent.push({ url, method: init.method ?? 'GET', body: init.body, authorized });
    return (change.transport ?? fetch)(url, init);
  };
  const report = await checkService(
    {
      baseUrl: () => baseUrl,
      key: async () => key,
      clock: systemClock,
      redact: createRedactor(() => [key]),
      model: () => model,
      ...change,
      transport,
    },
    open,
  );
  // S18: one byte at most, and it is no JSON, so it can neither carry content nor become a completion.
  for (const { body } of sent) assert.ok(body === undefined || body === '{', 'an unreadable body or none');
  assert.ok(sent.filter(({ authorized }) => authorized).length <= 1, 'the key goes out once at most');
  for (const { url } of sent) assert.ok(!url.includes(key), 'no key in an address');
  for (const text of [toMarkdown(report), checkReportText(report, versions)]) assert.ok(!text.includes(key));
  return { report, sent };
}

const versions = { extensionVersion: '0.1.0', vscodeVersion: '1.139.0', platform: 'linux x64' };

/** Time limits end at once instead of after 15 seconds. */
const impatient: CheckDeps['clock'] = { ...systemClock, after: (_ms, run) => systemClock.after(50, run) };

const page = (title: string) => `<!doctype html><title>${title}</title><p>hello`;

async function withServer(server: Promise<RunningServer>, use: (port: number) => Promise<void>): Promise<void> {
  const running = await server;
  try {
    await use(running.port);
  } finally {
    await running.close();
  }
}

describe('checkService in good and bad configurations', () => {
  let service: LocalService;
  before(async () => {
    service = await startLocalService({ keys: [key] });
  });
  after(() => service.close());

  it('S2 S18 good: says that everything is as promised, costs nothing and sends no content', async () => {
    const { report, sent } = await examine(service.baseUrl);
    assert.match(report.diagnosis.text, /Everything works as specified/);
    assert.equal(report.diagnosis.action, undefined);
    assert.equal(sent.length, 7);
    assert.equal(service.charges.length, 0);
  });

  it('S2 S20 good: also on the way that the editor takes, with every method as it is meant', async () => {
    const { report } = await examine(service.baseUrl, { transport: createDirectFetch() });
    assert.match(toMarkdown(report), /^7 of 7 as specified$/m);
  });

  it('S17 good, without a key yet: the next step is the key', async () => {
    const { report } = await examine(service.baseUrl, { key: async () => undefined });
    assert.match(report.diagnosis.text, /no key is set/);
    assert.equal(report.diagnosis.action, 'set-key');
  });

  it('S1 wrong path: names the address on the same host that is right, and does not show it the key', async () => {
    const { report, sent } = await examine(service.baseUrl.replace('/v1', '/api/v1'));
    assert.match(report.diagnosis.text, /path of the address is wrong/);
    assert.ok(report.diagnosis.next.includes(service.baseUrl), report.diagnosis.next);
    assert.equal(report.diagnosis.action, 'set-address');
    assert.ok(sent.every(({ authorized }) => !authorized));
  });

  it('S1 a slash at the end: names the address without it', async () => {
    const { report } = await examine(`${service.baseUrl}/`);
    assert.match(report.diagnosis.next, new RegExp(`Enter ${service.baseUrl} as the address`));
  });

  it('S1 no /v1: names the address with it', async () => {
    const { report } = await examine(service.baseUrl.replace(/\/v1$/, ''));
    assert.match(report.diagnosis.next, new RegExp(`Enter ${service.baseUrl} as the address`));
  });

  it('S1 a host that answers 404 to everything: does not guess an address', async () => {
    await withServer(
      serve((_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end(page('Not Found'))),
      async (port) => {
        const { report } = await examine(`http://127.0.0.1:${port}/v1`);
        assert.match(report.diagnosis.text, /nothing is served under this path/);
      },
    );
  });

  it('S6 S18 wrong key: says that all but the key is right', async () => {
    const { report } = await examine(service.baseUrl, { key: async () => 'sk-svc-wrong-00000000' });
    assert.match(report.diagnosis.text, /address is right and the service is up, but the key is not accepted/);
    assert.equal(report.diagnosis.action, 'set-key');
  });

  it('S7 HTML portal: tells the sign-in page of a network, which never sees the key', async () => {
    await withServer(
      serve((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page('Welcome to Wi-Fi'))),
      async (port) => {
        const { report, sent } = await examine(`http://127.0.0.1:${port}/v1`);
        assert.match(report.diagnosis.text, /web page answered instead of the service/);
        assert.match(toMarkdown(report), /Welcome to Wi-Fi/);
        assert.ok(sent.every(({ authorized }) => !authorized));
      },
    );
  });

  it('N08 self-signed: names the certificate and keeps the check on', async function () {
    await withTempDir(async (dir) => {
      const certificate = makeCertificate(dir);
      if (certificate === undefined) return this.skip();
      await withServer(
        serveSecurely((_, response) => response.end('{}'), certificate.key, certificate.cert),
        async (port) => {
          const { report } = await examine(`https://127.0.0.1:${port}/v1`);
          assert.match(report.diagnosis.text, /doesn't trust the certificate/);
          assert.match(report.diagnosis.next, /certificate store/);
        },
      );
    });
  });

  it('N10 a proxy that asks for a sign-in (407) is named as the proxy', async () => {
    const proxy = createServer();
    proxy.on('connect', (_, socket) => {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
    });
    await withServer(listen(proxy), async (port) => {
      const transport: Transport = async (url) => {
        const answer = await tunnelStatus(port, url);
        throw new TypeError('fetch failed', {
          cause: new Error(`Proxy response (${answer}) !== 200 when HTTP Tunneling`),
        });
      };
      const { report } = await examine('https://svc.invalid/v1', { transport });
      assert.match(report.diagnosis.text, /proxy requires a sign-in/);
      assert.equal(report.diagnosis.action, 'open-proxy-settings');
    });
    // Of an address without encryption the editor's own fetch hands the proxy's answer on.
    const transport: Transport = async () => new Response('', { status: 407 });
    const { report, sent } = await examine('http://127.0.0.1:9/v1', { transport });
    assert.match(report.diagnosis.text, /sign-in \(407\)/);
    assert.ok(sent.every(({ authorized }) => !authorized));
  });

  it('N10 a proxy that is not there: the proxy is named first', async () => {
    const port = await refusedPort();
    const transport: Transport = (url) => fetchThrough(port, url, '');
    const networkFacts = () => ({ proxy: 'http.proxy is set' });
    const { report } = await examine('https://svc.invalid/v1', { transport, networkFacts });
    assert.match(report.diagnosis.text, /A proxy is set, and it might not be running/);
    assert.equal(report.diagnosis.action, 'open-proxy-settings');
  });

  it('S7 S8 522: the address is right, waiting is all there is to do', async () => {
    service.script({ rules: [{ match: { path: '/v1/models' }, effect: { page522: true } }] });
    const { report } = await examine(service.baseUrl);
    service.script({});
    assert.match(report.diagnosis.text, /service's servers don't/);
    assert.equal(report.diagnosis.action, 'check-again');
  });

  it('T06 timeout: a host that accepts and never answers is asked once', async () => {
    await withServer(
      serve(() => undefined),
      async (port) => {
        const { report, sent } = await examine(`http://127.0.0.1:${port}/v1`, { clock: impatient });
        assert.match(report.diagnosis.text, /Nothing answered within 15 seconds/);
        assert.equal(sent.length, 1);
      },
    );
  });

  it('S2 another JSON API: is told from the service, and does not get the key', async () => {
    for (const [body, text] of [
      [{ status: 'ok' }, /another program or another API/],
      [{ data: [{ id: 'gpt-x' }, { id: 'other/model' }] }, /another provider/],
    ] as const) {
      await withServer(
        serve((_, response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
        ),
        async (port) => {
          const { report, sent } = await examine(`http://127.0.0.1:${port}/v1`);
          assert.match(report.diagnosis.text, text);
          assert.equal(report.diagnosis.action, 'set-address');
          assert.ok(sent.every(({ authorized }) => !authorized));
        },
      );
    }
  });

  it('S3 S27 moved models: a model that left the list is named, with the nearest id', async () => {
    const { report } = await examine(service.baseUrl, { model: () => 'svc/kimi-k2' });
    assert.match(report.diagnosis.text, /no longer lists svc\/kimi-k2/);
    assert.match(report.diagnosis.next, /svc\/kimi-k3 has the nearest ID/);
    assert.equal(report.diagnosis.action, 'select-model');
  });

  it('X15 a list that moved: the place it redirects to is named and not followed', async () => {
    await withServer(
      serve((_, response) => response.writeHead(301, { location: `${service.baseUrl}/models` }).end()),
      async (port) => {
        const { report, sent } = await examine(`http://127.0.0.1:${port}/v1`);
        assert.ok(report.diagnosis.text.includes(new URL(service.baseUrl).origin), report.diagnosis.text);
        assert.ok(sent.every(({ url, authorized }) => url.includes(String(port)) && !authorized));
      },
    );
  });

  it('N14 dead port: nothing listens there', async () => {
    const { report } = await examine(`http://127.0.0.1:${await refusedPort()}/v1`);
    assert.match(report.diagnosis.text, /nothing listens at that port/);
    assert.equal(report.diagnosis.action, 'set-address');
  });

  it('S12 S26 used-up credit: leads to the dashboard', async () => {
    const transport: Transport = async (url, init) =>
      new Headers(init.headers).has('authorization')
        ? Response.json({ error: { code: 402, message: 'credit', type: 'billing' } }, { status: 402 })
        : fetch(url, init);
    const { report } = await examine(service.baseUrl, { transport });
    assert.match(report.diagnosis.text, /credit is used up/);
    assert.equal(report.diagnosis.action, 'open-dashboard');
  });

  it('S15 X39 the report for support holds statuses and promises, no address and no key', async () => {
    const { report } = await examine(service.baseUrl);
    const text = checkReportText(report, versions);
    assert.match(text, /^Time: \d{4}-\d\d-\d\dT.*[+-]\d\d:\d\d$/m);
    assert.match(text, /^GET \/models: 200, JSON \(expected: 200, JSON; ok\)$/m);
    assert.match(text, /^POST \/chat\/completions without a key: 401, JSON /m);
    assert.match(text, /^Versions: svc Assistant 0\.1\.0, VS Code 1\.139\.0, linux x64$/m);
    assert.ok(!text.includes('127.0.0.1'));
  });
});

/** What a proxy answers to a tunnel for this address. */
async function tunnelStatus(port: number, url: string): Promise<number> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', method: 'CONNECT', path: new URL(url).host });
    asked.on('error', reject);
    asked.on('connect', (answer) => resolve(answer.statusCode ?? 0));
    asked.end();
  });
}
