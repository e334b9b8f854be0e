import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { killHost } from './kill-host.ts';
import { askFor, edit } from './scripted-calls.ts';
import { newChat, useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const numbered = `${Array.from({ length: 12 }, (_, at) => `line ${at + 1}`).join('\n')}\n`;
const names = ['own', 'restart', 'key', 'type', 'again', 'outside', 'which'] as const;

/** Situations that users of other assistants reported, in one window; `test/field/person.md` has what came of each. */
describe('reports of others about review, in a window', () => {
  const session = useSession({
    settings: { 'files.autoSave': 'off', 'svc.edits.mode': 'apply' },
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      for (const name of names) await writeFile(path.join(folder, `${name}.txt`), numbered);
    },
  });
  const chat = useChat(session);
  const onDisk = (name: (typeof names)[number]) => readFile(path.join(session().folder, `${name}.txt`), 'utf8');
  const changes = () => chat().frame.getByRole('region', { name: 'Changes' });
  const editor = () => session().window.page.locator('.editor-group-container.active .monaco-editor');
  const goTo = async (text: string) => {
    await editor().locator('.view-line').filter({ hasText: text }).first().click();
    await session().window.page.keyboard.press('End');
  };
  const change = async (name: (typeof names)[number]) => {
    await session().window.openFile(`${name}.txt`);
    await askFor(session(), chat(), [
      [edit(`${name}.txt`, 'line 3\n', 'THREE\n'), edit(`${name}.txt`, 'line 9\n', 'NINE\n')],
    ]);
    await changes().waitFor();
  };
  const changed = numbered.replace('line 3\n', 'THREE\n').replace('line 9\n', 'NINE\n');
  const undoAll = async () => {
    await session().window.runCommand('svc.undoAllEdits');
  };
  const isOnDisk = (what: string, name: (typeof names)[number], expected: string) => {
    let found = '';
    return waitFor(what, async () => {
      found = await onDisk(name);
      return found === expected;
    }).catch((error: unknown) => assert.equal(found, expected, String(error)));
  };

  it('F14 a new chat asks nothing about edits that are pending, which keep what was typed into them (microsoft/vscode#261673)', async function () {
    this.timeout(180_000);
    const { window } = session();
    await change('own');
    await goTo('THREE');
    await window.page.keyboard.type(' and mine');
    await window.page.keyboard.press('Control+S');
    await newChat(session(), chat());
    assert.equal(await window.page.locator('.monaco-dialog-box:visible').count(), 0);
    await isOnDisk('what was typed', 'own', changed.replace('THREE', 'THREE and mine'));
    await editor().locator('.codelens-decoration').getByText('1 of 2').waitFor();
    await window.runCommand('svc.keepAllEdits');
    await editor().locator('.codelens-decoration').getByText('1 of 2').waitFor({ state: 'detached' });
  });

  it('F14 E07 edits are still there and still pending when the extensions ended without a word (microsoft/vscode#255695)', async function () {
    this.timeout(240_000);
    const { window } = session();
    await change('restart');
    await killHost(session().server.userDataDir);
    await window.reload();
    await chat.reopen();
    assert.equal(await onDisk('restart'), changed);
    // VS Code may not have stored yet which tabs were open.
    await window.openFile('restart.txt');
    await editor().locator('.codelens-decoration').getByText('1 of 2').waitFor({ timeout: 60_000 });
    await undoAll();
    await isOnDisk('the text of before', 'restart', numbered);
  });

  it('F14 the key keeps the edit at the cursor alone and types nothing (microsoft/vscode#241995)', async function () {
    this.timeout(180_000);
    const { window } = session();
    await change('key');
    await goTo('line 1');
    await window.page.keyboard.press('Alt+F5');
    await window.page.locator('.statusbar').getByText('Ln 3,').waitFor();
    await window.page.keyboard.press('Alt+F6');
    await editor().locator('.codelens-decoration').getByText('1 of 2').waitFor({ state: 'detached' });
    assert.equal(await onDisk('key'), changed);
    await undoAll();
    await isOnDisk('the kept edit alone', 'key', numbered.replace('line 3\n', 'THREE\n'));
  });

  it('F14 nobody who types in another file is interrupted by edits of the model (cline/cline#428)', async function () {
    this.timeout(180_000);
    const { window, service } = session();
    service.script({
      replies: [
        { toolCalls: [edit('type.txt', 'line 3\n', 'THREE\n')] },
        { toolCalls: [edit('type.txt', 'line 9\n', 'NINE\n')] },
        { text: 'Done.' },
      ],
    });
    await window.openFile('README.md');
    await chat().ask('Change it.');
    await editor().locator('.view-line').first().click();
    const typed = 'these words were typed while the model worked ';
    await window.page.keyboard.type(typed, { delay: 20 });
    await chat().finishedAnswer();
    const first = await editor().locator('.view-line').first().innerText();
    assert.ok(first.replace(/\u00a0/g, ' ').includes(typed.trim()), first);
    const focused = await window.page.evaluate(
      () => document.activeElement?.closest('.editor-group-container') !== null,
    );
    assert.ok(focused);
    await isOnDisk('both edits', 'type', changed);
    await window.page.keyboard.press('Control+Z');
    await undoAll();
  });

  it('F14 S6 edits of a message that was changed and sent again can be kept and undone (microsoft/vscode#304117)', async function () {
    this.timeout(180_000);
    const { window, service } = session();
    await change('again');
    service.script({ replies: [{ toolCalls: [edit('again.txt', 'line 6\n', 'SIX\n')] }, { text: 'Done.' }] });
    const question = chat().frame.getByRole('article', { name: 'You' }).last();
    await question.hover();
    await question.getByRole('button', { name: /Edit/ }).click();
    await window.page.keyboard.type(' again');
    await window.page.keyboard.press('Enter');
    await window.pressDialogButton('Keep Files');
    await chat().finishedAnswer();
    await editor()
      .locator('.codelens-decoration')
      .getByText(/^\d of \d$/)
      .first()
      .waitFor();
    await window.screenshot('field-again');
    await undoAll();
    await isOnDisk('the text of before', 'again', numbered);
  });

  it('F14 Undo leaves what another program wrote elsewhere in the file (microsoft/vscode-copilot-release#3492)', async function () {
    this.timeout(180_000);
    await change('outside');
    const other = (text: string) => text.replace('line 12\n', 'line 12\nof another program\n');
    await writeFile(path.join(session().folder, 'outside.txt'), other(changed));
    await editor().locator('.view-line').filter({ hasText: 'of another program' }).waitFor();
    await undoAll();
    await isOnDisk('the line of the other program alone', 'outside', other(numbered));
  });

  it('F14 after a reload pending edits stand in their own chat, and no other one lists them (microsoft/vscode#295666)', async function () {
    this.timeout(240_000);
    const { window } = session();
    await change('which');
    await window.reload();
    await chat.reopen();
    await changes().waitFor({ timeout: 60_000 });
    await newChat(session(), chat());
    await changes().waitFor({ state: 'hidden' });
    await undoAll();
    await isOnDisk('the text of before', 'which', numbered);
  });
});
