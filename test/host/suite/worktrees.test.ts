import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createWorktrees, type Worktrees } from '../../../src/features/worktrees/core/worktrees.ts';
import { bringBack } from '../../../src/features/worktrees/vscode/bring-back.ts';
import { createBaseTexts, showWorktreeChanges } from '../../../src/features/worktrees/vscode/show-changes.ts';
import type { Worktree } from '../../../src/shared/events.ts';
import { openStateFile } from '../../../src/storage/state-file.ts';
import { storedProposal } from '../../../src/vscode/edits/edit-proposals.ts';
import { createEditReview, type EditReview } from '../../../src/vscode/edits/edit-review.ts';
import { createEditStore, type EditStore } from '../../../src/vscode/edits/edit-store.ts';
import { createFileWriter } from '../../../src/vscode/edits/file-writer.ts';
import { openGit } from '../../../src/vscode/workspace/git-adapter.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { gitIn } from '../../support/git-in.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../vscode/wait-for.ts';

const { signal } = new AbortController();

describe('work of a worktree in the editor', () => {
  let temp: TempDir;
  let repository: string;
  let folder: string;
  let worktrees: Worktrees;
  let store: EditStore;
  let review: EditReview;
  let set: Worktree | undefined;
  let said: string[] = [];
  let restore: (() => void)[] = [];

  const fileOf = (name: string) => path.join(repository, name);
  const uriOf = (name: string) => vscode.Uri.file(fileOf(name));
  const work = (name: string, text: string) => writeFile(path.join(folder, name), text);
  /** What VS Code asks is answered with this button. */
  const replaceMessages = (button?: string) => {
    for (const name of ['showWarningMessage', 'showInformationMessage'] as const) {
      const real = Reflect.get(vscode.window, name);
      restore.push(() => Reflect.set(vscode.window, name, real));
      Reflect.set(vscode.window, name, async (message: string) => {
        said.push(message);
        return button;
      });
    }
  };
  const bring = async () => {
    const root = { name: 'website', uri: vscode.Uri.file(repository).toString(), fsPath: repository };
    const { workspace, files } = createWorkspace(() => [root]);
    const writer = createFileWriter(workspace, store);
    const worktree = { folder, repository, roots: [{ name: 'website', path: '' }], files: 0 };
    await bringBack(
      { workspace, files, worktrees, review: { port: writer.portFor, protection: () => () => false } },
      {
        id: 'task',
        setWorktree: (next) => {
          set = next;
        },
      },
      worktree,
    );
  };

  beforeEach(async () => {
    said = [];
    restore = [];
    set = undefined;
    temp = await makeTempDir('svc-worktrees-');
    repository = path.join(temp.path, 'website');
    await mkdir(repository);
    const git = gitIn(repository);
    await git('init');
    await writeFile(fileOf('a.txt'), 'one\ntwo\nthree\nfour\nfive\nsix\n');
    await writeFile(fileOf('crlf.txt'), 'one\r\ntwo\r\n');
    await writeFile(fileOf('old.txt'), 'old\n');
    await git('add', '-A');
    await git('commit', '-m', 'First');
    worktrees = createWorktrees({ dir: path.join(temp.path, 'worktrees'), openGit });
    folder = await worktrees.add({ repository, name: 'task' }, signal);
    store = await createEditStore({ file: path.join(temp.path, 'edits.json'), onError: assert.ifError });
    review = createEditReview({
      store,
      codec: createWorkspace(() => []).workspace.codec,
      setContext: () => undefined,
      conversationAtHand: () => 'task',
      titleOf: () => undefined,
      aroundUndo: (_uris, undo) => undo(),
      proposals: {
        storage: await openStateFile({ file: undefined, onError: assert.ifError }, storedProposal),
        keepExpired: () => Promise.reject(new Error('there is none')),
      },
      schemePrefix: `svc-test-${randomUUID().slice(0, 8)}`,
    });
  });
  afterEach(async () => {
    for (const undo of restore) undo();
    review.dispose();
    store.dispose();
    await store.flush();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(repository, { recursive: true, force: true, maxRetries: 5 });
    await temp.remove();
  });

  it('F39 comes as edits of its conversation, unsaved text included, and Undo gives every byte back', async () => {
    replaceMessages();
    const document = await vscode.workspace.openTextDocument(uriOf('a.txt'));
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uriOf('a.txt'), new vscode.Position(0, 0), 'mine\n');
    assert.ok(await vscode.workspace.applyEdit(typing));
    const before = document.getText();
    await work('a.txt', 'one\ntwo\nthree\nfour\nfive\nSIX\n');
    await work('crlf.txt', 'one\r\ntwo\r\nthree\r\n');
    await work('new.txt', 'new\n');
    await rm(path.join(folder, 'old.txt'));
    await bring();
    assert.equal(document.getText(), 'mine\none\ntwo\nthree\nfour\nfive\nSIX\n');
    assert.equal(await readFile(fileOf('crlf.txt'), 'utf8'), 'one\r\ntwo\r\nthree\r\n');
    assert.deepEqual(
      review
        .files('task')
        .map(({ uri, is }) => [path.basename(vscode.Uri.parse(uri).path), is])
        .toSorted(),
      [
        ['a.txt', undefined],
        ['crlf.txt', undefined],
        ['new.txt', 'new'],
        ['old.txt', 'deleted'],
      ],
    );
    assert.deepEqual(said, ['Brought back 4 files. Review them.']);
    assert.equal(set?.files, 0);
    await review.decideAll('undoAll', 'task');
    assert.equal(document.getText(), before);
    assert.equal(await readFile(fileOf('crlf.txt'), 'utf8'), 'one\r\ntwo\r\n');
    assert.equal(await readFile(fileOf('old.txt'), 'utf8'), 'old\n');
    await assert.rejects(stat(fileOf('new.txt')));
    // What was undone is not brought again: the patch has it.
    said = [];
    await bring();
    assert.deepEqual(said, ['There is nothing to bring back: everything is here already.']);
  });

  it('F39 shows conflicts and writes none of them', async () => {
    replaceMessages('Compare');
    await writeFile(fileOf('a.txt'), 'ONE\ntwo\nthree\nfour\nfive\nsix\n');
    await work('a.txt', '1\ntwo\nthree\nfour\nfive\nsix\n');
    await work('new.txt', 'new\n');
    await bring();
    assert.equal(await readFile(fileOf('a.txt'), 'utf8'), 'ONE\ntwo\nthree\nfour\nfive\nsix\n');
    assert.deepEqual(said, [
      'Brought back 1 file. Review it. Not brought back, your files are unchanged: a.txt (changed in both)',
    ]);
    assert.equal(set?.files, 1);
    const isCompared = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('Here ↔ Worktree');
    await waitFor('the comparison', async () => isCompared() === true);
    assert.deepEqual(
      (await worktrees.inspect(folder, signal)).changes.map((change) => change.path),
      ['a.txt'],
    );
  });

  it('F39 asks before files come that the editor obeys', async () => {
    replaceMessages('Bring Back the Others');
    await mkdir(path.join(folder, '.vscode'));
    await work('.vscode/settings.json', '{}\n');
    await work('new.txt', 'new\n');
    await bring();
    await assert.rejects(stat(fileOf('.vscode/settings.json')));
    assert.equal(await readFile(fileOf('new.txt'), 'utf8'), 'new\n');
    assert.match(said[0] ?? '', /^Some of these files are obeyed/);
  });

  it('F39 shows its changes in one editor, beside what they began with', async () => {
    replaceMessages();
    await work('a.txt', 'one\ntwo\nthree\nfour\nfive\nSIX\n');
    const baseTexts = createBaseTexts(worktrees);
    restore.push(baseTexts.dispose);
    await showWorktreeChanges(worktrees, baseTexts, { folder, repository, roots: [], files: 1 });
    const label = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label;
    await waitFor('the changes', async () => label()?.startsWith('1 file changed in the worktree') === true);
    const [change] = (await worktrees.inspect(folder, signal)).changes;
    assert.ok(change);
    const base = await vscode.workspace.openTextDocument(baseTexts.uriFor(folder, change));
    assert.equal(base.getText(), 'one\ntwo\nthree\nfour\nfive\nsix\n');
  });
});
