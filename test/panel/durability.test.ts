import assert from 'node:assert/strict';
import { waitFor } from '../vscode/wait-for.ts';
import { ask, panelInfo, richTurn, say, snapshot } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

describe('a conversation that is elsewhere or not saved', () => {
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const button = (name: string) => panel.page.getByRole('button', { name, exact: true });
  const running = [...ask('Explain this repository.'), say('It is a ')];

  it('ux 2.2 E07 is read only while another window answers, keeps what was typed, and can be taken over', async () => {
    await panel.send(snapshot(running, {}, 'Half a thought'));
    await panel.input.focus();
    await panel.send({ type: 'info', info: panelInfo({ sections: { elsewhere: 'open' } }) });
    const line = panel.page.getByRole('region', { name: 'Open in another window' });
    assert.match(await line.getByRole('status').innerText(), /^Open in another window/);
    assert.equal(await panel.page.locator('.composer').getAttribute('inert'), '');
    assert.equal(await button('Take Over').evaluate((element) => element === document.activeElement), true);
    await panel.page.keyboard.press('Enter');
    assert.deepEqual((await panel.posted()).at(-1), { type: 'section', key: 'elsewhere', action: 'takeOver' });
    await panel.send({ type: 'info', info: panelInfo({ sections: { elsewhere: 'asked' } }) });
    await line.getByText('Waiting for the other window to stop.').waitFor();
    await panel.page.keyboard.press('Enter');
    assert.equal((await panel.posted()).filter(({ type }) => type === 'section').length, 1);
    await panel.send({ type: 'info', info: panelInfo() });
    await line.waitFor({ state: 'hidden' });
    assert.equal(await panel.page.locator('textarea').inputValue(), 'Half a thought');
    assert.equal(await panel.input.evaluate((element) => element === document.activeElement), true);
  });

  it('E15 says that it is not saved and why, with Retry and Export, until it is', async () => {
    await panel.send(snapshot(richTurn, { unsaved: { reason: 'full', detail: 'ENOSPC' } }));
    const notice = panel.page.getByRole('region', { name: 'Notice' });
    assert.match(await notice.innerText(), /Not saved: the disk is full/);
    await button('Retry').last().waitFor();
    await notice.getByRole('button', { name: 'Retry' }).click();
    await notice.getByRole('button', { name: 'Export' }).click();
    assert.deepEqual((await panel.posted()).slice(-2), [
      { type: 'unsaved', action: 'retry' },
      { type: 'unsaved', action: 'export' },
    ]);
    for (const [reason, text] of [
      ['read-only', /can't be written to/],
      ['in-use', /another window is writing/],
      ['other', /Not saved: EIO/],
    ] as const) {
      await panel.send({ type: 'info', info: panelInfo({ unsaved: { reason, detail: 'EIO' } }) });
      assert.match(await notice.innerText(), text);
    }
    await panel.send({ type: 'info', info: panelInfo() });
    await notice.waitFor({ state: 'hidden' });
  });

  it('F5 E21 has its folds open again in a page for which VS Code kept nothing, by what the host was told', async () => {
    await panel.send(snapshot(richTurn));
    const folds = panel.page.locator('.log details');
    await folds.last().locator('summary').click();
    const told = async () =>
      (await panel.allPosted()).flatMap((each) => (each.type === 'pageChanged' ? [each.page] : []));
    const page = await waitFor('what the page tells', async () => (await told()).at(-1));
    assert.equal(page.toggled.length, 1);
    await panel.page.evaluate(() => sessionStorage.clear());
    await panel.page.reload();
    await panel.send(snapshot(richTurn));
    assert.equal(await folds.last().evaluate((element) => element.hasAttribute('open')), false);
    await panel.page.evaluate(() => sessionStorage.clear());
    await panel.page.reload();
    await panel.send({ ...snapshot(richTurn), page });
    await folds.last().locator('.folded').waitFor();
    assert.equal(await panel.page.locator('.log details[open]').count(), 1);
  });
});
