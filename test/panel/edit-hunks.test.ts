import assert from 'node:assert/strict';
import type { EditHunk, PanelInfo } from '../../src/shared/panel/panel-info.ts';
import { someOf } from '../support/effort.ts';
import { edits } from './agent-fixtures.ts';
import { axeProblems } from './axe.ts';
import { ask, end, panelInfo, snapshot, toolStep } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';
import { themeNames, themes } from './themes.ts';

const uri = 'file:///w/src/parse.ts';
const part = (line: number, diff: string, more = 0): EditHunk => ({ uri, path: 'src/parse.ts', line, diff, more });
const short = part(
  11,
  '@@ -10,5 +10,6 @@\n export function total(lines: Line[]) {\n-  return lines.length;\n+  const sum = lines.reduce((all, one) => all + one.price, 0);\n+  return sum < 0 ? 0 : sum;\n }\n ',
);
const long = part(40, ['@@ -40,0 +41,30 @@', ...Array.from({ length: 30 }, (_, at) => `+line ${at}`)].join('\n'), 12);
const card = {
  id: 'c1',
  name: 'edit_file',
  title: 'Edit src/parse.ts',
  arguments: '{}',
  output: 'Edited src/parse.ts',
};
const turn = [...ask('Sum them up.'), ...toolStep('', [card]), end()];
const with_ = (...hunks: EditHunk[]): Partial<PanelInfo> => ({ edits, editHunks: { c1: hunks } });

describe('the card of an edit', () => {
  let panel: PanelPage;
  const open = async (options: Parameters<typeof openPanel>[0], ...hunks: EditHunk[]) => {
    panel = await openPanel(options);
    await panel.send(snapshot(turn, with_(...hunks)));
    await panel.forgetPosted();
  };
  const button = (name: string) => panel.page.getByRole('button', { name });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });

  it('F14 F17 shows each undecided part with Keep and Undo, and sends what was seen; what is decided elsewhere is gone', async () => {
    await open({}, short, long);
    const list = panel.page.getByRole('list', { name: 'Parts to decide on' });
    assert.equal(await list.getByRole('listitem').count(), 2);
    await list.locator('ins', { hasText: 'const sum' }).waitFor();
    await button('Keep: src/parse.ts, line 12').click();
    await button('Undo: src/parse.ts, line 41').click();
    assert.deepEqual(await panel.posted(), [
      { type: 'editedPart', action: 'keep', uri, line: 11, diff: short.diff },
      { type: 'editedPart', action: 'undo', uri, line: 40, diff: long.diff },
    ]);
    await panel.send({ type: 'info', info: panelInfo({ editHunks: {} }) });
    await list.waitFor({ state: 'detached' });
  });

  it('F14 shows twelve lines of a long part, then all there are, and the diff for the rest', async () => {
    await open({}, long);
    const rows = panel.page.locator('.edit-hunks ins');
    assert.equal(await rows.count(), 12);
    await button('18 More Lines').click();
    assert.equal(await rows.count(), 30);
    await button('Show Diff').click();
    assert.deepEqual(await panel.posted(), [{ type: 'editedFile', action: 'open', uri }]);
  });

  it('F14 the keyboard goes on to the next part when one is decided on', async () => {
    await open({}, short, long);
    await button('Keep: src/parse.ts, line 12').focus();
    await panel.page.keyboard.press('Enter');
    await panel.send({ type: 'info', info: panelInfo(with_(long)) });
    const focused = await panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    assert.equal(focused, 'Keep: src/parse.ts, line 41');
  });

  for (const theme of ['hc-dark', 'hc-light'] as const) {
    it(`ux 2.18 added and removed lines have the borders of VS Code's own diff in ${theme}`, async () => {
      await open({ theme }, short);
      for (const [line, kind] of [
        ['ins.row', 'inserted'],
        ['del.row', 'removed'],
      ] as const) {
        const outline = await panel.page
          .locator(line)
          .first()
          .evaluate((row) => getComputedStyle(row).outline);
        const hex = themes[theme].variables[`--vscode-diffEditor-${kind}TextBorder`] ?? '';
        const rgb = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ');
        assert.equal(outline, `rgb(${rgb}) dashed 1px`);
      }
    });
  }

  for (const theme of someOf(themeNames, themeNames.length)) {
    it(`F14 parts to decide on have no accessibility problem in ${theme}`, async () => {
      await open({ theme, width: 220 }, short, long);
      assert.deepEqual(await axeProblems(panel.page), []);
    });
  }
});
