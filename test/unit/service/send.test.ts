import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FeatureNotServed } from '../../../src/service/check/capabilities.ts';
import type { HttpResponse } from '../../../src/service/wire/http-response.ts';
import { type Outgoing, send } from '../../../src/service/wire/send.ts';
import type { Transport } from '../../../src/service/wire/transport.ts';

function recorder() {
  const sent: { url: string; options: Parameters<Transport>[1] }[] = [];
  const transport: Transport = async (url, options) => {
    sent.push({ url, options });
    return new Response('{}') as unknown as HttpResponse;
  };
  const ask = (outgoing: Pick<Outgoing, 'method' | 'path' | 'key' | 'body'>) =>
    send(transport, 'http://127.0.0.1:9/v1', { signal: new AbortController().signal, ...outgoing });
  return { sent, ask };
}

describe('the one sender of requests', () => {
  it('S21 sends nothing to a path that is not served', async () => {
    const { sent, ask } = recorder();
    for (const [method, path] of [
      ['POST', '/embeddings'],
      ['POST', '/completions'],
      ['GET', '/models/svc/kimi-k3'],
      ['GET', '/chat/completions'],
    ] as const) {
      await assert.rejects(ask({ method, path }), FeatureNotServed, path);
    }
    assert.deepEqual(sent, []);
  });

  it('S2 S17 X15 sends the key only where it is given one, and follows no redirect with it', async () => {
    const { sent, ask } = recorder();
    await ask({ method: 'GET', path: '/models' });
    await ask({ method: 'POST', path: '/chat/completions', key: 'sk-svc-canary', body: '{}' });
    assert.deepEqual(
      sent.map(({ url, options }) => ({ url, key: Object(options.headers).authorization, redirect: options.redirect })),
      [
        { url: 'http://127.0.0.1:9/v1/models', key: undefined, redirect: 'manual' },
        { url: 'http://127.0.0.1:9/v1/chat/completions', key: 'Bearer sk-svc-canary', redirect: 'manual' },
      ],
    );
  });
});
