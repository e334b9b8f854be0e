import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Route } from 'playwright-core';
import { earlyTextBoxId } from '../../src/shared/panel/early-text-box.ts';
import { snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

describe('what is typed before the panel lives', () => {
  let panel: PanelPage;
  const early = () => panel.page.locator(`#${earlyTextBoxId}`);
  const selection = () =>
    panel.input.evaluate((box: HTMLTextAreaElement) => [box.value, box.selectionStart, box.selectionEnd]);
  const isReady = () => panel.page.evaluate(() => (globalThis as unknown as { ready: Promise<void> }).ready);
  const isFocused = () => panel.input.evaluate((box) => document.activeElement === box);
  before(async () => {
    panel = await openPanel();
  });
  after(() => panel.close());
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
    panel = await openPanel();
  });

  it('P17 goes into a text box of the page, which has the focus, and from there to the composer', async () => {
    assert.equal(await panel.page.locator('.composer').count(), 0);
    assert.ok(await isFocused());
    await panel.page.keyboard.type('Why is this');
    await panel.page.keyboard.press('ArrowLeft');
    await panel.send(snapshot());
    assert.equal(await early().count(), 0);
    assert.deepEqual(await selection(), ['Why is this', 10, 10]);
    assert.ok(await isFocused());
    await panel.page.keyboard.type('x');
    assert.deepEqual(await selection(), ['Why is thixs', 11, 11]);
    await panel.page.waitForFunction(() =>
      (globalThis as unknown as { posted: { type: string; draft?: { text: string } }[] }).posted.some(
        ({ type, draft }) => type === 'draftChanged' && draft?.text === 'Why is thixs',
      ),
    );
  });

  it('P17 stands below a draft that was kept', async () => {
    await panel.page.keyboard.type('more');
    await panel.send({ ...snapshot(turn('Hi', 'Hello')), draft: 'Kept' });
    assert.deepEqual(await selection(), ['Kept\nmore', 9, 9]);
  });

  it('P17 is not cut into lines or sent by Enter, and keeps a line that was asked for', async () => {
    await panel.page.keyboard.type('one');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.press('Shift+Enter');
    await panel.page.keyboard.type('two');
    await panel.send(snapshot());
    assert.deepEqual(await selection(), ['one\ntwo', 7, 7]);
    assert.deepEqual(await panel.posted(), [{ type: 'ready' }]);
  });

  it('P17 waits for a word that an input method is still making', async () => {
    const session = await panel.page.context().newCDPSession(panel.page);
    await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await panel.send(snapshot());
    assert.equal(await early().count(), 1);
    await session.send('Input.insertText', { text: '日本' });
    await early().waitFor({ state: 'detached' });
    assert.deepEqual(await selection(), ['日本', 2, 2]);
    await session.detach();
  });

  it('P17 takes no focus from where the user has put it since', async () => {
    await panel.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await panel.send(snapshot());
    assert.equal(await early().count(), 0);
    assert.equal(await isFocused(), false);
  });

  it('P17 takes no focus from another part of the window, which would close a palette there, and has it on coming back', async () => {
    await panel.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await panel.send(snapshot());
    assert.equal(await early().count(), 0);
    assert.equal(await isFocused(), false);
    await panel.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
    assert.ok(await isFocused());
  });

  it('P17 can be typed into while style and script are on their way, as VS Code shows a page that has loaded', async () => {
    const { page } = panel;
    const held: Route[] = [];
    await page.route(/chat\.(css|js)$/, (route) => void held.push(route));
    await page.reload();
    assert.ok(await isFocused());
    await page.keyboard.type('Early');
    await page.waitForFunction(() => document.querySelector('link[rel="stylesheet"][href$="chat.css"]') !== null);
    for (const route of held) await route.continue();
    await isReady();
    await page.unroute(/chat\.(css|js)$/);
    await panel.send(snapshot());
    assert.deepEqual(await selection(), ['Early', 5, 5]);
  });

  for (const [what, act] of [
    ['waits for its style', (route: Route) => route.continue()],
    ['runs also when its style cannot be had', (route: Route) => route.abort()],
  ] as const) {
    it(`P17 the script ${what}`, async () => {
      const { page } = panel;
      const asked = Promise.withResolvers<Route>();
      await page.route(/chat\.css$/, asked.resolve);
      const script = page.waitForResponse(/chat\.js$/);
      await page.reload();
      await (await script).finished();
      const style = await asked.promise;
      assert.deepEqual(await panel.allPosted(), []);
      await act(style);
      await isReady();
      await page.unroute(/chat\.css$/);
      assert.ok(
        panel
          .problems()
          .splice(0)
          .every((problem) => problem.startsWith('Failed to load resource')),
      );
    });
  }

  it('P17 stands where the composer will stand', async () => {
    const place = () => panel.input.boundingBox();
    const before = await place();
    await panel.send(snapshot());
    const now = await place();
    for (const side of ['x', 'y', 'width'] as const) {
      assert.ok(
        Math.abs((before?.[side] ?? 0) - (now?.[side] ?? 99)) <= 2,
        `${side}: ${before?.[side]} → ${now?.[side]}`,
      );
    }
  });
});
