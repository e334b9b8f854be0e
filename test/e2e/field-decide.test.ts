import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { askFor, type Call, call, edit } from './scripted-calls.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const block = 'begin\n\tsame();\n    same();\nend\n';
const twice = `${block}between\n${block}`;

/** Situations that users of other assistants reported of deciding on edits; `test/field/person.md` has what came of each. */
describe('reports of others about Keep and Undo, in a window', () => {
  const session = useSession({
    settings: { 'files.autoSave': 'off', 'svc.edits.mode': 'apply', 'editor.formatOnSave': true },
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      for (const name of ['back', 'thrice', 'anew', 'twins']) await writeFile(path.join(folder, `${name}.txt`), twice);
    },
  });
  const chat = useChat(session);
  const changes = () => chat().frame.getByRole('region', { name: 'Changes' });
  const onDisk = (name: string) => readFile(path.join(session().folder, `${name}.txt`), 'utf8').catch(() => undefined);
  const isOnDisk = (name: string, expected: string | undefined) => {
    let found: string | undefined;
    return waitFor(name, async () => {
      found = await onDisk(name);
      return found === expected;
    }).catch((error: unknown) => assert.equal(found, expected, String(error)));
  };
  const change = async (...steps: Call[][]) => {
    await askFor(session(), chat(), steps);
    await changes().waitFor();
  };
  const decide = async (button: string) => {
    await changes().getByRole('button', { name: button }).click();
    await changes().waitFor({ state: 'detached' });
  };

  it('F14 after Undo All by mistake the editor brings the edits back, to be decided on again (zed-industries/zed#48462)', async function () {
    this.timeout(180_000);
    const { window } = session();
    await window.openFile('back.txt');
    await change([edit('back.txt', 'between', 'BETWEEN')]);
    await decide('Undo All');
    await isOnDisk('back', twice);
    await window.page.locator('.editor-group-container.active .view-line').first().click();
    await window.page.keyboard.press('Control+Z');
    await changes().waitFor();
    await window.page.keyboard.press('Control+S');
    await isOnDisk('back', twice.replace('between', 'BETWEEN'));
    await decide('Keep All');
  });

  it('F14 a file that was edited three times in one answer is kept as it is, at once (arthurzengg/opencui#508)', async function () {
    this.timeout(180_000);
    await change(
      [edit('thrice.txt', 'between', 'two')],
      [edit('thrice.txt', 'two', 'three')],
      [edit('thrice.txt', 'three', 'four')],
    );
    await decide('Keep All');
    await isOnDisk('thrice', twice.replace('between', 'four'));
    assert.deepEqual(await session().window.notifications(), []);
  });

  it('F14 a file that was deleted and made anew gets its own text back (zed-industries/zed#29264)', async function () {
    this.timeout(180_000);
    await change(
      [call('delete_file', { path: 'anew.txt' })],
      [call('create_file', { path: 'anew.txt', content: 'another text\n' })],
    );
    await isOnDisk('anew', 'another text\n');
    await decide('Undo All');
    await isOnDisk('anew', twice);
  });

  it('F14 what was typed into a file that the model made is not lost with it (zed-industries/zed#31617)', async function () {
    this.timeout(180_000);
    const { window } = session();
    await change([call('create_file', { path: 'made.txt', content: 'made by the model\n' })]);
    // The list of files that VS Code searches may not have it yet.
    await window.page.locator('.explorer-folders-view').getByText('made.txt').dblclick();
    await window.page.locator('.tab.active[data-resource-name="made.txt"]').waitFor();
    await window.page.locator('.editor-group-container.active .view-line').last().click();
    await window.page.keyboard.press('Control+End');
    await window.page.keyboard.type('mine');
    await window.page.keyboard.press('Control+S');
    await isOnDisk('made', 'made by the model\nmine');
    await changes().getByRole('button', { name: 'Undo All' }).click();
    await waitFor('what is left', async () => (await onDisk('made')) !== 'made by the model\nmine');
    assert.match((await onDisk('made')) ?? '', /mine/);
  });

  it('F14 of two blocks that are alike the changed one is undone, to the blank, and nothing is formatted (arthurzengg/opencui#150, microsoft/vscode-copilot-release#6927)', async function () {
    this.timeout(180_000);
    await change([edit('twins.txt', `between\n${block}`, 'between\nbegin\n\tother();\n    other();\nend\n')]);
    await isOnDisk('twins', `${block}between\n${block.replaceAll('same', 'other')}`);
    await chat()
      .frame.getByRole('button', { name: /^Undo: twins\.txt/ })
      .first()
      .click();
    await isOnDisk('twins', twice);
  });
});
