import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { demoKey } from '../../service/local-service.ts';
import { useService } from './harness.ts';

describe('local service: dashboard', () => {
  const { chat, get, service } = useService();

  it('S14 shows balance and recent usage, and says that it is the local stand-in', async () => {
    await chat({ model: 'svc/kimi-k3' });
    const response = await fetch(service().dashboardUrl);
    const page = await response.text();
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page, /local stand-in/);
    assert.ok(page.includes(`Balance: $${(service().balanceMicroUsd() / 1e6).toFixed(6)}`));
    assert.match(page, /<td>svc\/kimi-k3<\/td>/);
  });

  it('S12 tops up from 5 USD', async () => {
    const topUp = async (usd: string): Promise<string> =>
      (await get('/dashboard/top-up', { method: 'POST', body: new URLSearchParams({ usd }) })).text();
    assert.match(await topUp('4'), /smallest top-up is 5 USD/);
    assert.equal(service().balanceMicroUsd(), 5_000_000);
    assert.match(await topUp('5'), /Topped up/);
    assert.equal(service().balanceMicroUsd(), 10_000_000);
  });

  it('S17 shows a new key once, at creation, and the key works', async () => {
    const created = await (await get('/dashboard/keys', { method: 'POST' })).text();
    const key = created.match(/sk-svc-[\w-]+/)?.[0];
    assert.ok(key);
    const response = await chat({}, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(response.status, 200);
    const again = await (await fetch(service().dashboardUrl)).text();
    assert.ok(!again.includes(key) && !again.includes(demoKey));
  });

  it('refuses forms of other sites and other host names', async () => {
    const foreign = await get('/dashboard/keys', { method: 'POST', headers: { origin: 'https://example.com' } });
    assert.equal(foreign.status, 403);
    assert.equal((await get('/dashboard/keys')).status, 405);
  });
});
