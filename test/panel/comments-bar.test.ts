import assert from 'node:assert/strict';
import { panelInfo, snapshot } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

describe('the bar of comments on lines', () => {
  let panel: PanelPage;
  const bar = () => panel.page.getByRole('region', { name: 'Comments' });
  const show = (comments: { count: number; files: readonly string[]; microUsd: number }) =>
    panel.send({ type: 'info', info: panelInfo({ sections: { comments } }) });
  beforeEach(async () => {
    panel = await openPanel({ width: 220 });
    await panel.send(snapshot([]));
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });

  it('F33 is there while comments wait, says what sending them costs, and sends or discards them', async () => {
    assert.equal(await bar().count(), 0);
    await panel.forgetPosted();
    await show({ count: 1, files: ['src/cart.ts'], microUsd: 8200 });
    assert.match(await bar().innerText(), /^1 comment · src\/cart\.ts · ≈ \$0\.0082/);
    await bar().getByRole('button', { name: 'Send' }).press('Enter');
    await show({ count: 2, files: ['src/cart.ts', 'b.ts'], microUsd: 8200 });
    assert.match(await bar().innerText(), /^2 comments · src\/cart\.ts, b\.ts · /);
    await bar().getByRole('button', { name: 'Discard' }).click();
    assert.deepEqual(await panel.posted(), [
      { type: 'section', key: 'comments', action: 'send' },
      { type: 'section', key: 'comments', action: 'discard' },
    ]);
    await panel.send({ type: 'info', info: panelInfo() });
    assert.equal(await bar().count(), 0);
  });

  it('F33 shows names of files as they are, and leaves most of a narrow panel to the conversation', async () => {
    await show({ count: 1, files: ['a\u202egnp.ts'], microUsd: 8200 });
    assert.match(await bar().innerText(), /a␣U\+202Egnp\.ts/);
    const many = Array.from({ length: 40 }, (_, at) => `src/some-folder/a-file-with-a-long-name-${at}.ts`);
    await show({ count: 40, files: many, microUsd: 8200 });
    assert.match(await bar().innerText(), /^40 comments · 40 files · /);
    const box = await bar().boundingBox();
    assert.ok(box && box.height < 100 && box.x + box.width <= 220, JSON.stringify(box));
    assert.ok(await bar().getByRole('button', { name: 'Send' }).isVisible());
  });
});
