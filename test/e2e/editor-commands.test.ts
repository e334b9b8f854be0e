import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { messageText } from '../service/chat-request.ts';
import { gitIn } from '../support/git-in.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { pressAction } from './action-list.ts';
import { type Chat, openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { editorOf, selectFunction } from './select-function.ts';
import { enterKey } from './session.ts';
import { fillShop } from './shop.ts';
import { openSourceControl, textOf } from './source-control.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 180_000 };

describe('commands of the editor', () => {
  const session = useSession({
    settings: { 'files.autoSave': 'off' },
    fillWorkspace: async (folder) => {
      await fillShop(folder);
      await writeFile(path.join(folder, 'src/format-price.ts'), '// only in the working tree\n');
    },
  });
  let chat: Chat;

  beforeEach(async function () {
    this.timeout(240_000);
    session().service.reset();
    if (chat !== undefined) return;
    chat = await openChat(session());
    await enterKey(session());
    session().service.reset();
  });

  it('F22 fixes a problem from its quick fix: the problem and the lines around it are what the model gets', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.script({ replies: [{ text: 'A colon is missing.' }] });
    await session().window.openFile('broken.json');
    const { keyboard } = window.page;
    const entry = window.page.locator('.action-widget').getByText('svc: Fix', { exact: true });
    await waitFor(
      'the quick fix',
      async () => {
        await keyboard.press('Escape');
        await window.page.locator('.editor-group-container.active .view-line').nth(2).click({ timeout: 3000 });
        await keyboard.press('F8');
        await keyboard.press('Control+.');
        await entry.waitFor({ timeout: 5000 });
        return true;
      },
      generous,
    );
    await window.screenshot('code-actions-problem');
    await pressAction(entry);
    await chat.frame.getByText('A colon is missing.').waitFor(generous);
    const asked = chatRequests(session())[0]?.messages.findLast(({ role }) => role === 'user');
    assert.ok(asked);
    assert.match(messageText(asked), /Find what is wrong with this code/);
    assert.match(messageText(asked), /Colon expected/);
    assert.match(messageText(asked), /3: {3}"colour" "blue"/);
    await chat.finishedAnswer();
  });

  describe('inline edit', () => {
    const editor = () => editorOf(session());
    const lens = (name: string) => editor().locator('.codelens-decoration').getByText(name, { exact: true });
    const hasFocus = () =>
      session().window.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor(generous);
    const code = async () => textOf(editor().locator('.view-lines'));
    const editSelection = async (instruction: string) => {
      await selectFunction(session());
      await session().window.runCommand('svc.inlineEdit');
      const { widget } = session().window.quickInput;
      await widget.getByText(/^Edit src\/discounts\.ts:7–10 · /).waitFor(generous);
      await session().window.screenshot('inline-edit-input');
      await session().window.answerInputBox(instruction);
    };
    const replacement = [
      'export function discountCents(amountCents: number, code: string): number {',
      '  return Math.floor(amountCents / 2); // halved for ' + 'everyone',
      '}',
    ].join('\n');

    it('F23 Keep: asks in an input box, sends the part, shows lenses and the price, and is one step for Undo', async function () {
      this.timeout(240_000);
      const { service, window, folder } = session();
      const onDisk = () => readFile(path.join(folder, 'src/discounts.ts'), 'utf8');
      const before = await onDisk();
      service.script({ replies: [{ text: `\`\`\`ts\n${replacement}\n\`\`\`` }] });
      await editSelection('Halve it');
      await lens('Keep').waitFor(generous);
      assert.match(await code(), /halved for everyone/);
      for (const name of ['Undo', 'Show Diff', 'Retry', 'Refine…']) await lens(name).waitFor(generous);
      await editor()
        .locator('.codelens-decoration')
        .getByText(/\$0\.\d+$/)
        .waitFor(generous);
      await window.screenshot('inline-edit-result');
      await window.setTheme('Dark Modern');
      await window.screenshot('inline-edit-result-dark');
      const asked = chatRequests(session())[0]?.messages.map(messageText).join('\n') ?? '';
      assert.match(
        asked,
        /marked part begins\nexport function discountCents[\s\S]*\n}\n>{7}[\s\S]*Instruction: Halve it/,
      );
      assert.equal(await onDisk(), before, 'the user saves');

      await hasFocus();
      await window.page.keyboard.press('Control+Enter');
      await lens('Keep').waitFor({ state: 'detached', ...generous });
      await lens('Retry').waitFor({ state: 'detached', ...generous });
      assert.match(await code(), /halved for everyone/);
      await editor().locator('.view-line').first().click();
      await window.page.keyboard.press('Control+Z');
      await waitFor('the code of before', async () => !/halved for everyone/.test(await code()), generous);
      assert.match(await code(), /Math\.round/);
    });

    it('F23 Undo: Esc takes the edit back, and stops one that is under way: nothing is changed', async function () {
      this.timeout(240_000);
      const { service, window } = session();
      service.script({
        replies: [{ text: `\`\`\`ts\n${replacement}\n\`\`\`` }, { text: 'never' }],
        rules: [{ match: { nth: 2 }, effect: { delayHeadersMs: 90_000 } }],
      });
      await editSelection('Halve it');
      await lens('Undo').waitFor(generous);
      await hasFocus();
      await window.page.keyboard.press('Escape');
      await waitFor('the code of before', async () => !/halved for everyone/.test(await code()), generous);
      await lens('Undo').waitFor({ state: 'detached', ...generous });

      await editSelection('Halve it again');
      const running = editor().locator('.codelens-decoration').getByText('Editing… Esc to stop');
      await running.waitFor(generous);
      await waitFor('the request', () => chatRequests(session()).length === 2, generous);
      await window.screenshot('inline-edit-running');
      await waitFor('the stop', async () => {
        await editor().locator('.view-line').first().click({ timeout: 3000 });
        await window.page.keyboard.press('Escape');
        await running.waitFor({ state: 'detached', timeout: 5000 });
        return true;
      });
      assert.match(await code(), /Math\.round/);
    });
  });

  it('F24 writes a commit message into the Source Control view, from what is staged, in the style of the log; commits nothing', async function () {
    this.timeout(240_000);
    const { service, window, folder } = session();
    service.script({
      replies: [{ text: '```\nshop: raise the limit for free shipping\n```' }, { text: 'never' }],
      rules: [{ match: { nth: 2 }, effect: { delayHeadersMs: 90_000 } }],
    });
    const { generate, stop, message } = await openSourceControl(session());
    await generate.waitFor(generous);
    await generate.click();
    await waitFor('the message', async () => /raise the limit for free shipping/.test(await message()), generous);
    await window.screenshot('commit-message');
    assert.equal(await message(), 'shop: raise the limit for free shipping');
    const [asked] = chatRequests(session());
    const said = asked?.messages.map(messageText).join('\n') ?? '';
    assert.match(said, /shop: open the corner shop/);
    assert.match(said, /\+const freeFromCents = 5900/);
    assert.doesNotMatch(said, /only in the working tree/);
    const { stdout } = await gitIn(folder)('log', '--format=%s');
    assert.equal(stdout.trim(), 'shop: open the corner shop');

    // Again, and stopped: the box keeps what it has.
    await generate.click();
    await stop.waitFor(generous);
    await waitFor('the request', () => chatRequests(session()).length === 2, generous);
    await window.screenshot('commit-message-running');
    await stop.click();
    await generate.waitFor(generous);
    assert.equal(await message(), 'shop: raise the limit for free shipping');
    assert.match(chatRequests(session())[1]?.messages.map(messageText).join('\n') ?? '', /The changes:/);
    assert.doesNotMatch(chatRequests(session())[1]?.messages.map(messageText).join('\n') ?? '', /must begin/);
  });
});
