import assert from 'node:assert/strict';
import type { SectionStates } from '../../src/shared/panel/sections.ts';
import { axeProblems } from './axe.ts';
import { panelInfo, snapshot } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

describe('strips of one line', () => {
  let panel: PanelPage;
  const bar = () => panel.page.getByRole('region', { name: 'Comments' });
  const show = (...lines: SectionStates['lines']) =>
    panel.send({ type: 'info', info: panelInfo({ sections: { lines } }) });
  const comments = (text: string): SectionStates['lines'][number] => ({
    ...{ id: 'comments', label: 'Comments', text },
    buttons: [
      { action: 'send', label: 'Send', primary: true },
      { action: 'discard', label: 'Discard' },
    ],
  });
  beforeEach(async () => {
    panel = await openPanel({ width: 220 });
    await panel.send(snapshot([]));
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });

  it('F33 a line is there while it has a text, and its buttons say which was pressed', async () => {
    assert.equal(await bar().count(), 0);
    await panel.forgetPosted();
    await show(comments('1 comment · src/cart.ts · ≈ $0.0082'));
    assert.match(await bar().innerText(), /^1 comment · src\/cart\.ts · ≈ \$0\.0082/);
    await bar().getByRole('button', { name: 'Send' }).press('Enter');
    await show(comments('2 comments · src/cart.ts, b.ts'));
    assert.match(await bar().innerText(), /^2 comments · src\/cart\.ts, b\.ts/);
    await bar().getByRole('button', { name: 'Discard' }).click();
    assert.deepEqual(await panel.posted(), [
      { type: 'section', key: 'lines', action: { line: 'comments', action: 'send' } },
      { type: 'section', key: 'lines', action: { line: 'comments', action: 'discard' } },
    ]);
    await panel.send({ type: 'info', info: panelInfo() });
    assert.equal(await bar().count(), 0);
  });

  it('F46 rows of one strip stand in one box, a line each, and their buttons have names of their own', async () => {
    const row = (id: string, text: string): SectionStates['lines'][number] => ({
      ...{ id: `otherChats ${id}`, label: 'Other chats', text },
      buttons: [{ action: 'open', label: 'Open' }],
    });
    const texts = ['Needs you · $0.0041 · Fix the cart totals', 'Running · $0.0210 · Move the dates to Temporal'];
    await show(...texts.map((text, at) => row(`c${at}`, text)));
    const box = panel.page.getByRole('region', { name: 'Other chats' });
    assert.equal(await box.count(), 1);
    assert.ok(((await box.boundingBox())?.height ?? 0) < 70);
    await panel.forgetPosted();
    for (const text of texts) await box.getByRole('button', { name: `Open: ${text}` }).click();
    assert.deepEqual(await panel.posted(), [
      { type: 'section', key: 'lines', action: { line: 'otherChats c0', action: 'open' } },
      { type: 'section', key: 'lines', action: { line: 'otherChats c1', action: 'open' } },
    ]);
    assert.deepEqual(await axeProblems(panel.page), []);
  });

  it('F33 a button keeps the focus when another line comes before it', async () => {
    await show(comments('1 comment'));
    await bar().getByRole('button', { name: 'Discard' }).focus();
    await show({ id: 'other', label: 'Other', text: 'Something else', buttons: [] }, comments('1 comment'));
    await panel.page.getByText('Something else').waitFor();
    assert.equal(await panel.page.evaluate(() => document.activeElement?.textContent), 'Discard');
  });

  it('F33 shows names of files as they are, and leaves most of a narrow panel to the conversation', async () => {
    await show(comments('1 comment · a\u202egnp.ts'));
    assert.match(await bar().innerText(), /a␣U\+202Egnp\.ts/);
    const long = Array.from({ length: 3 }, (_, at) => `a-file-with-a-long-name-${at}.ts`);
    await show(comments(`40 comments · ${long.join(', ')} · ≈ $0.0082`));
    assert.match(await bar().innerText(), /^40 comments · /);
    const box = await bar().boundingBox();
    assert.ok(box && box.height < 180 && box.x + box.width <= 220, JSON.stringify(box));
    assert.ok(await bar().getByRole('button', { name: 'Send' }).isVisible());
  });
});
