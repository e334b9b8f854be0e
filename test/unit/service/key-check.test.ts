import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { checkKey } from '../../../src/service/check/key-check.ts';
import { validateKeyShape } from '../../../src/service/key-shape.ts';
import type { Transport } from '../../../src/service/wire/transport.ts';

const key = 'sk-svc-canary-0123456789';

describe('validateKeyShape', () => {
  for (const typed of [
    key,
    `  ${key}\n`,
    `"${key}"`,
    `'${key}'`,
    `Bearer ${key}`,
    `bearer   ${key}\r\n`,
    `"Bearer ${key}"`,
    `Authorization: Bearer ${key}`,
    `Bearer "${key}"`,
  ]) {
    it(`S17 takes the key out of ${JSON.stringify(typed.replace(key, '…'))}`, () => {
      assert.deepEqual(validateKeyShape(typed), { key });
    });
  }

  it('S17 takes every token that RFC 6750 allows behind the beginning of a key', () => {
    for (const rest of ['ab.cd', 'ab+cd/ef', 'ab~cd_ef-gh', 'abcd==', 'A'.repeat(1500)]) {
      assert.deepEqual(validateKeyShape(`Bearer sk-svc-${rest}`), { key: `sk-svc-${rest}` });
    }
  });

  for (const typed of [
    '',
    '   ',
    'Bearer ',
    'sk-proj-abcdef',
    'sk-svc-',
    'sk-svc-ab cd ef',
    'sk-svc-abc\ndef',
    'sk-svc-ab€cd',
    `SK-SVC-abcdef`,
  ]) {
    it(`S17 refuses ${JSON.stringify(typed)} with a sentence that does not repeat it`, () => {
      const result = validateKeyShape(typed);
      assert.ok('error' in result);
      assert.match(result.error, /\.$/);
      if (typed.trim().length > 8) assert.ok(!result.error.includes(typed.trim()));
    });
  }
});

describe('checkKey', () => {
  const context = {
    modelIds: [],
    endpoint: 'POST /chat/completions',
    at: '2026-11-20T10:00:00.000+01:00',
    redact: (text: string) => text.replaceAll(key, 'sk-svc-…'),
  };

  async function check(
    answer: () => Response,
  ): Promise<{ state: string; kind?: string; sent: RequestInit; url: string }> {
    let sent: RequestInit = {};
    let url = '';
    const transport: Transport = async (to, init) => {
      sent = init;
      url = to;
      return answer();
    };
    const deps = { transport, baseUrl: 'http://127.0.0.1:1/v1', clock: systemClock, context };
    const result = await checkKey(deps, key, new AbortController().signal);
    return { state: result.state, kind: result.state === 'unknown' ? result.failure.kind : undefined, sent, url };
  }

  const json = (status: number, body: object) => () => Response.json(body, { status });
  const rows: [string, () => Response, string, string?][] = [
    ['401', json(401, { error: { type: 'invalid_auth' } }), 'rejected'],
    ['400', json(400, { error: { message: 'not JSON' } }), 'accepted'],
    ['422', json(422, { detail: [{ msg: 'JSON decode error' }] }), 'accepted'],
    ['400 plain', () => new Response('Bad Request', { status: 400 }), 'accepted'],
    ['402', json(402, { error: { message: 'Insufficient Balance' } }), 'accepted'],
    ['429 balance', json(429, { error: { type: 'insufficient_quota', message: 'x' } }), 'accepted'],
    ['429', json(429, { error: { message: 'Rate limit' } }), 'unknown', 'rate-limited'],
    ['403', json(403, { error: { message: 'no' } }), 'unknown', 'forbidden'],
    [
      '400 page',
      () => new Response('<html>', { status: 400, headers: { 'content-type': 'text/html' } }),
      'unknown',
      'bad-request',
    ],
    [
      '404 page',
      () => new Response('<html>Not Found', { status: 404, headers: { 'content-type': 'text/html' } }),
      'unknown',
      'wrong-address',
    ],
    ['522', () => new Response('<html>', { status: 522 }), 'unknown', 'origin-down'],
    ['500', json(500, { error: { message: 'x' } }), 'unknown', 'server-error'],
    ['200', () => new Response('<html>', { status: 200 }), 'unknown', 'not-the-service'],
    [
      'network',
      () => {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) });
      },
      'unknown',
      'unreachable',
    ],
  ];
  for (const [name, answer, state, kind] of rows) {
    it(`S18 a key check that gets ${name} means ${state}`, async () => {
      const result = await check(answer);
      assert.equal(result.state, state);
      assert.equal(result.kind, kind);
    });
  }

  it('S18 sends an unreadable body with the key in the header and nowhere else', async () => {
    const { sent, url } = await check(json(400, {}));
    assert.equal(url, 'http://127.0.0.1:1/v1/chat/completions');
    assert.equal(sent.method, 'POST');
    assert.equal(sent.body, '{');
    assert.throws(() => JSON.parse(String(sent.body)));
    assert.equal(new Headers(sent.headers).get('authorization'), `Bearer ${key}`);
  });
});
