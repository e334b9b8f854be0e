import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { messageText } from '../service/chat-request.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { numbered as slowText } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { askFor, edit } from './scripted-calls.ts';
import { newChat, useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const numbered = `${Array.from({ length: 12 }, (_, at) => `line ${at + 1}`).join('\n')}\n`;
const long = Array.from({ length: 40_000 }, (_, at) => `value_${at} = ${at}`).join('\n');
const names = ['moved', 'kept', 'running', 'redone', 'one', 'two', 'hand'] as const;
const python = 'class Shop:\n    def open(self):\n        pass\n\n        \n\nend = 1\n';
const generous = { timeout: 90_000 };

/** Situations that users of other assistants reported, in one window; `test/field/person.md` has what came of each. */
describe('reports of others about the chat, pickers and review, in a window', () => {
  const session = useSession({
    settings: { 'files.autoSave': 'off', 'svc.edits.mode': 'apply', 'editor.stickyScroll.enabled': false },
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      for (const name of names) await writeFile(path.join(folder, `${name}.txt`), numbered);
      await writeFile(path.join(folder, 'long.py'), long);
      await writeFile(path.join(folder, 'shop.py'), python);
    },
  });
  const chat = useChat(session);
  const page = () => session().window.page;
  const keys = () => page().keyboard;
  const onDisk = (name: string) => readFile(path.join(session().folder, name), 'utf8');
  const changes = () => chat().frame.getByRole('region', { name: 'Changes' });
  const editor = () => page().locator('.editor-group-container.active .monaco-editor');
  const line = (text: string) => editor().locator('.view-line').filter({ hasText: text }).first();
  const lenses = (text: string | RegExp) => editor().locator('.codelens-decoration').getByText(text).first();
  const goTo = async (text: string) => {
    await line(text).click(generous);
    await keys().press('End');
  };
  /** The key works once the extension host has heard where the cursor is. */
  const undoAt = async (text: string) => {
    await goTo(text);
    await waitFor('the undone edit', async () => {
      await keys().press('Shift+Alt+F6');
      await line(text).waitFor({ state: 'detached', timeout: 3000 });
      return true;
    });
  };
  const isOnDisk = (what: string, name: string, expected: string) => {
    let found = '';
    return waitFor(what, async () => {
      found = await onDisk(name).catch(String);
      return found === expected;
    }).catch((error: unknown) => assert.equal(found.slice(0, 400), expected.slice(0, 400), String(error)));
  };
  const change = (name: string) =>
    askFor(session(), chat(), [[edit(name, 'line 3\n', 'THREE\n'), edit(name, 'line 9\n', 'NINE\n')]]);
  const attached = () => chat().frame.getByRole('list', { name: 'Attached to the next message' });
  const addLines = async (name: string, first: string) => {
    await session().window.openFile(name);
    await line(first).click(generous);
    await keys().press('Home');
    await keys().press('Shift+ArrowDown');
    await keys().press('Shift+ArrowDown');
    await keys().press('Control+Shift+Alt+U');
    await attached().getByText(name).first().waitFor(generous);
  };

  it('F5 what is typed stays when the view is moved to the panel (continuedev/continue#3806)', async function () {
    this.timeout(240_000);
    const { window } = session();
    await chat().message.fill('A long thought, not sent');
    await window.runCommand('View: Move View');
    await window.quickInput.pick('Chat', { timeoutMs: 60_000 });
    await window.quickInput.pick('New Panel Entry', { timeoutMs: 60_000 });
    const moved = await chat.reopen();
    await waitFor('what was typed', async () => (await moved.message.inputValue()) === 'A long thought, not sent');
    await window.screenshot('field-moved-view');
    await window.runCommand('View: Reset View Locations');
    await chat.reopen();
    await chat().message.fill('');
  });

  it('F7 a file made a moment ago is found behind @ by its first letters (anthropics/claude-code#53517)', async function () {
    this.timeout(180_000);
    await chat().message.fill('@');
    await chat().frame.getByRole('option').first().waitFor(generous);
    await chat().message.fill('');
    await writeFile(path.join(session().folder, 'zebra-stripes.ts'), 'export const stripes = 3;\n');
    await waitFor('the new file', async () => {
      await chat().message.fill('');
      await chat().message.pressSequentially('@zeb');
      const found = chat()
        .frame.getByRole('option', { name: /zebra-stripes\.ts/ })
        .first();
      await found.waitFor({ timeout: 8000 });
      return true;
    });
    await chat().message.fill('');
  });

  it('F9 code is inserted as deep as the cursor stands (microsoft/vscode-copilot-release#151)', async function () {
    this.timeout(180_000);
    const { service, window } = session();
    service.script({ replies: [{ text: 'So:\n\n```python\nif self.shut:\n    return 1\nreturn 2\n```\n' }] });
    await chat().ask('Give me the code.');
    const answer = await chat().finishedAnswer();
    await window.openFile('shop.py');
    await goTo('pass');
    await keys().press('ArrowDown');
    await keys().press('ArrowDown');
    await keys().press('End');
    await answer.getByRole('button', { name: 'Insert at Cursor' }).click();
    await line('self.shut').waitFor(generous);
    await window.runCommand('File: Save');
    const deep = '        if self.shut:\n            return 1\n        return 2';
    await waitFor('the file', async () => (await onDisk('shop.py')).includes('self.shut'));
    assert.ok((await onDisk('shop.py')).includes(deep), await onDisk('shop.py'));
  });

  it('F9 Insert at Cursor without an editor says so (microsoft/vscode#228786)', async function () {
    this.timeout(180_000);
    const { service, window } = session();
    await window.runCommand('View: Close All Editors');
    service.script({ replies: [{ text: 'So:\n\n```ts\nconst answer = 42;\n```\n' }] });
    await chat().ask('Give me the code.');
    const answer = await chat().finishedAnswer();
    await answer.getByRole('button', { name: 'Insert at Cursor' }).click();
    await window.notification(/editor/i);
    await window.runCommand('Notifications: Clear All Notifications');
  });

  it('F14 edits of a file that got another name are undone one by one (arthurzengg/opencui#320)', async function () {
    this.timeout(240_000);
    const { window } = session();
    await window.openFile('moved.txt');
    await change('moved.txt');
    await lenses('1 of 2').waitFor(generous);
    await window.runCommand('File: Reveal Active File in Explorer View');
    await page().locator('.explorer-folders-view').getByText('moved.txt').first().click(generous);
    await keys().press('F2');
    await page().locator('.explorer-folders-view .monaco-inputbox input').fill('renamed.txt');
    await keys().press('Enter');
    await waitFor('the new name', async () => (await onDisk('renamed.txt').catch(() => '')) !== '');
    await window.openFile('renamed.txt');
    await undoAt('THREE');
    await isOnDisk('the first undone alone', 'renamed.txt', numbered.replace('line 9\n', 'NINE\n'));
    await undoAt('NINE');
    await isOnDisk('both undone', 'renamed.txt', numbered);
    await changes().waitFor({ state: 'hidden', ...generous });
  });

  it('F14 what was kept is not asked again after another chat was looked at (microsoft/vscode#267776)', async function () {
    this.timeout(240_000);
    const { window } = session();
    await window.openFile('kept.txt');
    await change('kept.txt');
    await changes().waitFor(generous);
    await window.runCommand('svc.keepAllEdits');
    await changes().waitFor({ state: 'hidden', ...generous });
    await newChat(session(), chat());
    await chat().frame.getByRole('button', { name: /^Go\./ }).first().click(generous);
    await chat().frame.getByText('All done.').waitFor(generous);
    await changes().waitFor({ state: 'hidden', ...generous });
    await lenses('Keep').waitFor({ state: 'detached', ...generous });
    assert.equal(await onDisk('kept.txt'), numbered.replace('line 3\n', 'THREE\n').replace('line 9\n', 'NINE\n'));
  });

  it('F14 an edit is undone while the answer goes on, which it does not stop (microsoft/vscode#256361)', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    await window.openFile('running.txt');
    service.script({
      settings: { chunkDelayMs: 30 },
      replies: [
        { toolCalls: [edit('running.txt', 'line 3\n', 'THREE\n')] },
        { text: slowText('word'), toolCalls: [edit('running.txt', 'line 9\n', 'NINE\n')] },
        { text: 'All done.' },
      ],
    });
    await chat().ask('Change it.');
    await lenses('Keep').waitFor(generous);
    await chat()
      .frame.getByText(/word 3 word 4/)
      .waitFor(generous);
    await undoAt('THREE');
    await isOnDisk('the text of before', 'running.txt', numbered);
    assert.ok(await chat().button('Stop').isVisible(), 'the answer goes on');
    await chat().frame.getByText('All done.').waitFor({ timeout: 150_000 });
    await isOnDisk('the second edit alone', 'running.txt', numbered.replace('line 9\n', 'NINE\n'));
    await window.runCommand('svc.undoAllEdits');
    await isOnDisk('nothing of it', 'running.txt', numbered);
  });

  it("F14 when the editor's Undo took back every edit, nothing is left to decide (microsoft/vscode#241896)", async function () {
    this.timeout(240_000);
    const { window } = session();
    await window.openFile('redone.txt');
    await askFor(session(), chat(), [
      [edit('redone.txt', 'line 3\n', 'THREE\n')],
      [edit('redone.txt', 'THREE\n', 'THREE again\n')],
    ]);
    await lenses('Keep').waitFor(generous);
    await goTo('line 1');
    await keys().press('Control+Z');
    await line('THREE again').waitFor({ state: 'detached', ...generous });
    await keys().press('Control+Z');
    await line('THREE').waitFor({ state: 'detached', ...generous });
    await lenses('Keep').waitFor({ state: 'detached', ...generous });
    await changes().waitFor({ state: 'hidden', ...generous });
  });

  it('F14 Undo gives back a file of forty thousand lines (microsoft/vscode#311213)', async function () {
    this.timeout(240_000);
    const { window } = session();
    await askFor(session(), chat(), [[edit('long.py', 'value_20000 = 20000\n', 'value_20000 = 7\n')]]);
    await isOnDisk('the edit', 'long.py', long.replace('value_20000 = 20000\n', 'value_20000 = 7\n'));
    await changes().waitFor(generous);
    await window.runCommand('svc.undoAllEdits');
    await isOnDisk('the text of before', 'long.py', long);
    await changes().waitFor({ state: 'hidden', ...generous });
  });

  it('F7 selections of two files go along, each with its own lines alone (microsoft/vscode#274891, microsoft/vscode-copilot-release#2456)', async function () {
    this.timeout(240_000);
    session().service.script({ replies: [{ text: 'Seen.' }] });
    await addLines('one.txt', 'line 4');
    await addLines('two.txt', 'line 7');
    await chat().ask('What is this?');
    await chat().finishedAnswer();
    const asked = chatRequests(session())
      .at(-1)
      ?.messages.findLast(({ role }) => role === 'user');
    assert.ok(asked);
    const text = messageText(asked);
    assert.match(text, /one\.txt[\s\S]*line 4\b[\s\S]*two\.txt[\s\S]*line 7\b/);
    assert.doesNotMatch(text, /line 2\b|line 11\b/);
  });

  it('F7 the same selection added twice is there once (microsoft/vscode#277708)', async function () {
    this.timeout(180_000);
    await addLines('one.txt', 'line 4');
    await addLines('one.txt', 'line 4');
    await attached().waitFor(generous);
    assert.equal(await attached().getByRole('listitem').count(), 1);
    await attached()
      .getByRole('button', { name: /^Remove / })
      .click();
  });

  it('U4 the side bar shown and hidden many times takes no letter from another box (microsoft/vscode#231082)', async function () {
    this.timeout(180_000);
    const { window } = session();
    for (let times = 0; times < 4; times++) await window.runCommand('View: Toggle Secondary Side Bar Visibility');
    await window.runCommand('svc.openChat');
    await chat.reopen();
    await window.runCommand('Search: Find in Files');
    const box = page().locator('.search-view .search-widget textarea').first();
    await box.click(generous);
    await keys().press('Control+A');
    await keys().type('these letters stay here', { delay: 15 });
    assert.equal(await box.inputValue(), 'these letters stay here');
    assert.equal(await chat().message.inputValue(), '');
  });

  it('F23 what is typed into an inline edit outlives Escape (microsoft/vscode#188832)', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.script({ replies: [{ text: '```\nline 4 changed\nline 5 changed\n```' }] });
    await window.openFile('hand.txt');
    await line('line 4').click(generous);
    await keys().press('Home');
    await keys().press('Shift+ArrowDown');
    await keys().press('Shift+End');
    await window.runCommand('svc.inlineEdit');
    await window.answerInputBox('Change both');
    await lenses('Keep').waitFor(generous);
    await goTo('line 5 changed');
    await keys().type(' by my hand');
    await line('by my hand').waitFor(generous);
    await keys().press('Escape');
    await keys().press('Escape');
    await lenses('Undo').waitFor({ state: 'detached', timeout: 5000 }).catch(String);
    await window.screenshot('field-inline-hand');
    await line('by my hand').waitFor({ timeout: 5000 });
  });
});
