import assert from 'node:assert/strict';
import { someOf } from '../support/effort.ts';
import { clippedParts } from './clipping.ts';
import { show, states } from './gallery.ts';
import { openPanel } from './panel-page.ts';
import { spendReport } from './spend-fixtures.ts';

/** The narrowest that a side bar can be. */
const width = 220;

describe('the panel in German at 220 px', () => {
  for (const [name, messages] of someOf(Object.entries(states), 4)) {
    it(`ux 1.10 ux 2.18: clips nothing in the state ${name}`, async () => {
      const panel = await openPanel({ width, height: 900, language: 'de' });
      await show(panel, name, messages);
      const clipped = await clippedParts(panel.page);
      const problems = panel.problems();
      await panel.close();
      assert.deepEqual({ clipped, problems }, { clipped: [], problems: [] });
    });
  }

  it('ux 1.10 ux 2.18: clips nothing in the spend report', async () => {
    const panel = await openPanel({ width, height: 900, piece: 'spend', language: 'de' });
    await show(panel, 'spend', [spendReport()]);
    const clipped = await clippedParts(panel.page);
    await panel.close();
    assert.deepEqual(clipped, []);
  });
});
