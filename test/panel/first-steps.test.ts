import assert from 'node:assert/strict';
import { panelInfo, snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

describe('first steps', () => {
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const button = (name: string) => panel.page.getByRole('button', { name, exact: true });

  it('S1 S17 U4 leads through address, key and a daily limit, with price and privacy', async () => {
    await panel.send(snapshot([], { hasAddress: false, hasKey: false, offersLimit: true }));
    assert.equal(await panel.page.locator('ol.steps > li').count(), 4);
    await panel.page.getByText('Prepaid: 0.33 USD per 1M tokens, top-ups from 5 USD.').waitFor();
    await panel.page
      .getByText(
        "Your messages, your attachments, and the files the model reads go to the service. The service doesn't say whether it logs or keeps them.",
      )
      .waitFor();
    for (const name of [
      'Set Service Address',
      'Open Dashboard',
      'Enter API Key',
      '$1 a Day',
      'Other Amount…',
      'No Limit',
    ])
      await button(name).click();
    await button("What the service offers and what it doesn't").click();
    await button("Hide VS Code's AI Entries…").click();
    assert.deepEqual(
      (await panel.posted()).slice(1).map(({ type }) => type),
      [
        ...['setBaseUrl', 'openDashboard', 'setApiKey'],
        ...['setDailyLimit', 'setDailyLimit', 'setDailyLimit'],
        ...['showCapabilities', 'hideVsCodeAi'],
      ],
    );
  });

  it('marks what is done and goes away when all is', async () => {
    await panel.send(snapshot([], { hasKey: false, hasDashboard: false }));
    assert.equal(await button('Set Service Address').count(), 0);
    assert.equal(await button('Open Dashboard').count(), 0);
    await panel.page.getByText("Create a key in the service's dashboard.").waitFor();
    await button('Set Dashboard Address').click();
    assert.equal((await panel.posted()).at(-1)?.type, 'openDashboard');
    await panel.send({ type: 'info', info: panelInfo({ hasKey: false, keyProblem: { state: 'rejected' } }) });
    await panel.page.getByText("The service didn't accept the last key you entered, so it wasn't stored.").waitFor();
    await button('Enter API Key').focus();
    await panel.send({ type: 'info', info: panelInfo() });
    await panel.page.getByText('What are you working on?').waitFor();
    assert.equal(await panel.input.evaluate((element) => element === document.activeElement), true);
  });

  it('U4 an empty chat asks for a daily limit until somebody has decided', async () => {
    await panel.send(snapshot([], { offersLimit: true }));
    await panel.page.getByRole('heading', { name: 'Set a daily limit' }).waitFor();
    await button('No Limit').click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'setDailyLimit', usd: null });
    await panel.send({ type: 'info', info: panelInfo() });
    await panel.page.getByRole('heading', { name: 'Set a daily limit' }).waitFor({ state: 'detached' });
  });

  it('says in an empty chat that a change can be described, except in a mode that only reads', async () => {
    await panel.send(snapshot());
    await panel.page.getByText(/^Ask about your code, or describe a change\. .* can read the files/).waitFor();
    await panel.send({ type: 'info', info: panelInfo({ mode: 'ask' }) });
    await panel.page.getByText(/^Ask about your code\. .* can read the files/).waitFor();
  });

  it('F34 a picked agent stands in the place of the mode, and leaves the model in view whatever it is called', async () => {
    await panel.send(snapshot([], { agent: 'a-reviewer-with-a-very-long-name-that-goes-on', mode: 'agent' }));
    for (const width of [220, 300]) {
      await panel.page.setViewportSize({ width, height: 600 });
      await button('Mode: a-reviewer-with-a-very-long-name-that-goes-on (Agent)').waitFor();
      const model = await panel.page.locator('.model-button').boundingBox();
      assert.ok(model !== null && model.width > 25, `${width}: ${model?.width}`);
      await panel.page.screenshot({ path: `out/screenshots/agent-${width}.png` });
    }
  });

  it('keeps the text and asks for the key when there is none', async () => {
    await panel.send(snapshot([], { hasKey: false }));
    await panel.input.fill('Hello?');
    await panel.input.press('Enter');
    assert.equal((await panel.posted()).at(-1)?.type, 'setApiKey');
    assert.equal(await panel.input.inputValue(), 'Hello?');
  });

  it('S17 sends after the key what was sent before it, and nothing that was typed in since', async () => {
    const typeOf = async () => (await panel.posted()).at(-1)?.type;
    for (const hasAddress of [false, true]) {
      await panel.send(snapshot([], { hasAddress, hasKey: false }));
      await panel.input.fill('Hello?');
      await panel.input.press('Enter');
      assert.equal(await typeOf(), 'setApiKey');
      await panel.send({ type: 'info', info: panelInfo({ hasAddress: true, hasKey: false }) });
      assert.notEqual(await typeOf(), 'send');
      await panel.send({ type: 'info', info: panelInfo() });
      await panel.page.waitForFunction(() => document.querySelector('textarea')?.value === '');
      const sent = (await panel.posted()).find(({ type }) => type === 'send');
      assert.equal(sent?.type === 'send' && sent.text, 'Hello?');
    }
    await panel.send(snapshot([], { hasKey: false }));
    await panel.input.fill('Hello?');
    await panel.input.press('Enter');
    await panel.input.press('End');
    await panel.input.pressSequentially(' And');
    const before = (await panel.posted()).filter(({ type }) => type === 'send').length;
    await panel.send({ type: 'info', info: panelInfo() });
    assert.equal(await panel.input.inputValue(), 'Hello? And');
    assert.equal((await panel.posted()).filter(({ type }) => type === 'send').length, before);
  });

  it('says in a conversation that the key is gone', async () => {
    await panel.send(snapshot(turn('Hi', 'Hello'), { hasKey: false }));
    await panel.page.getByText('No API key is set.').waitFor();
    await button('Enter API Key').click();
    assert.equal((await panel.posted()).at(-1)?.type, 'setApiKey');
  });

  it('X14 X36 says why a stored key cannot be used, before and inside a conversation', async () => {
    const keyProblem = { state: 'other-address', origin: 'https://old.example' } as const;
    await panel.send(snapshot([], { hasKey: false, keyProblem }));
    await panel.page.getByText('The stored key belongs to https://old.example').waitFor();
    await panel.send({
      type: 'info',
      info: panelInfo({ hasKey: false, keyProblem: { state: 'unavailable', message: 'no <b>keyring</b>' } }),
    });
    await panel.page.getByText("Couldn't read VS Code's secret storage: no <b>keyring</b>.").waitFor();
    await panel.send(snapshot(turn('Hi', 'Hello'), { hasKey: false, keyProblem }));
    await panel.page.getByText('The stored key belongs to https://old.example').waitFor();
    await button('Enter API Key').click();
    assert.equal((await panel.posted()).at(-1)?.type, 'setApiKey');
  });

  it('says what Restricted Mode means, until it is dismissed', async () => {
    await panel.send(snapshot([], { trusted: false }));
    await panel.page.getByText("Restricted Mode: the model can't read files").waitFor();
    await button('Dismiss').click();
    assert.equal(await panel.page.getByText('Restricted Mode').count(), 0);
    await panel.page.reload();
    await panel.send(snapshot([], { trusted: false }));
    assert.equal(await panel.page.getByText('Restricted Mode').count(), 0);
  });

  it('begins at the top, however short the window is', async () => {
    await panel.page.setViewportSize({ width: 320, height: 300 });
    await panel.send(snapshot([], { hasAddress: false, hasKey: false }));
    assert.equal(await panel.log.evaluate((log) => log.scrollTop), 0);
    assert.ok(await panel.log.evaluate((log) => log.scrollHeight > log.clientHeight));
  });

  it('says that there is no folder', async () => {
    await panel.send(snapshot([], { hasFolder: false }));
    await panel.page.getByText('No folder is open').waitFor();
  });

  it('X35 says what does not work in a virtual workspace', async () => {
    await panel.send(snapshot([], { virtualFolders: 'all' }));
    await panel.page.getByText('This workspace is virtual').waitFor();
    await panel.send(snapshot([], { virtualFolders: 'some' }));
    await panel.page.getByText('Some folders are virtual').waitFor();
  });
});
