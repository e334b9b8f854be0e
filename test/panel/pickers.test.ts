import assert from 'node:assert/strict';
import type { PickRow } from '../../src/shared/panel/panel-info.ts';
import { axeProblems } from './axe.ts';
import { clippedParts } from './clipping.ts';
import { snapshot } from './fixtures.ts';
import { openPanel, type PanelOptions, type PanelPage } from './panel-page.ts';
import { themeNames } from './themes.ts';

const modes: PickRow[] = [
  {
    id: 'ask',
    label: 'Ask',
    detail: 'Reads and searches the workspace. Fewer tools are sent, so a message costs less.',
  },
  { id: 'plan', label: 'Plan', detail: 'Reads, asks, and writes a plan that you can edit. Starts nothing.' },
  { id: 'edit', label: 'Edit', detail: 'Reads and edits files. Runs nothing.' },
  { id: 'agent', label: 'Agent', detail: "Also runs commands and other extensions' tools.", current: true },
];
const modelRows = (count: number): PickRow[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `svc/model-${at}`,
    label: `Model ${at}`,
    ...(at === 0
      ? { group: 'Recent', detail: 'Last answer 8.2 s · At capacity 1× in 24 h' }
      : { group: 'Other Models' }),
    ...(at === 2 && { current: true as const }),
  }));

describe('pickers at their buttons', () => {
  let panel: PanelPage;
  const open = async (options: PanelOptions = {}) => {
    panel = await openPanel(options);
    await panel.send(snapshot());
  };
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const button = (name: string | RegExp) => panel.page.getByRole('button', { name });
  const list = () => panel.page.getByRole('listbox');
  const press = (key: string) => panel.page.keyboard.press(key);
  const openWith = async (picker: 'model' | 'mode', rows: PickRow[]) => {
    await button(picker === 'model' ? /^Model: / : /^Mode: /).click();
    await panel.send({ type: 'picks', picker, rows, note: 'All models 0.33 USD per 1M tokens' });
  };
  /** The name of the row that Enter takes. */
  const active = () =>
    panel.page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
      return document.getElementById(id)?.querySelector('.pick-label')?.textContent;
    });
  const last = async () => (await panel.posted()).at(-1);

  it('U1 the current row is in front and marked, and Enter on it changes nothing', async () => {
    await open();
    await openWith('mode', modes);
    assert.deepEqual(await last(), { type: 'openPicker', picker: 'mode' });
    assert.equal(await active(), 'Agent');
    assert.deepEqual(await list().getByRole('option', { selected: true }).count(), 1);
    await press('Enter');
    assert.deepEqual(await last(), { type: 'openPicker', picker: 'mode' });
    assert.equal(await list().count(), 0);
    assert.equal(await button(/^Mode: /).evaluate((one) => one === document.activeElement), true);
  });

  it('U1 arrows, Home, End and Enter choose; Escape gives the button its focus back and stops no answer', async () => {
    await open();
    await openWith('mode', modes);
    for (const [key, now] of [
      ['ArrowUp', 'Edit'],
      ['Home', 'Ask'],
      ['ArrowUp', 'Agent'],
      ['ArrowDown', 'Ask'],
      ['End', 'Agent'],
      ['p', 'Plan'],
    ] as const) {
      await press(key);
      assert.equal(await active(), now, key);
    }
    await press('Escape');
    assert.equal(await list().count(), 0);
    assert.equal(await button(/^Mode: /).evaluate((one) => one === document.activeElement), true);
    await press('Enter');
    await panel.send({ type: 'picks', picker: 'mode', rows: modes });
    await press('ArrowDown');
    await press('Enter');
    assert.deepEqual(await last(), { type: 'selectMode', id: 'ask' });
    await openWith('mode', modes);
    await list().getByText('Plan', { exact: true }).click();
    assert.deepEqual(await last(), { type: 'selectMode', id: 'plan' });
    await openWith('mode', modes);
    await panel.input.click();
    assert.equal(await list().count(), 0);
  });

  it('U1 a key that is pressed before the rows arrive is not lost on the message', async () => {
    await open();
    await button(/^Model: /).click();
    await press('Enter');
    await press('x');
    await panel.send({ type: 'picks', picker: 'model', rows: modelRows(3) });
    assert.equal(await panel.input.inputValue(), '');
    assert.equal(await active(), 'Model 2');
  });

  it('U1 many models are filtered by typing, and what came anew keeps the row that was moved to', async () => {
    await open();
    await openWith('model', modelRows(12));
    assert.equal(await active(), 'Model 2');
    await press('ArrowDown');
    await panel.send({ type: 'picks', picker: 'model', rows: modelRows(14) });
    assert.equal(await active(), 'Model 3');
    await panel.page.keyboard.type('el 1');
    assert.deepEqual(await list().locator('.pick-label').allTextContents(), [
      ...['Model 1', 'Model 10', 'Model 11', 'Model 12', 'Model 13'],
    ]);
    await press('ArrowDown');
    await press('Enter');
    assert.deepEqual(await last(), { type: 'selectModel', id: 'svc/model-10' });
    assert.equal(
      (await panel.posted()).some(({ type }) => type === 'send'),
      false,
    );
    await openWith('model', modelRows(12));
    await panel.page.keyboard.type('nothing');
    await panel.page.getByText('No match').waitFor();
    await press('Enter');
    assert.deepEqual(await last(), { type: 'openPicker', picker: 'model' });
  });

  it('ux 2.18 stands at its button, whole, in every theme and width, and axe finds nothing', async () => {
    for (const theme of themeNames) {
      for (const width of theme === 'dark' ? [220, 290, 480, 900] : [290]) {
        await panel?.close();
        await open({ theme, width });
        for (const [picker, rows] of [
          ['mode', modes],
          ['model', modelRows(9)],
        ] as const) {
          await openWith(picker, rows);
          const box = await panel.page.locator('.picker').boundingBox();
          const at = await button(picker === 'model' ? /^Model: / : /^Mode: /).boundingBox();
          assert.ok(
            box && at && box.x >= 0 && box.y >= 0 && box.x + box.width <= width,
            `${width}: ${JSON.stringify(box)}`,
          );
          assert.ok(at.y - (box.y + box.height) < 60 && box.x <= at.x && at.x < box.x + box.width, `${theme} ${width}`);
          assert.deepEqual(await axeProblems(panel.page), [], `${theme} ${width}`);
          assert.deepEqual(await clippedParts(panel.page), [], `${theme} ${width}`);
          await panel.page.screenshot({ path: `out/screenshots/picker-${picker}-${theme}-${width}.png` });
          await press('Escape');
        }
      }
    }
  });
});
