import assert from 'node:assert/strict';
import type { ChatEvent } from '../../src/shared/events.ts';
import { someOf } from '../support/effort.ts';
import { compactAsked } from './agent-fixtures.ts';
import { axeProblems } from './axe.ts';
import { ask, snapshot } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';
import { themeNames } from './themes.ts';

const costs = { estimateMicroUsd: 22_000, spentMicroUsd: 61_000, limitMicroUsd: 20_000 };
const asked: ChatEvent = { type: 'asked', turnId: 'turn-1', step: 3, id: 'p', kind: 'cost', about: costs };

describe('the question about the price', () => {
  let panel: PanelPage;
  const open = async (options: Parameters<typeof openPanel>[0] = {}) => {
    panel = await openPanel(options);
    await panel.send(snapshot([...ask('Tidy up.'), asked]));
    await panel.forgetPosted();
  };
  const card = () => panel.page.getByRole('group', { name: 'Go on with this message?' });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });

  it('U4 stands in the chat with what the message has cost and what goes on, and nothing claims that the model is waited for', async () => {
    await open();
    await card().getByText('Cost so far: ≈ $0.0610. Each further step: ≈ $0.0220.').waitFor();
    assert.equal(await panel.page.getByText(/Waiting for|Sending/).count(), 0);
    await panel.page.getByRole('alert').getByText('Go on with this message?').waitFor({ state: 'attached' });
    await card().getByRole('button', { name: 'Go On' }).click();
    await card().getByRole('button', { name: "Don't Send" }).click();
    assert.deepEqual(await panel.posted(), [{ type: 'answer', answer: { id: 'p', kind: 'cost', value: true } }]);
    await panel.events({ type: 'answered', turnId: 'turn-1', id: 'p', kind: 'cost', value: true });
    await card().waitFor({ state: 'detached' });
    await panel.page.getByText('Sending…').waitFor();
  });

  it('U4 is found by the key that leads to what waits', async () => {
    await open();
    await panel.send({ type: 'focusApproval' });
    assert.ok(await card().evaluate((element) => element.contains(document.activeElement)));
  });

  for (const theme of someOf(themeNames, themeNames.length)) {
    it(`U4 has no accessibility problem in ${theme}`, async () => {
      await open({ theme, width: 220 });
      assert.deepEqual(await axeProblems(panel.page), []);
    });
  }
});

describe('the offer to shorten first', () => {
  it('U4 U13 stands over the message with its price, and the message goes on whatever is chosen', async () => {
    const panel = await openPanel({ width: 250 });
    await panel.send(snapshot([...ask('Tidy up.'), compactAsked]));
    const card = panel.page.getByRole('group', { name: 'Compact before your message is sent?' });
    await card.getByText('The next request is close to 32,000 tokens, a size this model has refused.').waitFor();
    await card.getByText(/It costs ≈ \$0\.0072 once and pays for itself after 2 requests\./).waitFor();
    await panel.page
      .getByRole('status')
      .getByText('Compact before your message is sent?')
      .waitFor({ state: 'attached' });
    assert.deepEqual(await axeProblems(panel.page), []);
    await card.getByRole('button', { name: 'Compact', exact: true }).click();
    await card.getByRole('button', { name: 'Send as It Is' }).click();
    assert.deepEqual(
      (await panel.posted()).filter(({ type }) => type === 'answer'),
      [
        { type: 'answer', answer: { id: 'compact', kind: 'compact', value: true } },
        { type: 'answer', answer: { id: 'compact', kind: 'compact', value: false } },
      ],
    );
    await panel.events({ type: 'answered', id: 'compact', kind: 'compact', value: true });
    await card.waitFor({ state: 'detached' });
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
});
