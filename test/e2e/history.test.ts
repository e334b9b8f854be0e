import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';
import { openWindow } from '../vscode/window.ts';
import { type Chat, chatOf, openChat } from './chat.ts';
import { answerFileDialog } from './file-dialog.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

describe('history', () => {
  const session = useSession({ viewport: { width: 1280, height: 860 } });
  let chat: Chat;

  const rows = () =>
    session().window.page.locator('.pane:has(.pane-header[aria-label^="Conversations"]) .monaco-list-row');
  const labels = async () => (await rows().locator('.label-name').allTextContents()).map((text) => text.trim());
  const row = (title: string): Locator => rows().filter({ hasText: title });
  const listed = (...wanted: string[]) =>
    waitFor(`${wanted.join(', ')} in the list`, async () => (await labels()).join() === wanted.join());
  const showList = () => session().window.runCommand('svc: Focus on Conversations View');
  /** Presses a key in the list until it has had its effect: an editor that is busy knows a moment later where the focus is. */
  const pressInList = async (key: string, hasWorked: () => Promise<unknown>) => {
    const list = session().window.page.locator('.pane:has(.pane-header[aria-label^="Conversations"]) .monaco-list');
    // Opening takes the focus to the chat, a moment later.
    await waitFor('the focus in the chat', () =>
      chat.message.evaluate((box) => document.hasFocus() && box === document.activeElement),
    );
    await waitFor(`the effect of ${key}`, async () => {
      await list.focus();
      await list.press(key);
      await hasWorked();
      return true;
    });
  };
  /** The list itself draws only the rows in sight. */
  const storedTitles = async () => {
    const { window } = session();
    await window.runCommand('svc.openConversation');
    await window.quickInput.widget.locator('input[placeholder*="Open a conversation"]').waitFor();
    await window.quickInput.widget.locator('.monaco-list-row').first().waitFor();
    await waitFor(
      'the whole list',
      async () => !(await window.quickInput.widget.locator('.monaco-progress-container.active').count()),
    );
    const titles = await window.quickInput.labels();
    await window.quickInput.cancel();
    return titles;
  };
  const prompts = () => chat.frame.locator('.user .prompt').allTextContents();

  before(async function () {
    this.timeout(240_000);
    const { service, window } = session();
    chat = await openChat(session());
    await enterKey(session());
    service.script({ replies: [{ text: 'Blue, as **the sky**.' }, { text: 'Red, as a rose.' }] });
    await chat.ask('What is blue?');
    await chat.finishedAnswer();
    await window.runCommand('svc.newChat');
    await waitFor('the empty chat', async () => (await chat.frame.getByRole('article').count()) === 0);
    await chat.ask('What is red?');
    await chat.finishedAnswer();
  });

  it('F6 lists conversations by day, with time and cost, and opens one', async () => {
    const { window } = session();
    await showList();
    await listed('Today', 'What is red?', 'What is blue?');
    assert.match(await row('What is blue?').innerText(), /\$0\.\d+/);
    await row('What is blue?').click();
    await chat.frame.getByText('Blue, as').waitFor();
    await window.screenshot('history-list');
  });

  it('F6 renames with F2, pins, and keeps both after a restart of the list', async () => {
    const { window } = session();
    await row('What is red?').click();
    await chat.frame.getByText('Red, as a rose.').waitFor();
    await pressInList('F2', () => window.quickInput.widget.waitFor({ timeout: 5000 }));
    await window.answerInputBox('About red things');
    await listed('Today', 'About red things', 'What is blue?');
    await row('What is blue?').hover();
    await row('What is blue?').getByRole('button', { name: 'Pin Conversation' }).click();
    await listed('Pinned', 'What is blue?', 'Today', 'About red things');
    await window.screenshot('history-pinned');
  });

  it('F6 deletes with Del and brings back with Undo', async () => {
    const { window } = session();
    await showList();
    await row('About red things').click();
    await pressInList('Delete', () => row('About red things').waitFor({ state: 'detached', timeout: 5000 }));
    await listed('Pinned', 'What is blue?');
    await waitFor('an empty chat', async () => (await chat.frame.getByRole('article').count()) === 0);
    await window.notification('was deleted');
    await chat.frame.getByText('About red things').waitFor({ state: 'detached' });
    await window.screenshot('history-deleted');
    await window.pressNotificationButton('Undo', 'was deleted');
    await listed('Pinned', 'What is blue?', 'Today', 'About red things');
    await chat.frame.getByText('Red, as a rose.').waitFor();
  });

  it('F6 finds a word of an answer', async () => {
    const { window } = session();
    await window.runCommand('svc.openConversation');
    await window.quickInput.type('the sky');
    await waitFor('the place it was found', async () =>
      /Blue, as \*\*the sky/.test((await window.quickInput.widget.innerText()).replace(/\s+/g, ' ')),
    );
    await window.screenshot('history-search');
    await window.quickInput.pick('What is blue?');
    await chat.frame.getByText('Blue, as').waitFor();
  });

  it('F6 forks, and the copy leads back to its origin', async () => {
    const { window } = session();
    await window.runCommand('svc.forkConversation');
    const open = chat.frame.getByRole('button', { name: 'Open Original' });
    await open.waitFor();
    await window.screenshot('history-forked');
    await waitFor('two rows of the same title', async () => (await row('What is blue?').count()) === 2);
    await open.click();
    await open.waitFor({ state: 'detached' });
    assert.deepEqual(await prompts(), ['What is blue?']);
  });

  it('F3 edits an earlier message in the composer, Escape gives up, sending takes its place', async () => {
    const { window, service } = session();
    const draft = 'half a thought';
    await chat.message.fill(draft);
    await chat.frame.getByRole('article', { name: 'You' }).last().hover();
    const edit = chat.button('Edit');
    await edit.click();
    await waitFor('the text in the composer', async () => (await chat.message.inputValue()) === 'What is blue?');
    await window.screenshot('history-editing');
    await chat.message.press('Escape');
    await waitFor('the draft again', async () => (await chat.message.inputValue()) === draft);
    await edit.click();
    await waitFor('the text in the composer', async () => (await chat.message.inputValue()) === 'What is blue?');
    service.script({ replies: [{ text: 'Green, as grass.' }] });
    await chat.message.fill('What is green?');
    await chat.button('Send').click();
    await chat.frame.getByText('Green, as grass.').waitFor();
    await chat.finishedAnswer();
    assert.deepEqual(await prompts(), ['What is green?']);
    assert.equal(await chat.message.inputValue(), draft);
    const sent = service.requests.at(-1)?.rawBody ?? '';
    assert.ok(sent.includes('What is green?') && !sent.includes('What is blue?'));
    await window.screenshot('history-edited');
    await chat.button('Open Earlier Version').click();
    await chat.frame.getByText('Blue, as').waitFor();
    await chat.message.fill('');
  });

  it('F3 asks again with another model', async () => {
    const { window, service } = session();
    service.script({ replies: [{ text: 'Azure.' }] });
    await chat.frame.getByRole('button', { name: /^Ask Another Model/ }).click();
    await window.quickPick('Kimi K3');
    await chat.frame.getByText('Azure.').waitFor();
    await chat.finishedAnswer();
    assert.equal(service.charges.at(-1)?.model, 'svc/kimi-k3');
    await chat.frame.getByRole('article', { name: 'Kimi K3' }).waitFor();
  });

  it('F3 F16 offers to put files back before a message is asked again that has changed them', async () => {
    const { window, service, folder } = session();
    await window.runCommand('svc.newChat');
    await waitFor('the empty chat', async () => (await chat.frame.getByRole('article').count()) === 0);
    const note = { name: 'create_file', arguments: { path: 'note.txt', content: 'one\n' } };
    service.script({
      replies: [{ text: 'I write it.', toolCalls: [note] }, { text: 'Written.' }, { text: 'Better not.' }],
    });
    await chat.ask('Write a note');
    const card = chat.frame.getByRole('group', { name: 'Approval needed: create_file', exact: true });
    await card
      .getByRole('button', { name: /^(Allow in This Chat|Allow Once)/ })
      .first()
      .click();
    await chat.frame.getByText('Written.').waitFor();
    const answer = await chat.finishedAnswer();
    const file = path.join(folder, 'note.txt');
    assert.equal(await readFile(file, 'utf8'), 'one\n');
    await answer.hover();
    await chat.frame
      .getByRole('button', { name: /^Ask Again(?! From)/ })
      .last()
      .click();
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('Restore files to this point?').waitFor();
    await window.screenshot('history-restore-files');
    await dialog.getByRole('button', { name: 'Restore Files' }).click();
    await dialog.getByText('Restore files to their state').waitFor();
    await window.pressDialogButton('Restore');
    await chat.frame.getByText('Better not.').waitFor();
    await waitFor('the file to be gone', async () => (await readFile(file, 'utf8').catch(() => 'none')) === 'none');
  });

  it('F3 deletes from a message on, and opens what was deleted again', async () => {
    const { service } = session();
    await session().window.runCommand('svc.newChat');
    await waitFor('the empty chat', async () => (await chat.frame.getByRole('article').count()) === 0);
    service.script({ replies: [{ text: 'Stays.' }, { text: 'Goes.' }] });
    await chat.ask('Keep this');
    await chat.finishedAnswer();
    await chat.ask('Delete this');
    await chat.frame.getByText('Goes.').waitFor();
    await chat.finishedAnswer();
    const sent = service.requests.length;
    await chat.frame.getByRole('article', { name: 'You' }).last().hover();
    await chat.button('Delete from Here').last().click();
    await chat.frame.getByText('Goes.').waitFor({ state: 'detached' });
    assert.deepEqual(await prompts(), ['Keep this']);
    assert.equal(service.requests.length, sent);
    await chat.button('Open Earlier Version').click();
    await chat.frame.getByText('Goes.').waitFor();
    assert.deepEqual(await prompts(), ['Keep this', 'Delete this']);
  });

  it('E05 shows in the list what another window does', async function () {
    this.timeout(240_000);
    const { service, server, browser } = session();
    await row('Write a note').waitFor();
    const other = await openWindow(server, browser);
    await other.runCommand('svc.openChat');
    const there = await chatOf(await other.webviewFrame('[aria-label="Message"]'));
    await other.runCommand('svc.newChat');
    await waitFor('the empty chat', async () => (await there.frame.getByRole('article').count()) === 0);
    service.script({ replies: [{ text: 'Heard.' }] });
    await there.ask('From the other window');
    await there.finishedAnswer();
    await other.close();
    await session().window.page.bringToFront();
    await row('From the other window').waitFor();
  });

  it('E20 exports as JSON and imports it as a conversation of its own', async () => {
    const { window, folder } = session();
    await chat.frame.getByText('Goes.').waitFor();
    await window.runCommand('svc.exportConversation');
    await window.quickPick('JSON');
    const file = path.join(folder, 'exported.json');
    await answerFileDialog(session(), file);
    await waitFor('the file', async () => (await readFile(file, 'utf8').catch(() => '')).includes('Goes.'));
    const text = await readFile(file, 'utf8');
    assert.ok(!text.includes('sk-svc-demo'));
    await window.runCommand('svc.newChat');
    await chat.frame.getByText('Goes.').waitFor({ state: 'detached' });
    const before = await storedTitles();
    await window.runCommand('svc.importConversation');
    await answerFileDialog(session(), file);
    await chat.frame.getByText('Goes.').waitFor();
    assert.equal((await storedTitles()).length, before.length + 1);
    await writeFile(file, '{"half":');
    await window.runCommand('svc.importConversation');
    await answerFileDialog(session(), file);
    await window.notification('was not imported');
    await window.screenshot('history-import-refused');
  });

  it('F6 deletes all, and Undo brings all back', async () => {
    const { window } = session();
    const before = await rows().count();
    await window.runCommand('svc.deleteAllConversations');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Move to Trash' }).waitFor();
    await window.screenshot('history-delete-all');
    await dialog.getByRole('button', { name: 'Move to Trash' }).click();
    await waitFor('an empty list', async () => (await rows().count()) === 0);
    await window.screenshot('history-empty');
    await window.pressNotificationButton('Undo', 'Conversations deleted');
    await waitFor('all rows', async () => (await rows().count()) === before);
  });

  it('F6 brings a deleted one back when the message with Undo is gone', async () => {
    const { window } = session();
    await showList();
    // In sight however many there are.
    const title = 'From the other window';
    const newest = () => row(title).first();
    await newest().waitFor();
    const before = await labels();
    await newest().click();
    await chat.frame.getByText('Heard.').waitFor();
    await pressInList('Delete', () =>
      waitFor('the row to go', async () => (await newest().count()) === 0, { timeoutMs: 5000 }),
    );
    await window.runCommand('svc.restoreConversation');
    await window.quickInput.settled(title);
    await window.screenshot('history-restore');
    await window.quickPick(title);
    await chat.frame.getByText('Heard.').waitFor();
    await waitFor('the row', async () => (await labels()).join() === before.join());
  });
});
