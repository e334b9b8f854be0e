import assert from 'node:assert/strict';
import type { ChatEvent } from '../../src/shared/events.ts';
import { axeProblems } from './axe.ts';
import { ask, snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

const placed = (files: number): ChatEvent => ({
  type: 'worktreeChanged',
  worktree: { folder: '/w/website-1', repository: '/home/me/website', roots: [{ name: 'website', path: '' }], files },
});
const done = turn('Try another parser.', 'Done.');
const capped: ChatEvent = { type: 'budgetSet', microUsd: 500_000 };

describe('the line of a worktree', () => {
  let panel: PanelPage;
  const line = () => panel.page.getByRole('region', { name: 'Worktree' });
  const words = () => line().getByRole('paragraph').innerText();
  const buttons = () => line().getByRole('button').allInnerTexts();
  const press = (name: string) => line().getByRole('button', { name, exact: true }).press('Enter');
  const show = async (...events: ChatEvent[]) => {
    await panel.send(snapshot(events));
    await panel.forgetPosted();
  };
  beforeEach(async () => {
    panel = await openPanel({ width: 220 });
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });

  it('F39 is there for no conversation that works in the workspace', async () => {
    await show(...done);
    assert.equal(await line().count(), 0);
    await show(placed(2), ...done, { type: 'worktreeChanged' });
    assert.equal(await line().count(), 0);
  });

  it('F39 shows what is changed so far while a turn runs, and neither brings it back nor removes it', async () => {
    await show(placed(2), ...ask('Try another parser.'));
    assert.deepEqual([await words(), await buttons()], ['In a worktree', ['Show']]);
    await press('Show Changes');
    assert.deepEqual(await panel.posted(), [{ type: 'section', key: 'worktree', action: 'show' }]);
  });

  it('F39 brings back, shows and removes what was changed', async () => {
    await show(placed(1), ...done);
    assert.deepEqual([await words(), await buttons()], ['Worktree · 1 file changed', ['Bring Back', 'Show', 'Remove']]);
    await show(placed(1), ...done, placed(12));
    assert.equal(await words(), 'Worktree · 12 files changed');
    for (const name of ['Bring Back', 'Show Changes', 'Remove']) await press(name);
    assert.deepEqual(
      await panel.posted(),
      (['bringBack', 'show', 'remove'] as const).map((action) => ({ type: 'section', key: 'worktree', action })),
    );
  });

  it('F39 offers only to remove one without changes', async () => {
    await show(placed(0), ...done);
    assert.deepEqual([await words(), await buttons()], ['Worktree · nothing to bring back', ['Remove']]);
  });

  it('F39 leads to the patch of one that is removed, until the next message', async () => {
    const removed: ChatEvent = { type: 'worktreeChanged', patch: '/w/patches/website-1.patch' };
    await show(placed(2), ...done, removed);
    assert.deepEqual([await words(), await buttons()], ['Worktree removed. Changes saved as a patch.', ['Open Patch']]);
    assert.doesNotMatch(await panel.page.content(), /website-1/);
    await press('Open Patch');
    assert.deepEqual(await panel.posted(), [{ type: 'section', key: 'worktree', action: 'openPatch' }]);
    await show(placed(2), ...done, removed, ...turn('Go on.', 'Done.', 'turn-2'));
    assert.equal(await line().count(), 0);
  });

  it('F39 U4 has the cap of the task, which no second line tells', async () => {
    const spent = String.raw`\$0\.\d+ of \$0\.50$`;
    await show(capped, placed(2), ...done);
    assert.match(await words(), new RegExp(`^Worktree · 2 files changed · ${spent}`));
    assert.equal(await panel.page.locator('.budget').count(), 0);
    await show(capped, placed(0), ...ask('Try another parser.'));
    assert.match(await words(), /^In a worktree · .* of \$0\.50$/);
    assert.equal(await panel.page.getByText('of $0.50').count(), 1);
    await show(capped, placed(2), ...done, { type: 'worktreeChanged' });
    assert.match(await panel.page.locator('.budget').innerText(), new RegExp(`^${spent}`));
  });

  it('F39 ux 2.18 is of use to everybody, also where the panel is narrow', async () => {
    for (const events of [
      [capped, placed(12), ...done],
      [capped, placed(2), ...ask('Try.')],
      [placed(2), ...done, { type: 'worktreeChanged', patch: '/w/p.patch' } as const],
    ]) {
      await show(...events);
      assert.deepEqual(await axeProblems(panel.page), []);
      const box = await line().boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 220, JSON.stringify(box));
      for (const button of await line().getByRole('button').all()) {
        const at = await button.boundingBox();
        assert.ok(at && at.x >= box.x && at.x + at.width <= box.x + box.width, JSON.stringify(at));
      }
    }
  });
});
