import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { messageText } from '../service/chat-request.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { pressAction } from './action-list.ts';
import { type Chat, openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { chooseInMenu } from './context-menu.ts';
import { enterKey } from './session.ts';
import { fillShop, setShippingPrice } from './shop.ts';
import { openSourceControl } from './source-control.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 180_000 };

/** Menu entries that ask something, pressed once: what reaches the service is what the entry stood on. */
describe('menus of the editor', () => {
  const session = useSession({
    settings: {
      'files.autoSave': 'off',
      // It lies over the lines that are to be clicked.
      'editor.stickyScroll.enabled': false,
      'terminal.integrated.gpuAcceleration': 'off',
      'terminal.integrated.profiles.linux': { bash: { path: 'bash' }, plain: { path: '/bin/sh' } },
      'terminal.integrated.defaultProfile.linux': 'bash',
    },
    otherExtensions: [path.join(import.meta.dirname, 'neighbour-extension')],
    environment: () => ({ SVC_TEST_FAILING_TEST: '1' }),
    fillWorkspace: async (folder) => {
      await fillShop(folder);
      await setShippingPrice(folder, '5900', '6900');
      await writeFile(path.join(folder, 'src/notes.ts'), '// only in the working tree\n');
    },
  });
  let chat: Chat;
  const page = () => session().window.page;

  beforeEach(async function () {
    this.timeout(180_000);
    session().service.reset();
    session().service.script({ replies: Array.from({ length: 9 }, () => ({ text: 'Seen.' })) });
    if (chat !== undefined) return;
    chat = await openChat(session());
    await enterKey(session());
    session().service.reset();
    session().service.script({ replies: Array.from({ length: 9 }, () => ({ text: 'Seen.' })) });
  });

  /** What was asked by this; its turn is over. */
  const askedBy = async (press: () => Promise<unknown>): Promise<string> => {
    const before = chatRequests(session()).length;
    await press();
    const asked = await waitFor('the request', () => chatRequests(session())[before], generous);
    await chat.finishedAnswer();
    const last = asked.messages.findLast(({ role }) => role === 'user');
    assert.ok(last);
    return messageText(last);
  };
  const choose = (target: Parameters<typeof chooseInMenu>[1], ...names: string[]) =>
    chooseInMenu(session(), target, ...names);

  it('F22 Explain in the submenu of an editor asks about the selection', async function () {
    this.timeout(180_000);
    await session().window.openFile('src/discounts.ts');
    const line = page().locator('.editor-group-container.active .view-line').filter({ hasText: 'WELCOME' }).first();
    const text = await askedBy(async () => {
      const selected = page().locator('.editor-group-container.active .selected-text').first();
      await waitFor(
        'the selection',
        async () => {
          await line.click({ clickCount: 3, timeout: 5000 });
          await selected.waitFor({ state: 'attached', timeout: 5000 });
          return true;
        },
        generous,
      );
      await choose(line.getByText('WELCOME'), 'svc', 'Explain');
    });
    assert.match(text, /^Explain this code/m);
    assert.match(text, /WELCOME/);
    assert.doesNotMatch(text, /STAFF/);
  });

  it('F22 the Problems view offers the same, for the problem of its row', async function () {
    this.timeout(180_000);
    await session().window.openFile('broken.json');
    await session().window.runCommand('View: Focus Problems');
    const row = page().locator('.markers-panel').getByText('Colon expected').first();
    await row.waitFor(generous);
    const text = await askedBy(async () => {
      const entry = page().locator('.action-widget, .monaco-menu').getByText('svc: Explain Problem', { exact: true });
      await waitFor(
        'the quick fixes of the row',
        async () => {
          await row.click({ timeout: 3000 });
          await page().keyboard.press('Control+.');
          await entry.waitFor({ timeout: 5000 });
          return true;
        },
        generous,
      );
      await session().window.screenshot('menu-problems');
      await pressAction(entry);
    });
    assert.match(text, /^Explain this problem/m);
    assert.match(text, /Colon expected/);
  });

  it('F24 explains the change of a row, staged and not, a new file, and reviews a group', async function () {
    this.timeout(240_000);
    const { view } = await openSourceControl(session());
    const row = (label: string | RegExp) => view.getByRole('treeitem', { name: label }).first();
    await row(/^shipping\.ts.*Index Modified/).waitFor(generous);
    const staged = await askedBy(() => choose(row(/^shipping\.ts.*Index Modified/), 'Explain Change'));
    assert.match(staged, /-const freeFromCents = 4900[\s\S]*\+const freeFromCents = 5900/);
    const fresh = await askedBy(() => choose(row(/^notes\.ts/), 'Explain Change'));
    assert.match(fresh, /only in the working tree/);
    await session().window.screenshot('menu-scm');
    await choose(row(/^Staged Changes/), 'Review Uncommitted Changes');
    const first = page().locator('.quick-input-list .monaco-list-row').first();
    await first.getByText('Staged Changes').waitFor(generous);
    const before = chatRequests(session()).length;
    await page().keyboard.press('Enter');
    const asked = await waitFor('the review', () => chatRequests(session())[before], generous);
    const group = messageText(asked.messages[1] ?? assert.fail());
    assert.match(group, /\d \+const freeFromCents = 5900/);
    assert.doesNotMatch(group, /6900/);
  });

  it('F24 explains the change that is shown at its lines', async function () {
    this.timeout(180_000);
    await session().window.openFile('src/shipping.ts');
    const editor = page().locator('.editor-group-container.active');
    // VS Code hides the widget's zone from roles.
    const button = page().locator('.peekview-widget a.action-label[aria-label^="Explain Change"]');
    const text = await askedBy(async () => {
      await waitFor(
        'the change at its lines',
        async () => {
          await editor.locator('.view-line').getByText('standardCents').first().click({ timeout: 3000 });
          await page().keyboard.press('Alt+F3');
          await button.waitFor({ timeout: 5000 });
          return true;
        },
        generous,
      );
      await session().window.screenshot('menu-change');
      await button.click();
    });
    assert.match(text, /\+const freeFromCents = 6900/);
  });

  it('F25 explains the last command of a terminal, also of a shell that tells nothing about its commands', async function () {
    this.timeout(240_000);
    await session().window.runCommand('Terminal: Create New Terminal');
    const terminal = page().locator('.terminal.xterm:visible').first();
    const run = async (line: string, printed: string) =>
      waitFor(
        `the output of ${line}`,
        async () => {
          await terminal.click({ timeout: 5000 });
          await page().keyboard.type(`${line}\n`);
          await terminal.getByText(printed).first().waitFor({ timeout: 8000 });
          return true;
        },
        generous,
      );
    try {
      await run('sleep 0.5; echo marker-$((6*7)); sleep 0.5', 'marker-42');
    } catch (error) {
      // The npm package of 1.106 has no terminals that work everywhere; its status bar says so.
      if (await page().locator('.statusbar-item', { hasText: 'Pty Host' }).isVisible()) this.skip();
      throw error;
    }
    const marked = await askedBy(() => choose(terminal, 'Explain Last Terminal Command'));
    assert.match(marked, /^Explain this command/m);
    assert.match(marked, /marker-42/);

    await run('exec env -i PS1="plain$ " sh', 'plain$');
    await page().evaluate(() => navigator.clipboard.writeText('what was copied'));
    await run('echo bare-$((7*6))', 'bare-42');
    const bare = await askedBy(() => choose(terminal, 'Explain Last Terminal Command'));
    assert.match(bare, /bare-42/);
    assert.equal(await page().evaluate(() => navigator.clipboard.readText()), 'what was copied');
    await session().window.screenshot('menu-terminal');
  });
  it('F25 fixes a failing test from its message', async function () {
    this.timeout(240_000);
    await session().window.runCommand('Test: Run All Tests');
    await session().window.runCommand('Test Results: Focus on Test Results View');
    const results = page().locator('.test-output-peek-tree');
    const message = results.getByRole('treeitem', { name: /490 is not 590/ }).first();
    const row = results.getByRole('treeitem', { name: /adds shipping/ }).first();
    await row.waitFor(generous);
    await waitFor(
      'the messages of the test',
      async () => {
        if (await message.isVisible()) return true;
        await row.click({ timeout: 3000 });
        await page().keyboard.press('ArrowRight');
        await message.waitFor({ timeout: 5000 });
        return true;
      },
      generous,
    );
    const failure = /Test: adds shipping\nReported at: test\/cart\.test\.ts:5\n\n490 is not 590/;
    const text = await askedBy(() => choose(message, 'Fix Failing Test'));
    assert.match(text, /^This test fails/m);
    assert.match(text, failure);
    // A test of one message has no row for it: there it is on the message itself.
    await message.click(generous);
    const button = page().locator('.test-output-peek-message-container').getByText('Fix Failing Test').first();
    await button.waitFor(generous);
    await session().window.screenshot('menu-test-message');
    assert.match(await askedBy(() => button.click(generous)), failure);
    // A test's own menu knows no message: it says where that is, and asks nothing by itself.
    const asked = chatRequests(session()).length;
    await choose(row, 'Fix Failing Test');
    await session().window.notification('svc can\'t see what "adds shipping" reported');
    await session().window.screenshot('menu-test-without-message');
    assert.equal(chatRequests(session()).length, asked);
  });
});
