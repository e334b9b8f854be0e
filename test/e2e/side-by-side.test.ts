import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, chatOf, numbered, openChat } from './chat.ts';
import { ledgerLines } from './entered-costs.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

describe('U15 one prompt to two models', () => {
  const session = useSession({ settings: { 'svc.model': 'svc/kimi-k3' } });
  let sideBar: Chat;

  const withText = async (text: string) =>
    chatOf(await session().window.webviewFrame(`article:has-text("${text}")`, { timeoutMs: 120_000 }));

  before(async function () {
    this.timeout(120_000);
    sideBar = await openChat(session());
    await enterKey(session());
  });

  it('streams both answers beside each other, and Stop stops both', async () => {
    const { service, window } = session();
    service.script({ replies: [{ text: 'It began here.' }] });
    await sideBar.ask('Remember this.');
    await sideBar.finishedAnswer();
    service.script({
      settings: { chunkDelayMs: 40 },
      replies: [
        { match: { model: 'svc/kimi-k3' }, text: numbered('kimi') },
        { match: { model: 'svc/glm-5.3' }, text: numbered('glm') },
      ],
    });
    await sideBar.message.fill('Which way is better?');
    await window.runCommand('svc.compareModels');
    await window.quickPick('GLM 5.3');
    const [kimi, glm] = [await withText('kimi 3 kimi 4'), await withText('glm 3 glm 4')];
    assert.notEqual(kimi.frame, glm.frame);
    for (const chat of [kimi, glm]) {
      await chat.frame.getByText('It began here.').waitFor();
      await chat.frame.getByText('Which way is better?').waitFor();
    }
    await waitFor('the empty composer', async () => (await sideBar.message.inputValue()) === '');
    await window.screenshot('side-by-side');
    await glm.button('Stop').click();
    await glm.button('Send').waitFor();
    await kimi.button('Send').waitFor();
    for (const chat of [kimi, glm]) {
      const cost = await (await chat.finishedAnswer()).locator('.cost').innerText();
      assert.match(cost, /\$0\.\d+.*\s\d+\.\d\ss\s/);
    }
  });

  it('counts the cost of both as side by side', async () => {
    const compared = await waitFor('both in the ledger', async () => {
      const lines = await ledgerLines(session());
      const found = lines.filter((line) => line.surface === 'side-by-side');
      return found.length === 2 && found;
    });
    assert.deepEqual(compared.map(({ model }) => model).sort(), ['svc/glm-5.3', 'svc/kimi-k3']);
    for (const { microUsd } of compared) assert.ok(microUsd > 0);
  });

  it('keeps both over a reload', async function () {
    this.timeout(300_000);
    await session().window.reload();
    for (const text of ['kimi 3 kimi 4', 'glm 3 glm 4']) {
      const chat = await withText(text);
      await chat.button('Keep This Answer').waitFor();
    }
  });

  it('E21 loses nothing of two answers that a reload cuts off: both say so, and each can be gone on with', async function () {
    this.timeout(300_000);
    const { service, window } = session();
    service.script({
      settings: { chunkDelayMs: 40 },
      replies: [
        { match: { model: 'svc/kimi-k3' }, text: numbered('first') },
        { match: { model: 'svc/glm-5.3' }, text: numbered('second') },
      ],
    });
    for (const [chat, text] of [
      // What has come is stored every few seconds, so the beginning is when so much more has come.
      [await withText('kimi 3 kimi 4'), 'first 29 first 30'],
      [await withText('glm 3 glm 4'), 'second 29 second 30'],
    ] as const) {
      await chat.ask('Both once more');
      await chat.frame.getByText(text).waitFor();
    }
    await window.reload();
    service.script({
      settings: { chunkDelayMs: 0 },
      replies: [{ text: 'After the reload.' }, { text: 'After the reload.' }],
    });
    for (const text of ['first 3 first 4', 'second 3 second 4']) {
      const chat = await withText(text);
      await chat.frame.getByText('Interrupted').waitFor();
      await chat.button('Keep This Answer').waitFor();
      await chat.ask('Go on');
      await chat.frame.getByText('After the reload.').waitFor();
    }
    await window.screenshot('side-by-side-after-reload');
  });

  it('goes on with the answer that is kept; the other one stays in the history', async () => {
    const { service, window } = session();
    const glm = await withText('glm 3 glm 4');
    await glm.button('Keep This Answer').click();
    await glm.button('Keep This Answer').waitFor({ state: 'hidden' });
    await waitFor(
      'the other tab to close',
      async () => (await window.page.locator('.editor-group-container .tab').count()) === 1,
    );
    service.script({ replies: [{ text: 'And so on.' }] });
    await glm.ask('Go on');
    await glm.frame.getByText('And so on.').waitFor();
    assert.equal(service.charges.at(-1)?.model, 'svc/glm-5.3');
    await waitFor('the ledger', async () => {
      const lines = await ledgerLines(session());
      return lines.some(({ surface, model }) => surface === 'chat' && model === 'svc/glm-5.3');
    });
    await window.screenshot('side-by-side-kept');
  });
});

describe('U15 U4 what two models cost together', () => {
  // One request of about $0.0005 fits, two do not.
  const session = useSession({ settings: { 'svc.spend.dailyLimitUsd': 0.0008 } });

  it('is asked for before either of them is sent', async () => {
    const chat = await openChat(session());
    await enterKey(session());
    const { service, window } = session();
    const before = service.charges.length;
    await chat.message.fill('Which way is better?');
    await window.runCommand('svc.compareModels');
    await window.quickPick('GLM 5.3');
    await waitFor('the message', async () =>
      (await window.notifications()).some((text) => text.includes('exceeds your limit of $0.0008')),
    );
    assert.equal(service.charges.length, before);
    assert.equal(await chat.message.inputValue(), 'Which way is better?');
    assert.equal(await window.page.locator('.editor-group-container .tab').count(), 0);
  });
});
