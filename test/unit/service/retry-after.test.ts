import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseLimitReset, parseRetryAfter, waitInField, waitInWords } from '../../../src/service/failure/asked-wait.ts';
import { classifyResponse } from '../../../src/service/failure/classify.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const now = Date.parse('2026-11-20T10:00:00Z');
const parse = (headers: Record<string, string>) => parseRetryAfter(new Headers(headers), now);

describe('parseRetryAfter', () => {
  const rows: [Record<string, string>, number | undefined][] = [
    [{}, undefined],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': '-5' }, 0],
    [{ 'retry-after': '1000000000' }, 1e12],
    [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'NaN' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'x', 'retry-after': '9' }, 9000],
  ];
  for (const [headers, expected] of rows) {
    it(`W78 ${JSON.stringify(headers)} is ${expected} ms`, () => assert.equal(parse(headers), expected));
  }

  it('W78 whatever the header holds, the result is undefined or a number ≥ 0', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{0,40}$/), (text) => {
        const result = parse({ 'retry-after': text });
        assert.ok(result === undefined || (Number.isFinite(result) && result >= 0));
      }),
    );
  });
});

describe('waits that are named elsewhere', () => {
  const resets: [Record<string, string>, number | undefined][] = [
    [{}, undefined],
    [{ 'x-ratelimit-reset-requests': '12s' }, 12_000],
    [{ 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    [{ 'x-ratelimit-reset-tokens': '1m30.5s' }, 90_500],
    [{ 'x-ratelimit-reset-tokens': '20ms' }, 20],
    [{ 'x-ratelimit-reset': '9' }, 9000],
    [{ 'x-ratelimit-reset': String(now / 1000 + 30) }, 30_000],
    [{ 'x-ratelimit-reset': String(now + 30_000) }, 30_000],
    [{ 'ratelimit-reset': '4' }, 4000],
    [{ 'x-ratelimit-reset-requests': '2026-11-20T10:00:05Z' }, 5000],
    [{ 'x-ratelimit-reset-requests': '2s', 'x-ratelimit-reset-tokens': '8s' }, 2000],
    [
      {
        'x-ratelimit-reset-requests': '2s',
        'x-ratelimit-remaining-requests': '5',
        'x-ratelimit-reset-tokens': '8s',
        'x-ratelimit-remaining-tokens': '0',
      },
      8000,
    ],
    [{ 'x-ratelimit-reset': 'soon' }, undefined],
  ];
  for (const [headers, expected] of resets) {
    it(`W99 ${JSON.stringify(headers)} is ${expected} ms`, () =>
      assert.equal(parseLimitReset(new Headers(headers), now), expected));
  }

  const sentences: [string, number | undefined][] = [
    ['Try again in 12s', 12_000],
    ['Rate limit reached for x: Limit 10. Please try again in 1m30.5s. Visit …', 90_500],
    ['Please retry after 20 seconds.', 20_000],
    ['retry-after: 7', 7000],
    ['All accounts are currently limited. Please wait 45s.', 45_000],
    ['Your limit resets in 2 hours and 5 minutes', 7_500_000],
    ['try again in 350ms', 350],
    ['请在 12 秒后重试', 12_000],
    ['The model has 12 seconds of audio', undefined],
    ['Timed out after 30s', undefined],
    ['try again later', undefined],
  ];
  for (const [text, expected] of sentences) {
    it(`W99 "${text}" is ${expected} ms`, () => assert.equal(waitInWords(text), expected));
  }

  it('W99 reads fields that are made for it', () => {
    assert.equal(waitInField('retry_after', 3), 3000);
    assert.equal(waitInField('retry_after_ms', 300), 300);
    assert.equal(waitInField('retryDelay', '34s'), 34_000);
    assert.equal(waitInField('retry_after', '2'), 2000);
    for (const nonsense of [-1, Number.NaN, 'x', null, {}, 1e15])
      assert.equal(waitInField('retry_after', nonsense), undefined);
  });

  const classify = (status: number, error: object, headers: Record<string, string> = {}) =>
    classifyResponse({
      modelIds: [],
      endpoint: 'POST /chat/completions',
      at: '2026-11-20T10:00:00.000Z',
      redact: (text) => text,
      status,
      contentType: 'application/json',
      body: JSON.stringify({ error }),
      headers: new Headers(headers),
    });

  it('W99 the header comes first, then the body, then the limits, and only where waiting helps', () => {
    const message = 'Too many requests. Try again in 12s.';
    const limits = { 'x-ratelimit-reset-requests': '30s' };
    assert.equal(classify(429, { message }, { ...limits, 'retry-after': '2' }).retryAfterMs, 2000);
    assert.equal(classify(429, { message }, limits).retryAfterMs, 12_000);
    assert.equal(classify(429, { message: 'Too many requests.' }, limits).retryAfterMs, 30_000);
    const google = { message: 'Quota', status: 'X', details: [{ retryDelay: '34s' }] };
    assert.equal(classify(429, google).retryAfterMs, 34_000);
    assert.equal(classify(400, { message: 'Fix the body and try again in 12s.' }).retryAfterMs, undefined);
  });

  it('X33 a long text is read in no time', async () => {
    for (const text of ['try again in '.repeat(5000), '1h '.repeat(20_000), `retry after ${'1'.repeat(60_000)}`]) {
      const spent = await cpuMs(() => waitInWords(text));
      assert.ok(spent < 5000, `${spent} ms`);
    }
  });
});
