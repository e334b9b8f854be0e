import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { demoKey, type LocalService, startLocalService } from '../../service/local-service.ts';
import { json, minimal, readStream, textOf, type WholeReply } from './harness.ts';

describe('local service: --upstream', () => {
  let other: LocalService;
  let service: LocalService;
  before(async () => {
    other = await startLocalService({ keys: ['sk-svc-other'] });
    service = await startLocalService({
      upstream: other.baseUrl,
      upstreamApiKey: 'sk-svc-other',
      upstreamModel: 'svc/kimi-k3',
    });
  });
  after(() => Promise.all([service.close(), other.close()]));
  const chat = (overrides: object, key = demoKey): Promise<Response> =>
    fetch(`${service.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ ...minimal, ...overrides }),
    });

  it('forwards the body with its own key and model, streams the answer back and charges its usage', async () => {
    other.script({ replies: [{ text: 'from the other server' }] });
    const reply = await readStream(await chat({ stream: true, stream_options: { include_usage: true }, extra: 1 }));
    assert.equal(textOf(reply), 'from the other server');
    assert.ok(reply.done);
    const forwarded = other.requests.at(-1);
    assert.equal(forwarded?.headers.authorization, 'Bearer sk-svc-other');
    assert.deepEqual(forwarded?.json, {
      ...minimal,
      stream: true,
      stream_options: { include_usage: true },
      extra: 1,
      model: 'svc/kimi-k3',
    });
    const usage = reply.events.at(-1)?.usage;
    assert.equal(service.charges.at(-1)?.promptTokens, usage?.prompt_tokens);
    assert.equal(service.charges.at(-1)?.completionTokens, usage?.completion_tokens);
  });

  it('counts tokens itself when the other server reports none', async () => {
    other.script({ replies: [{ text: '12345678' }], rules: [{ effect: { omitUsage: true } }] });
    const before = service.charges.length;
    assert.equal((await json<WholeReply>(await chat({}))).choices[0]?.message.content, '12345678');
    assert.equal(service.charges.length, before + 1);
    assert.equal(service.charges.at(-1)?.completionTokens, 2);
  });

  it('passes errors through, free of charge', async () => {
    other.script({ rules: [{ effect: { rateLimit: { retryAfter: '3' } } }] });
    const charged = service.charges.length;
    const response = await chat({});
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '3');
    assert.equal(service.charges.length, charged);
  });

  it('passes a broken stream on as broken', async () => {
    other.script({ rules: [{ effect: { cutAfterBytes: 400 } }] });
    const reply = await readStream(await chat({ stream: true }));
    assert.equal(reply.broken, true);
    assert.equal(Buffer.byteLength(reply.raw), 400);
  });

  it('closes the forwarded request when the client leaves', async () => {
    other.script({ rules: [{ effect: { stallAfterChunks: 2 } }] });
    const response = await chat({ stream: true });
    await response.body?.cancel();
    await other.waitForRequest((request) => request.closedByClientAt !== undefined, 60_000);
  });

  it('still checks the local key, and lists the seven models', async () => {
    const received = other.requests.length;
    assert.equal((await chat({}, 'sk-svc-other')).status, 401);
    assert.equal(other.requests.length, received);
    const { data } = await json<{ data: unknown[] }>(await fetch(`${service.baseUrl}/models`));
    assert.equal(data.length, 7);
  });

  it('shows the 522 page when the other server does not answer', async () => {
    const gone = await startLocalService();
    await gone.close();
    const lonely = await startLocalService({ upstream: gone.baseUrl });
    const response = await fetch(`${lonely.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demoKey}` },
      body: JSON.stringify(minimal),
    });
    assert.equal(response.status, 522);
    await lonely.close();
  });
});
