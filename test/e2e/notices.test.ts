import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 180_000 };
/** Longer than what is waited for without being told. */
const longMs = 11_000;

describe('what is told of a turn that nobody sees', () => {
  const session = useSession();
  const chat = useChat(session);
  const side = () => session().window.page.locator('.part.auxiliarybar');
  const hideChat = async () => {
    await session().window.page.keyboard.press('Control+Alt+B');
    await side().waitFor({ state: 'hidden', ...generous });
  };
  /** The page of a view that was hidden is another one. */
  const isShown = async () => {
    await side().waitFor({ state: 'visible', ...generous });
    await chat.reopen();
  };

  it('F46 says at its end what it did and cost, in one notice and in the status bar until the chat is looked at', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.script({
      replies: [{ text: 'It rounds twice.' }],
      rules: [{ effect: { delayHeadersMs: longMs } }],
    });
    await chat().ask('Why is the total wrong?');
    await hideChat();
    const notice = await window.notification(/^Why is the total wrong\?: done · \$0\.\d+$/);
    await waitFor('the status bar', async () => /svc: Done · \$0\.\d+/.test(await window.statusBarText()));
    await window.screenshot('notice-end');
    await notice.getByRole('button', { name: 'Show Chat' }).click();
    await isShown();
    await waitFor('the usual status bar', async () => !/svc: Done/.test(await window.statusBarText()));
  });

  it('F46 says that it waits, and nothing more once its user would rather not', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    const call = { name: 'run_command', arguments: { command: 'echo hello' } };
    service.script({
      replies: [{ toolCalls: [call] }, { text: 'Then not.' }, { toolCalls: [call] }, { text: 'Then not.' }],
      rules: [{ effect: { delayHeadersMs: 2000 } }],
    });
    const card = () => chat().frame.getByRole('group', { name: 'Approval needed: run_command', exact: true }).last();
    await chat().ask('Run it.');
    await hideChat();
    const notice = await window.notification('svc needs your approval to continue.');
    assert.match(await window.statusBarText(), /approval/i);
    await window.screenshot('notice-approval');
    await notice.getByRole('button', { name: "Don't Show Again" }).click();
    await window.runCommand('svc.focusApproval');
    await isShown();
    await card().getByRole('button', { name: 'Skip' }).click(generous);
    await chat().finishedAnswer();
    await chat().ask('Run it again.');
    await hideChat();
    await waitFor('the approval in the status bar', async () => /approval/i.test(await window.statusBarText()));
    assert.deepEqual(await window.notifications(), []);
    await window.runCommand('svc.focusApproval');
    await isShown();
    await card().getByRole('button', { name: 'Skip' }).click(generous);
    await chat().finishedAnswer();
  });

  it('F46 names the chat that waits in the one that is shown, and opens it', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.script({
      replies: [{ toolCalls: [{ name: 'run_command', arguments: { command: 'echo hello' } }] }, { text: 'Then not.' }],
    });
    await window.runCommand('svc.newChat');
    await chat().ask('Run it once more.');
    const card = chat().frame.getByRole('group', { name: 'Approval needed: run_command', exact: true });
    await card.waitFor(generous);
    await window.runCommand('svc.newChat');
    const strip = chat().frame.getByRole('region', { name: 'Other chats' });
    await strip.getByText(/^Needs you · \$0\.\d+ · Run it once more\.$/).waitFor(generous);
    await window.screenshot('other-chats');
    await strip.getByRole('button', { name: 'Open' }).click();
    await card.getByRole('button', { name: 'Skip' }).click(generous);
    await strip.waitFor({ state: 'detached', ...generous });
    await chat().finishedAnswer();
  });
});
