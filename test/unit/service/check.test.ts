import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { type CheckDeps, checkService } from '../../../src/service/check/check.ts';
import { toMarkdown } from '../../../src/service/check/check-page.ts';
import { createRedactor } from '../../../src/service/redact.ts';
import type { Transport } from '../../../src/service/wire/transport.ts';
import { type LocalService, startLocalService } from '../../service/local-service.ts';

const key = 'sk-svc-check-0123456789abcdef';
const open = new AbortController().signal;
const direct: Transport = (url, init) => fetch(url, init);

function deps(baseUrl: string, change: Partial<CheckDeps> = {}): CheckDeps {
  return {
    baseUrl: () => baseUrl,
    key: async () => key,
    transport: direct,
    clock: systemClock,
    redact: createRedactor(() => [key]),
    ...change,
  };
}

describe('checkService', () => {
  let service: LocalService;
  before(async () => {
    service = await startLocalService({ keys: [key] });
  });
  after(() => service.close());

  it('S2 S18 S20 S21 finds the service as promised, at no cost', async () => {
    const report = await checkService(deps(service.baseUrl), open);
    assert.deepEqual(
      report.lines.map((line) => [line.name, line.verdict]),
      [
        ['Model list', 'ok'],
        ['Your key', 'ok'],
        ['No key', 'ok'],
        ['Wrong method', 'ok'],
        ['Trailing slash', 'ok'],
        ['Missing /v1', 'ok'],
        ['Calls from browsers', 'ok'],
      ],
      JSON.stringify(report.lines, undefined, 1),
    );
    assert.equal(service.charges.length, 0);
    assert.match(toMarkdown(report), /^7 of 7 as specified$/m);
    assert.match(report.at, /[+-]\d\d:\d\d$/);
  });

  it('S18 a wrong key is told from a good one', async () => {
    const report = await checkService(deps(service.baseUrl, { key: async () => 'sk-svc-wrong-00000000' }), open);
    const line = report.lines.find((entry) => entry.name === 'Your key');
    assert.equal(line?.verdict, 'failed');
    assert.match(line?.diagnosis ?? '', /not accepted/);
  });

  it('S1 an address without /v1 is explained', async () => {
    const report = await checkService(deps(service.baseUrl.replace(/\/v1$/, '')), open);
    assert.equal(report.lines[0]?.verdict, 'failed');
    assert.match(report.lines[0]?.diagnosis ?? '', /must end in \/v1/);
    assert.match(report.lines[0]?.seen ?? '', /404, HTML/);
  });

  it('X36 without a key the other checks are still made', async () => {
    for (const none of [async () => undefined, () => Promise.reject(new Error('locked'))]) {
      const report = await checkService(deps(service.baseUrl, { key: none }), open);
      assert.deepEqual(report.lines.map((line) => line.verdict).sort(), [
        'ok',
        'ok',
        'ok',
        'ok',
        'ok',
        'ok',
        'skipped',
      ]);
    }
  });

  it('N14 an unreachable host is asked once and diagnosed', async () => {
    let asked = 0;
    const transport: Transport = async () => {
      asked += 1;
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }) });
    };
    const report = await checkService(deps('https://nowhere.invalid/v1', { transport }), open);
    assert.equal(asked, 1);
    assert.equal(report.lines[0]?.verdict, 'failed');
    assert.match(report.lines[0]?.diagnosis ?? '', /host name wasn't found/);
    assert.equal(report.lines.filter((line) => line.verdict === 'skipped').length, 6);
  });

  it('N08 a certificate that is not trusted is never answered with switching the check off', async () => {
    const transport: Transport = async () => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('x'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
      });
    };
    const page = toMarkdown(await checkService(deps('https://svc.invalid/v1', { transport }), open));
    assert.match(page, /http\.systemCertificates/);
    assert.doesNotMatch(page, /REJECT_UNAUTHORIZED|proxyStrictSSL/);
  });

  it('S1 without an address nothing is asked', async () => {
    const transport: Transport = () => assert.fail('asked');
    const report = await checkService(deps('', { transport }), open);
    assert.ok(report.lines.every((line) => line.verdict === 'skipped'));
  });

  it('F2 a stopped check ends', async () => {
    const report = await checkService(deps(service.baseUrl), AbortSignal.abort());
    assert.ok(report.lines.every((line) => line.verdict === 'skipped'));
  });

  it('S18 no probe can become a completion: bodies are unreadable, and the key goes to one of them', async () => {
    const seen: RequestInit[] = [];
    const transport: Transport = async (_url, init) => {
      seen.push(init);
      return new Response('', { status: 500 });
    };
    await checkService(deps('https://svc.invalid/v1', { transport }), open);
    assert.equal(seen.length, 7);
    for (const { body } of seen) assert.ok(body === undefined || body === '{');
    assert.equal(seen.filter(({ headers }) => new Headers(headers).has('authorization')).length, 1);
  });

  it('X31 S7 the page shows titles of strange answers as plain text', async () => {
    const transport: Transport = async () =>
      new Response('<title>[x](command:evil) | <b>hi</title>', { headers: { 'content-type': 'text/html' } });
    const page = toMarkdown(await checkService(deps('https://svc.invalid/v1', { transport }), open));
    assert.doesNotMatch(page, /\[x\]|<b>/);
    assert.match(page, /A web page answered/);
  });
});
