import assert from 'node:assert/strict';
import type { ChatEvent } from '../../src/shared/events.ts';
import { describeFailure } from '../../src/shared/failure/failure-text.ts';
import { failureKinds } from '../../src/shared/failure/kinds.ts';
import { ask, cost, end, failedTurn, failure, free, panelInfo, say, snapshot } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

describe('failure cards', () => {
  let panel: PanelPage;
  before(async () => {
    panel = await openPanel();
  });
  beforeEach(() => panel.forgetPosted());
  after(() => panel.close());
  afterEach(() => assert.deepEqual(panel.problems(), []));
  const nameOf = (id: string) => panelInfo().modelNames[id] ?? id;

  for (const kind of failureKinds) {
    it(`U6 shows ${kind} as an alert whose buttons all act`, async () => {
      const expected = describeFailure(failure(kind, { status: 418 }), nameOf);
      await panel.send(snapshot(failedTurn(kind, { status: 418 })));
      const card = panel.page.getByRole('alert');
      await card.getByText(expected.title, { exact: true }).waitFor();
      await card.getByText(expected.detail, { exact: true }).waitFor();
      for (const { label } of expected.actions) await card.getByRole('button', { name: label, exact: true }).click();
      assert.deepEqual(
        await panel.posted(),
        expected.actions.map(({ action }) => ({ type: 'action', turnId: 'turn-1', action })),
      );
      const money = await card.locator('.money').allTextContents();
      // The turn was not charged, and the card says so wherever anything was sent.
      assert.deepEqual(money, expected.money === 'none' ? [] : ['Not charged']);
    });
  }

  it('ux 2.14 the buttons of the last turn say what sending again costs, and which model would be tried', async () => {
    const parts = { draft: 1000, attachments: 0, history: 15_000, rules: 0, tools: 4000 };
    await panel.send(snapshot(failedTurn('capacity-model'), { tryOrder: ['svc/kimi-k3', 'svc/glm-5.3'] }), {
      type: 'price',
      price: { tokens: 20_000, microUsd: 6600, historyMicroUsd: 4950, error: 0.1, parts },
    });
    const card = panel.page.getByRole('alert');
    await card.getByRole('button', { name: 'Retry ≈ $0.0063', exact: true }).click();
    await card.getByRole('button', { name: 'Try GLM 5.3', exact: true }).click();
    assert.deepEqual(
      (await panel.posted()).map((message) => message.type === 'action' && message.action),
      ['retry', 'try-other-model'],
    );
  });

  it('S15 has the details that a report needs, and the words of the service as plain text', async () => {
    await panel.send(
      snapshot(
        failedTurn('bad-request', { status: 422, endpoint: 'POST /chat/completions', serverMessage: 'nope **bold**' }),
      ),
    );
    const card = panel.page.getByRole('alert');
    assert.equal(await card.getByText('nope').count(), 0);
    await card.getByText('Details', { exact: true }).click();
    for (const text of [
      '2026-11-20T10:00:00+01:00',
      '422',
      'POST /chat/completions',
      'Kimi K3 (svc/kimi-k3)',
      'nope **bold**',
    ]) {
      await card.getByText(text, { exact: true }).waitFor();
    }
  });

  it('S10 keeps the text that arrived and is careful about its price', async () => {
    const spent = cost({ charge: 'maybe', estimated: true });
    await panel.send(
      snapshot([
        ...ask('Hi'),
        say('Half an answer'),
        end('turn-1', { outcome: 'failed', failure: failure('cut-off'), cost: spent }),
      ]),
    );
    await panel.page.getByText('Half an answer').waitFor();
    await panel.page.getByRole('alert').getByText('Possibly charged').waitFor();
  });

  it('U7 seven models without room are one line and one card, which names them on demand and offers none of them', async () => {
    const ids = Array.from({ length: 7 }, (_, at) => `svc/model-${at}`);
    const busy = failure('capacity-model', { model: ids[6], facts: { asked: ids.join(' ') } });
    const left = ids.slice(0, 6).map((from, at): ChatEvent => {
      const notice = { kind: 'fallback', from, to: ids[at + 1] ?? '', failure: busy, continued: false } as const;
      return { type: 'notice', turnId: 'turn-7', step: 0, notice };
    });
    const modelNames = Object.fromEntries(ids.map((id, at) => [id, `Model ${at}`]));
    const ended = end('turn-7', { outcome: 'failed', cost: free, failure: busy });
    await panel.send(snapshot([...ask('Hi', 'turn-7'), ...left, ended], { tryOrder: ids, modelNames }));
    const answer = panel.page.getByRole('article').last();
    assert.equal(await answer.locator('.quiet-line').innerText(), '6 models at capacity');
    assert.equal(await answer.locator('.notice').count(), 0);
    const card = panel.page.getByRole('alert');
    await card.getByText('All 7 models are at capacity').waitFor();
    assert.doesNotMatch(await card.innerText(), /Model \d/);
    assert.match(
      (await card.getByRole('button').allInnerTexts()).join(', '),
      /^Wait and Run, Retry[^,]*, Change Fallback Order, Copy Report$/,
    );
    await card.locator('summary').click();
    await card.getByRole('button', { name: 'Help' }).click();
    assert.deepEqual(await panel.posted(), [{ type: 'action', turnId: 'turn-7', action: 'open-help' }]);
    await card.getByText(ids.map((_, at) => `Model ${at}`).join(', ')).waitFor();
    await panel.send(
      snapshot([...ask('Hi', 'turn-7'), ...left, ended], { tryOrder: [...ids, 'svc/other'], modelNames }),
    );
    await card.getByRole('button', { name: 'Try svc/other' }).waitFor();
  });

  it('ux 2.19 S15 is one line once the conversation went on, and on demand says what it said and makes a report of it', async () => {
    const failed = failedTurn('unreachable', { status: 522 }, 'turn-0');
    await panel.send(snapshot([...failed, { type: 'modelChanged', model: 'svc/glm-5.3' }]));
    assert.equal(await panel.page.getByRole('alert').count(), 1, 'with another model it can still be tried again');
    await panel.send(snapshot([...failed, ...ask('').slice(1), say('There was room.'), end()]));
    assert.equal(await panel.page.getByRole('alert').count(), 0, 'the same message has its answer');
    await panel.send(snapshot([...failed, ...ask('Again?'), say('Yes.'), end()]));
    assert.equal(await panel.page.getByRole('alert').count(), 0);
    const old = panel.page.getByRole('article').nth(1);
    const { title, detail } = describeFailure(failure('unreachable', { status: 522 }), nameOf);
    const line = old.locator('summary', { hasText: title });
    assert.ok(((await line.boundingBox())?.height ?? 99) <= 28);
    assert.equal(await old.getByRole('button', { name: 'Retry' }).count(), 0);
    assert.equal(await old.getByRole('button', { name: 'Copy Report' }).count(), 0);
    await line.click();
    await old.getByText(detail).waitFor();
    await old.getByText('522', { exact: true }).waitFor();
    await old.getByRole('button', { name: 'Copy Report' }).click();
    assert.deepEqual(await panel.posted(), [{ type: 'action', turnId: 'turn-0', action: 'copy-report' }]);
  });

  it('ux 2.19 offers to go on with what was cut off only while it is the last', async () => {
    const interrupted = [...ask('Long?', 'turn-0'), say('Half', 'turn-0'), end('turn-0', { outcome: 'interrupted' })];
    await panel.send(snapshot(interrupted));
    assert.equal(await panel.page.getByRole('button', { name: 'Continue' }).count(), 1);
    await panel.send(snapshot([...interrupted, ...ask('Again?'), say('Yes.'), end()]));
    assert.equal(await panel.page.getByRole('button', { name: 'Continue' }).count(), 0);
    await panel.page.getByText('Interrupted: the window closed').waitFor();
  });

  it('S10 tells a failed request from a turn that was charged before', async () => {
    await panel.send(
      snapshot([
        ...ask('Hi'),
        say('One step'),
        end('turn-1', { outcome: 'failed', failure: failure('capacity-service') }),
      ]),
    );
    await panel.page.getByRole('alert').getByText('The failed request was not charged').waitFor();
  });
});
