import assert from 'node:assert/strict';
import { ask, snapshot } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

const costs = { estimateMicroUsd: 22_000, spentMicroUsd: 61_000, limitMicroUsd: 20_000 };

describe('the heading', () => {
  let panel: PanelPage;
  const heading = () => panel.page.getByRole('heading', { level: 1 });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });

  it('F6 U4 names the conversation, and says that it waits for its user as long as it does', async () => {
    panel = await openPanel({ width: 220 });
    await panel.send(snapshot([]));
    assert.equal(await heading().innerText(), 'svc Assistant');
    await panel.send(
      snapshot([...ask('Tidy up.'), { type: 'titleChanged', title: 'Tidying\u202e the whole shop, all of it' }]),
    );
    assert.equal(await heading().innerText(), 'Tidying␣U+202E the whole shop, all of it');
    const box = await heading().boundingBox();
    assert.ok(box && box.height < 36 && box.width <= 220, JSON.stringify(box));
    await panel.events({ type: 'asked', turnId: 'turn-1', step: 3, id: 'p', kind: 'cost', about: costs });
    assert.match(await heading().innerText(), /^Needs you: Tidying/);
    await panel.events({ type: 'answered', turnId: 'turn-1', id: 'p', kind: 'cost', value: true });
    assert.match(await heading().innerText(), /^Tidying/);
  });

  it('F6 leaves the name to the tab of an editor', async () => {
    panel = await openPanel();
    await panel.send(snapshot(ask('Tidy up.'), { inTab: true }));
    assert.equal(await heading().innerText(), 'svc Assistant');
  });
});
