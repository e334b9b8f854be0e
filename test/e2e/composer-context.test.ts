import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { before, beforeEach, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { chooseInMenu } from './context-menu.ts';
import { enterKey } from './session.ts';
import { newChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

describe('what a real window gives the composer', () => {
  const session = useSession({
    fillWorkspace: copySampleWorkspace,
    // Drawn with elements, so that what it shows can be read.
    settings: { 'terminal.integrated.gpuAcceleration': 'off' },
  });
  let chat: Chat;
  const page = () => session().window.page;
  const options = () => chat.frame.getByRole('option');
  const chips = () => chat.frame.getByRole('list', { name: 'Attached to the next message' });
  const chip = (label: string | RegExp) => chips().getByText(label).first().waitFor();
  const lastBody = () => session().service.requests.at(-1)?.rawBody ?? '';
  const clear = async () => {
    await chat.message.fill('');
    await waitFor('no chips', async () => {
      const remove = chips().getByRole('button', { name: /^Remove / });
      if ((await remove.count()) === 0) return true;
      await remove.first().click({ timeout: 2000 });
      return false;
    });
  };
  /** Types what is to be found anew until the row is there: some sources only know after a while. */
  const row = async (typed: string, name: string | RegExp): Promise<Locator> => {
    const wanted = options().filter({ hasText: name }).first();
    await waitFor(
      `a row ${name}`,
      async () => {
        await chat.message.focus();
        await chat.message.fill('');
        await chat.message.pressSequentially(typed);
        await wanted.waitFor({ timeout: 3000 });
        return true;
      },
      { timeoutMs: 60_000 },
    );
    return wanted;
  };
  const menu = (target: Locator, ...names: string[]) => chooseInMenu(session(), target, ...names);
  const explorer = (name: string) => page().locator('.explorer-folders-view').getByRole('treeitem', { name });
  const tab = (name: string) => page().locator(`.tab[data-resource-name="${name}"]`);

  const showEditor = async () => {
    await tab('discounts.ts').getByText('discounts.ts').click();
    await page().locator('.editor-group-container.active .view-line').getByText('WELCOME').click();
  };

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
    await session().window.openFile('discounts.ts');
  });

  // What a test that failed has left must not fail the next one.
  beforeEach(clear);

  it('F7 offers open tabs first', async () => {
    await chat.message.focus();
    await chat.message.fill('@');
    const first = options().first();
    await first.getByText('discounts.ts').waitFor();
    await chat.message.press('Enter');
    await chip('src/discounts.ts');
  });

  it('F7 attaches a symbol with all of its lines', async () => {
    await (await row('@symbol:discountCents', 'discountCents')).click();
    await chip(/^discountCents\(\) · src\/discounts\.ts:\d+-\d+$/);
  });

  it('F7 attaches what ran in the terminal, and what is selected there', async () => {
    await session().window.runCommand('Terminal: Focus Terminal');
    const terminal = page().locator('.terminal.xterm:visible').first();
    await terminal.waitFor();
    await waitFor(
      'the command in the record',
      async () => {
        await terminal.click();
        // Only its output has the number. VS Code tells no output that comes in one piece with the marks around it.
        await page().keyboard.type('sleep 0.5; echo marker-$((6*7)); sleep 0.5\n');
        await terminal.getByText('marker-42').first().waitFor({ timeout: 5000 });
        await chat.message.focus();
        await chat.message.fill('');
        await chat.message.pressSequentially('@terminal');
        await options().filter({ hasText: 'echo marker-' }).waitFor({ timeout: 5000 });
        return true;
      },
      { timeoutMs: 90_000 },
    );
    await chat.message.press('Enter');
    await chip(/echo marker-/);
    session().service.script({ replies: [{ text: 'Seen.' }] });
    await chat.ask('What did it print?');
    await chat.finishedAnswer();
    assert.match(lastBody(), /marker-42/);
    await terminal.click();
    await session().window.runCommand('Terminal: Select All');
    await page().evaluate(() => navigator.clipboard.writeText('what was copied'));
    await menu(terminal, 'Add to Chat');
    await chip(/^Terminal /);
    assert.equal(await page().evaluate(() => navigator.clipboard.readText()), 'what was copied');
  });

  it('F7 adds from the explorer: a file, several, a folder', async () => {
    await session().window.runCommand('File: Focus on Files Explorer');
    await menu(explorer('README.md'), 'Add to Chat');
    await chip('README.md');
    await explorer('package.json').click();
    await explorer('README.md').click({ modifiers: ['Control'] });
    await menu(explorer('README.md'), 'Add to Chat');
    await chip('package.json');
    await waitFor('two chips', async () => (await chips().getByRole('listitem').count()) === 2);
    await menu(explorer('scripts'), 'Add to Chat');
    await chip(/^scripts\/ \(1 files?\)$/);
  });

  it('F7 adds from an editor: its tab, a line number, the selection', async () => {
    await showEditor();
    await menu(tab('discounts.ts'), 'Add to Chat');
    await chip('src/discounts.ts');
    await clear();
    await menu(
      page().locator('.editor-group-container.active .line-numbers').getByText('3', { exact: true }),
      'Add to Chat',
    );
    await chip('src/discounts.ts:3-3');
    await clear();
    await showEditor();
    await page().keyboard.press('Control+Home');
    for (let line = 0; line < 4; line++) await page().keyboard.press('Shift+ArrowDown');
    await menu(page().locator('.editor-group-container.active .view-line').nth(1), 'svc', 'Add to Chat');
    await chip('src/discounts.ts:1-4');
  });

  it('F7 turns code that was copied in the editor into a chip, and back into text', async () => {
    await showEditor();
    await page().keyboard.press('Control+Home');
    for (let line = 0; line < 4; line++) await page().keyboard.press('Shift+ArrowDown');
    await page().keyboard.press('Control+C');
    await chat.message.focus();
    await page().keyboard.press('Control+V');
    await chip(/^src\/discounts\.ts:1-4$/);
    await waitFor('the message without the code', async () => (await chat.message.inputValue()) === '');
    await session().window.screenshot('composer-pasted');
    await chips()
      .getByRole('button', { name: /as text$/ })
      .click();
    await waitFor('the text', async () => /WELCOME: 10/.test(await chat.message.inputValue()));
    await chips().waitFor({ state: 'hidden' });
  });

  it('F7 attaches what is dropped, and marks on a sent message what changed and what is gone', async () => {
    const uris = ['cart.ts', 'shipping.ts'].map((name) => path.join(session().folder, 'src', name));
    await chat.message.evaluate((box, paths) => {
      const data = new DataTransfer();
      data.setData('application/vnd.code.uri-list', paths.map((file) => `file://${file}`).join('\r\n'));
      for (const type of ['dragover', 'drop']) {
        box.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    }, uris);
    await chip('src/cart.ts');
    await chip('src/shipping.ts');
    session().service.script({ replies: [{ text: 'Two files.' }] });
    await chat.ask('What are these?');
    await chat.finishedAnswer();
    const sent = chat.frame.getByRole('article', { name: 'You' }).last();
    await rm(path.join(session().folder, 'src', 'shipping.ts'));
    await explorer('cart.ts').dblclick();
    await page().locator('.editor-group-container.active .view-line').getByText('totalOf').click();
    await page().keyboard.press('Home');
    await page().keyboard.type('// changed\n');
    await page().keyboard.press('Control+S');
    await sent.locator('.chip', { hasText: 'cart.ts' }).getByText('changed since').first().waitFor();
    await sent.locator('.chip', { hasText: 'shipping.ts' }).getByText('no longer there').first().waitFor();
    await session().window.screenshot('composer-stale');
  });

  it('F5 F7 brings back prompts and conversations in a new chat', async () => {
    session().service.script({ replies: [{ text: 'One.' }, { text: 'Two.' }] });
    await chat.ask('The first question');
    await chat.finishedAnswer();
    await newChat(session(), chat);
    await chat.frame.getByRole('article', { name: 'You' }).first().waitFor({ state: 'detached' });
    await chat.ask('The second question');
    await chat.finishedAnswer();
    await newChat(session(), chat);
    await chat.frame.getByRole('article', { name: 'You' }).first().waitFor({ state: 'detached' });
    await chat.message.press('ArrowUp');
    await waitFor('the newest', async () => (await chat.message.inputValue()) === 'The second question');
    await chat.message.press('ArrowUp');
    await waitFor('the one before', async () => (await chat.message.inputValue()) === 'The first question');
    await (await row('@chat:question', 'second question')).click();
    await chip('The second question');
    session().service.script({ replies: [{ text: 'It was about a marker.' }] });
    await chat.ask('What was that about?');
    await chat.finishedAnswer();
    assert.match(lastBody(), /Attached: The second question/);
  });

  it('F4 sends now what is typed while an answer runs', async () => {
    session().service.script({
      rules: [{ times: 1, effect: { stallAfterChunks: 8 } }],
      replies: [{ text: 'A long answer that never ends' }, { text: 'Done at once.' }],
    });
    await chat.ask('Go on for long');
    await chat.button('Stop').waitFor();
    await chat.frame.getByText('A long').waitFor();
    await chat.message.fill('Stop that, say done');
    await chat.message.press('Control+Enter');
    await chat.frame.getByText('Done at once.').waitFor();
    await chat.finishedAnswer();
  });

  it('F35 offers a subagent by its name, with its price', async () => {
    const found = await row('@sub', '@subagent');
    await found.getByText(/^≈ \$0\.\d+, at most \$0\.0200 · /).waitFor();
    await found.click();
    await waitFor('the name in the text', async () => (await chat.message.inputValue()) === '@subagent ');
    assert.equal(await options().count(), 0);
  });

  it('S21 shows why there is no @codebase', async () => {
    const found = await row('@codebase', 'Codebase');
    assert.equal(await found.getAttribute('aria-disabled'), 'true');
    await found.getByText(/^Not available/).waitFor();
  });
});
