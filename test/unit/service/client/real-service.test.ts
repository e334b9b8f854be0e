import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Transport } from '../../../../src/service/wire/transport.ts';
import { type LocalService, startLocalService } from '../../../service/local-service.ts';
import { canaryKey, createHarness, ended, ofType } from './harness.ts';

/** The client over real sockets against the local service. */
describe('client over the wire', () => {
  let service: LocalService;
  before(async () => {
    service = await startLocalService({ keys: [canaryKey] });
  });
  afterEach(() => service.reset());
  after(() => service.close());

  const transport: Transport = (url, init) => fetch(url, init);
  const connect = (change: Parameters<typeof createHarness>[1] = {}) =>
    createHarness([], {
      transport,
      baseUrl: () => service.baseUrl,
      clock: { ...systemClock, sleep: async () => undefined },
      ...change,
    });
  const replyWith = (text: string) => ({ replies: [{ text }] });

  it('F1 S10 streams a reply and reports what the service charged', async () => {
    service.script(replyWith('Hello from the service'));
    const harness = connect();
    const result = await harness.send();
    assert.equal(result.outcome, 'done', JSON.stringify(result));
    assert.equal(result.reply.text, 'Hello from the service');
    assert.equal(result.attempts[0]?.usage?.totalTokens, service.totalTokens());
    assert.equal(result.attempts[0]?.charge, 'yes');
  });

  it('S2 S18 lists the models and checks keys, at no cost', async () => {
    const { client } = connect();
    const open = new AbortController().signal;
    const list = await client.listModels(open);
    assert.ok(list.ok && list.models.length === 7);
    assert.deepEqual(await client.checkKey(canaryKey, open), { state: 'accepted' });
    assert.deepEqual(await client.checkKey('sk-svc-wrong-000000', open), { state: 'rejected' });
    assert.equal(service.charges.length, 0);
  });

  it('S9 goes to another model when the service names the one that is at capacity', async () => {
    service.script({
      rules: [{ match: { model: 'svc/kimi-k3' }, effect: { capacity: {} } }],
      replies: [{ text: 'from another' }],
    });
    const harness = connect();
    const result = await harness.send();
    assert.equal(result.outcome, 'done');
    assert.equal(result.reply.model, 'svc/deepseek-v4-pro');
    assert.deepEqual(
      ofType(harness.events, 'notice').map(({ notice }) => notice.kind === 'fallback' && notice.answered),
      [undefined, true],
    );
    assert.deepEqual(
      ended(harness).map((attempt) => attempt.charge),
      ['no', 'yes'],
    );
    assert.equal(service.charges.length, 1);
  });

  for (const [id, effect] of [
    ['S22', { streaming: 'refused' }],
    ['S23', { tools: 'refused' }],
    ['H10', { checks: ['H10'] }],
    ['W67', { checks: ['W67'] }],
  ] as const) {
    it(`${id} gets its answer from a service with ${JSON.stringify(effect)}, and asks right the next time`, async () => {
      service.script({
        rules: [{ effect: JSON.parse(JSON.stringify(effect)) }],
        replies: [{ text: 'a' }, { text: 'b' }],
      });
      const harness = connect();
      const request = {
        temperature: 0.5,
        tools: [{ name: 't', description: 'd', parameters: { type: 'object', properties: {} } }],
      };
      assert.equal((await harness.send(request)).outcome, 'done');
      assert.equal(ended(harness).length, 2);
      assert.equal((await harness.send(request)).outcome, 'done');
      assert.equal(ended(harness).length, 3);
    });
  }

  it('S8 a 522 page is tried again', async () => {
    service.script({ rules: [{ times: 1, effect: { page522: true } }], ...replyWith('back again') });
    const result = await connect().send();
    assert.equal(result.reply.text, 'back again');
    assert.equal(result.attempts.length, 2);
  });

  it('W77 X15 a redirect is not followed and names its host', async () => {
    service.script({ rules: [{ effect: { redirect: { location: `${service.baseUrl}/elsewhere` } } }] });
    const result = await connect().send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'redirected');
    assert.equal(result.failure.facts?.host, new URL(service.baseUrl).host);
    assert.equal(service.requests.length, 1);
  });

  it('T09 F2 stop in the middle closes the connection', async () => {
    service.script({ rules: [{ effect: { chunkDelayMs: 50 } }], replies: [{ text: 'word '.repeat(500) }] });
    const controller = new AbortController();
    const harness = connect({
      onEvent: (event) => {
        if (event.type === 'text') controller.abort();
      },
    });
    const result = await harness.send({}, controller.signal);
    assert.equal(result.outcome, 'stopped');
    assert.notEqual(result.reply.text, '');
    assert.ok(result.reply.text.length < 'word '.length * 250, 'not to the end');
    await service.waitForRequest((request) => request.closedByClientAt !== undefined, 60_000);
  });

  it('W27 a connection that is cut before anything was shown is tried again', async () => {
    service.script({ rules: [{ times: 1, effect: { dropConnection: true } }], ...replyWith('second try') });
    const result = await connect().send();
    assert.equal(result.reply.text, 'second try');
    assert.deepEqual(
      result.attempts.map((attempt) => attempt.charge),
      ['maybe', 'yes'],
    );
  });

  it('S26 an exhausted balance is named as such whatever the status', async () => {
    for (const exhaustedBalance of [402, 403, 429] as const) {
      service.script({ rules: [{ effect: { exhaustedBalance } }] });
      const result = await connect().send();
      assert.ok(result.outcome === 'failed');
      assert.equal(result.failure.kind, 'balance');
      assert.equal(result.attempts.length, 1);
    }
  });
});
