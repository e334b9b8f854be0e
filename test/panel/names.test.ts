import assert from 'node:assert/strict';
import { ask, end, say, snapshot, toolStep, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

const answer = [
  'Shipping is decided in `src/shipping.ts:5` by `shippingCents()`, and src/cart.ts:12 calls it; see `gone.ts` and `nothing`.',
  '',
  '```ts\nconst inBlock = src/shipping.ts;\n```',
  '',
  '| file |\n|---|\n| lib/table.ts |',
  '',
  '- A `<b>` of `../outside.ts` at https://example.com/src/web.ts (`/etc/passwd`).',
].join('\n');

describe('ux 2.19 what an answer names', () => {
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const asked = async () => (await panel.allPosted()).filter((message) => message.type === 'findNames');
  const opened = async () => (await panel.posted()).filter((message) => message.type === 'openFile');
  const links = () => panel.page.getByRole('article').last().getByRole('link');

  it('is underlined under the pointer and with the focus of the keyboard, and so is every other link', async () => {
    await panel.send(
      snapshot(turn('Where?', 'See [it](https://a.invalid) and `src/a.ts:1`.\n\n```ts:src/a.ts\nlet a;\n```\n')),
    );
    await panel.page.waitForFunction(() =>
      (globalThis as unknown as { posted: { type: string }[] }).posted.some(({ type }) => type === 'findNames'),
    );
    await panel.send({ type: 'names', turnId: 'turn-1', found: { 'src/a.ts:1': { path: 'src/a.ts' } } });
    await panel.page.locator('code.link').waitFor();
    const all = panel.page.locator('article:last-child :is(.link, .file-link)');
    assert.equal(await all.count(), 3);
    const line = (at: number) => all.nth(at).evaluate((link) => getComputedStyle(link).textDecorationLine);
    for (let at = 0; at < 3; at++) {
      await panel.page.locator('.code-block').hover();
      await all.nth(at).hover();
      assert.equal(await line(at), 'underline', `${at} under the pointer`);
      await panel.page.mouse.move(0, 0);
      // What follows a key shows the focus.
      await panel.page.keyboard.press('Shift');
      await all.nth(at).focus();
      assert.equal(await line(at), 'underline', `${at} with the focus`);
    }
  });

  it('asks which of it exists once the answer is whole and in view, and only for what may be a file or a symbol', async () => {
    await panel.send(snapshot([...ask('Where?'), say(answer)]));
    assert.deepEqual(await asked(), []);
    await panel.events(end());
    await panel.page.waitForFunction(() =>
      (globalThis as unknown as { posted: { type: string }[] }).posted.some(({ type }) => type === 'findNames'),
    );
    assert.deepEqual(await asked(), [
      {
        type: 'findNames',
        turnId: 'turn-1',
        names: [
          { name: 'src/shipping.ts:5', path: 'src/shipping.ts' },
          { name: 'shippingCents()' },
          { name: 'src/cart.ts:12', path: 'src/cart.ts' },
          { name: 'gone.ts', path: 'gone.ts' },
          { name: 'nothing' },
          { name: 'lib/table.ts', path: 'lib/table.ts' },
        ],
      },
    ]);
    assert.equal(await links().count(), 1, 'nothing is a link before it was found, but the web page');
  });

  it('makes links of what was found, for the pointer and for the keyboard', async () => {
    await panel.send(snapshot(turn('Where?', answer)));
    await panel.page.waitForFunction(() =>
      (globalThis as unknown as { posted: { type: string }[] }).posted.some(({ type }) => type === 'findNames'),
    );
    await panel.send({
      type: 'names',
      turnId: 'turn-1',
      found: {
        'src/shipping.ts:5': { path: 'src/shipping.ts' },
        'src/cart.ts:12': { path: 'shop/src/cart.ts' },
        'shippingCents()': { path: 'src/shipping.ts', line: 6 },
        'lib/table.ts': { path: 'lib/table.ts' },
      },
    });
    assert.deepEqual(await links().allInnerTexts(), [
      'src/shipping.ts:5',
      'shippingCents()',
      'src/cart.ts:12',
      'lib/table.ts',
      'https://example.com/src/web.ts',
    ]);
    await links().nth(0).click();
    await links().nth(1).focus();
    await panel.page.keyboard.press('Enter');
    await links().nth(2).click();
    await panel.page.keyboard.press('Tab');
    assert.equal(await panel.page.locator(':focus').count(), 1);
    assert.deepEqual(await opened(), [
      { type: 'openFile', path: 'src/shipping.ts', line: 5 },
      { type: 'openFile', path: 'src/shipping.ts', line: 6 },
      { type: 'openFile', path: 'shop/src/cart.ts', line: 12 },
    ]);
    assert.equal(await links().nth(1).getAttribute('title'), 'Open src/shipping.ts:6');
    // What happens elsewhere in the conversation leaves them.
    await panel.events(...ask('And?', 'turn-2'), say('So.', 'turn-2'), end('turn-2'));
    assert.equal(await panel.page.getByRole('link').count(), 5);
  });

  it('opens the file of a tool row, which still unfolds', async () => {
    const read = {
      id: 'c1',
      name: 'read_file',
      title: 'Read src/a.ts 3–9',
      arguments: '{"path":"src/a.ts","start_line":3}',
      output: 'let a;',
    };
    const failed = { ...read, id: 'c2', state: 'failed' as const };
    const removed = { ...read, id: 'c3', name: 'delete_file', title: 'Delete src/a.ts', output: 'Deleted' };
    await panel.send(snapshot([...ask('Look'), ...toolStep('', [read, failed, removed]), end()]));
    await panel.showSteps();
    const row = panel.page.locator('.quiet-line details.tool');
    await row.locator('summary').getByText('src/a.ts', { exact: true }).click();
    assert.equal(await row.getAttribute('open'), null);
    await row.locator('summary').press('Enter');
    await row.getByText('let a;').waitFor();
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await opened(), [
      { type: 'openFile', path: 'src/a.ts', line: 3 },
      { type: 'openFile', path: 'src/a.ts', line: 3 },
    ]);
    for (const nth of [0, 1]) {
      const other = panel.page.locator('.answer > .parts > details.tool').nth(nth);
      await other.locator('summary').getByText('src/a.ts').click();
      await other.locator('.folded').waitFor();
      assert.equal(await other.getByRole('button', { name: 'Open src/a.ts' }).count(), 0, 'it failed, or is gone');
    }
    assert.equal((await opened()).length, 2);
  });
});
