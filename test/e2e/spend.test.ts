import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { answerFileDialog } from './file-dialog.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 60_000 };

describe('where the money went', () => {
  const session = useSession();
  let chat: Chat;

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
    const { service } = session();
    service.script({ replies: [{ text: 'Forty-two.' }] });
    await chat.ask('What is the answer to everything?');
    await chat.finishedAnswer();
  });

  it('ux 2.16 S14 the report tells what the service charged, and leads to what only the dashboard knows', async () => {
    const { service, window } = session();
    await window.runCommand('svc.showSpend');
    const page = await window.webviewFrame('text=By feature');
    const spent = 5e6 - service.balanceMicroUsd();
    assert.ok(spent > 0);
    const shown = `$${(spent / 1e6).toFixed(4)}`;
    await waitFor('the sum', async () => (await page.locator('.cards').innerText()).includes(shown));
    const text = await page.locator('main').innerText();
    assert.match(text, /Your balance and usage from other machines are shown only in the/);
    assert.match(text, /Chat and agent/);
    assert.match(text, /What is the answer to everything\?/);
    await window.screenshot('spend-report');
  });

  it('ux 2.16 the usage view has the same sums and opens conversations', async () => {
    const { service, window } = session();
    await window.runCommand('svc: Focus on Usage View');
    const rows = window.page.locator('.pane-body [role="treeitem"]');
    const row = (text: string) => rows.filter({ hasText: text }).first();
    await row('30 days').waitFor();
    const spent = ((5e6 - service.balanceMicroUsd()) / 1e6).toFixed(4);
    await row('Today')
      .filter({ hasText: `$${spent} · 1 request` })
      .waitFor();
    await row('By feature').click();
    await row('Chat and agent').waitFor();
    // The view is low: what is below comes into it by keyboard.
    await window.page.keyboard.press('End');
    await row('Conversations').click();
    await window.page.keyboard.press('End');
    await window.screenshot('usage-view');
    await window.runCommand('svc.newChat');
    await row('What is the answer to everything?').click();
    await chat.frame.getByText('Forty-two.').first().waitFor();
  });

  it('S11 exports one line for each attempt', async () => {
    const { folder, service, window } = session();
    await window.runCommand('svc.exportSpend');
    await window.quickPick('All time');
    const file = path.join(folder, 'spend.csv');
    await answerFileDialog(session(), file);
    await waitFor('the file', async () => (await readFile(file, 'utf8').catch(() => '')).includes('\n'));
    const [head = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
    assert.equal(lines.length, service.charges.length);
    const fields = (lines[0] ?? '').split(',');
    const value = (name: string) => fields[head.split(',').indexOf(name)];
    assert.equal(Number(value('usd')), (5e6 - service.balanceMicroUsd()) / 1e6);
    assert.deepEqual([value('surface'), value('charged'), value('estimated')], ['chat', 'yes', 'false']);
  });

  it('U4 a limit is set by command, turns the status bar red when it is reached, and is taken back', async () => {
    const { window } = session();
    const item = window.page.locator('.statusbar-item[id="svc.svc-assistant.svc.status"]');
    await window.runCommand('svc.setSpendLimit');
    await window.quickPick('Daily Limit');
    await window.quickInput.widget.getByText('svc blocks requests once this much has been spent today.').waitFor();
    // The box stays: who looks something up loses nothing.
    await window.page.locator('.part.sidebar .pane-header').filter({ hasText: 'workspace' }).click();
    await window.answerInputBox('0.000001');
    await waitFor('the red item', async () => (await item.getAttribute('class'))?.includes('error-kind') === true);
    await window.screenshot('limit-reached');
    await window.runCommand('svc.setSpendLimit');
    await window.quickPick('Daily Limit');
    await window.answerInputBox('');
    await waitFor('the plain item', async () => (await item.getAttribute('class'))?.includes('error-kind') === false);
  });
});

describe('a message above the amount to confirm', () => {
  // Below the price of any request with tools.
  const session = useSession({ settings: { 'svc.spend.confirmAboveUsd': 0.00001 } });

  it('U4 is asked about in the chat, before anything is sent and not at each step, and the window says that it waits', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    const chat = await openChat(session());
    await enterKey(session());
    service.reset();
    const paths = ['src/shipping.ts', 'src/cart.ts', 'src/discounts.ts', 'package.json', 'README.md'];
    const calls = paths.map((file) => ({ toolCalls: [{ name: 'read_file', arguments: { path: file } }] }));
    service.script({ replies: [...calls, { text: 'Done.' }] });
    await chat.ask('How is the shipping cost decided?');
    const goOn = chat.frame
      .getByRole('group', { name: 'Go on with this message?' })
      .getByRole('button', { name: 'Go On' });
    await goOn.waitFor(generous);
    assert.equal(chatRequests(session()).length, 0);
    assert.equal(await chat.frame.getByText(/Waiting for|Sending/).count(), 0);
    assert.match(await window.statusBarText(), /1 question/);
    await chat.frame.getByRole('heading', { name: 'Needs you: ' }).waitFor(generous);
    await window.screenshot('cost-question');
    let asked = 0;
    const done = chat.frame.getByText('Done.', { exact: true });
    await waitFor(
      'the answer',
      async () => {
        if (await goOn.isVisible()) {
          asked += 1;
          await goOn.click({ timeout: 5000 });
          await goOn.waitFor({ state: 'detached', timeout: 5000 });
        }
        return done.isVisible();
      },
      { timeoutMs: 120_000 },
    );
    assert.equal(chatRequests(session()).length, 6);
    // At the first, the second and about the fourth: each time the sum has doubled.
    assert.ok(asked <= 3, `asked ${asked} times for 6 requests`);
    assert.deepEqual(await window.notifications(), []);
    assert.doesNotMatch(await window.statusBarText(), /question/);
  });
});
