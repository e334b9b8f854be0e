import assert from 'node:assert/strict';
import { ask, failedTurn, richTurn, say, snapshot, strips, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

describe('by keyboard alone', () => {
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const press = (...keys: string[]) =>
    keys.reduce(async (before, key) => {
      await before;
      await panel.page.keyboard.press(key);
    }, Promise.resolve());
  const focused = () =>
    panel.page.evaluate(() => {
      const element = document.activeElement;
      const label = element?.getAttribute('aria-labelledby');
      return (
        (label ? document.getElementById(label)?.textContent : element?.getAttribute('aria-label')) ??
        element?.textContent ??
        ''
      );
    });
  const three = [...turn('one', 'first', 't1'), ...turn('two', 'second', 't2'), ...turn('three', 'third', 't3')];

  it('moves through the messages with arrows, Home and End', async () => {
    await panel.send(snapshot(three));
    await panel.input.focus();
    await press('Control+ArrowUp');
    const place = () =>
      panel.page.evaluate(() =>
        [...document.querySelectorAll('article')].indexOf(document.activeElement as HTMLElement),
      );
    assert.equal(await place(), 5);
    await press('ArrowUp', 'ArrowUp');
    assert.equal(await place(), 3);
    await press('Home');
    assert.equal(await place(), 0);
    await press('ArrowUp');
    assert.equal(await place(), 0);
    await press('ArrowDown');
    assert.equal(await place(), 1);
    await press('End');
    assert.equal(await place(), 5);
    await press('Escape');
    assert.equal(await focused(), 'Message');
  });

  it('goes into a message with Enter and out of it with Escape', async () => {
    await panel.send(snapshot(richTurn));
    await panel.input.focus();
    await press('Control+ArrowUp', 'Enter');
    assert.match(await focused(), /Read 1 file/);
    await press('Escape');
    assert.equal(await focused(), 'GLM 5.3');
    await press('Control+ArrowDown');
    assert.equal(await focused(), 'Message');
  });

  it('U15 keeps one of two answers from the composer backwards, and names it', async () => {
    await panel.send(snapshot(three, { sections: strips.compared('Kimi K3') }));
    await panel.input.focus();
    for (let step = 0; step < 6 && (await focused()) !== 'Keep This Answer'; step++) await press('Shift+Tab');
    assert.equal(await focused(), 'Keep This Answer');
    assert.ok(
      await panel.page.getByRole('region', { name: 'Side by side' }).getByText('Side by side with Kimi K3').isVisible(),
    );
    await press('Enter');
    assert.ok((await panel.posted()).some((message) => message.type === 'section' && message.key === 'lines'));
  });

  it('P23 Tab reaches one message while others come: the newest, or the one that has the focus', async () => {
    await panel.send(snapshot(three));
    const reached = () =>
      panel.page.locator('article[tabindex="0"]').evaluateAll((all) => all.map((one) => one.ariaPosInSet));
    await panel.page.locator('article').first().focus();
    await panel.input.focus();
    await panel.events(...ask('More', 'last'));
    const newest = String(await panel.page.locator('article').count());
    assert.deepEqual(await reached(), [newest]);
    await panel.page.locator('article').first().focus();
    await panel.events(say('more', 'last'), ...ask('Again', 'after'));
    assert.deepEqual(await reached(), ['1']);
  });

  it('Tab reaches one message, all controls in it, and the composer', async () => {
    await panel.send(snapshot([...three, ...failedTurn('key-rejected', {}, 't4')]));
    assert.equal(await panel.page.locator('article[tabindex="0"]').count(), 1);
    const seen: string[] = [];
    await panel.page.locator('article').last().focus();
    for (let step = 0; step < 14; step++) {
      seen.push(await focused());
      await press('Tab');
    }
    for (const name of [
      'Enter New Key',
      'Open Dashboard',
      'Copy Report',
      'Details',
      'Message',
      'Add Context',
      'Mode: Agent',
      'Model: Kimi K3',
      'Send',
    ]) {
      assert.ok(seen.includes(name), `${name} in ${seen.join(', ')}`);
    }
  });

  it('reaches and works every action of an answer', async () => {
    await panel.send(snapshot(richTurn));
    await panel.page.locator('article').last().focus();
    const seen = new Set<string>();
    for (let step = 0; step < 24; step++) {
      seen.add(await focused());
      await press('Tab');
    }
    for (const name of [
      'Wrap Lines',
      'Insert at Cursor',
      'Apply to File…',
      'New File',
      'Copy',
      'Code block 1, ts',
      'Table',
      'the parser',
      'Copy Answer',
    ]) {
      assert.ok(seen.has(name), `${name} in ${[...seen].join(', ')}`);
    }
    const wrap = panel.page.getByRole('button', { name: 'Wrap Lines' });
    await wrap.press('Space');
    assert.equal(await wrap.getAttribute('aria-pressed'), 'true');
  });

  it('shows where the focus is', async () => {
    await panel.send(snapshot(failedTurn('key-rejected')));
    await panel.page.locator('article').last().focus();
    for (let step = 0; step < 12; step++) {
      const outline = await panel.page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body || element instanceof HTMLTextAreaElement) return 'solid';
        return getComputedStyle(element).outlineStyle;
      });
      assert.equal(outline, 'solid', await focused());
      await press('Tab');
    }
  });

  it('loses the focus to nothing when what had it goes away', async () => {
    await panel.send(snapshot(failedTurn('capacity-service')));
    await panel.page.getByRole('button', { name: 'Retry' }).focus();
    await panel.send(snapshot(ask('Why is the sky blue?', 'turn-2')));
    assert.equal(await focused(), 'Message');
  });

  it('tells the host where the focus is, and that it is used there', async () => {
    await panel.send(snapshot());
    await panel.input.focus();
    await panel.page.getByRole('button', { name: 'Add Context' }).focus();
    await panel.page.keyboard.press('Shift');
    await panel.page.keyboard.press('Shift');
    const messages = await panel.page.evaluate(() => (globalThis as unknown as { posted: { type: string }[] }).posted);
    assert.deepEqual(messages.filter(({ type }) => type === 'focusChanged').slice(-3), [
      { type: 'focusChanged', chat: true, input: true, used: false },
      { type: 'focusChanged', chat: true, input: false, used: false },
      { type: 'focusChanged', chat: true, input: false, used: true },
    ]);
  });
});
