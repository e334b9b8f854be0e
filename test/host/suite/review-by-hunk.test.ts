import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createReviewByHunk } from '../../../src/features/hunk-review/vscode/review-by-hunk.ts';
import { createNodeGit } from '../../../src/tools/git/node-git.ts';
import { createEditStore, type EditStore } from '../../../src/vscode/edits/edit-store.ts';
import { undoFiles } from '../../../src/vscode/edits/undo-files.ts';
import { createCodec } from '../../../src/vscode/workspace/codec-adapter.ts';
import { type GitRepository, gitExtension, gitRepositories } from '../../../src/vscode/workspace/git-extension.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { gitIn } from '../../support/git-in.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';

interface OpensRepository {
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}
const opens = (api: object): api is OpensRepository => 'openRepository' in api;
const codec = createCodec();

describe('a review by hunk of what stands in the working tree', () => {
  let dir: TempDir;
  let store: EditStore;
  let repository: GitRepository;
  let shown = 0;
  const out = async (...args: string[]) => (await gitIn(dir.path)(...args)).stdout.trim();
  const uriOf = (name: string) => vscode.Uri.file(path.join(dir.path, name));
  const write = (name: string, text: string) => vscode.workspace.fs.writeFile(uriOf(name), Buffer.from(text));
  const read = (name: string) => readFile(path.join(dir.path, name), 'utf8');
  const old = Array.from({ length: 30 }, (_, at) => `line ${at}\n`);

  beforeEach(async () => {
    dir = await makeTempDir();
    shown = 0;
    await out('init');
    await write('a.ts', old.join(''));
    await write('crlf.ts', 'one\r\ntwo\r\n');
    await write('gone.ts', 'gone\n');
    await write('picture.bin', 'a\0b');
    await out('add', '-A');
    await out('commit', '-m', 'First');
    await write('a.ts', old.with(2, 'changed 2\n').with(20, 'changed 20\n').join(''));
    await write('crlf.ts', 'one\r\n2\r\n');
    await write('fresh.ts', 'fresh\n');
    await write('picture.bin', 'a\0c');
    await vscode.workspace.fs.delete(uriOf('gone.ts'));
    await gitRepositories();
    const api = gitExtension()?.exports.getAPI(1) ?? assert.fail('no Git extension');
    assert.ok(opens(api));
    const setting = vscode.workspace.getConfiguration('git');
    await setting.update('openRepositoryInParentFolders', 'always', vscode.ConfigurationTarget.Global);
    repository = (await api.openRepository(vscode.Uri.file(dir.path))) ?? assert.fail('not opened');
    store = await createEditStore({ file: undefined, onError: assert.fail });
  });
  afterEach(async () => {
    store.dispose();
    await vscode.commands.executeCommand('git.close', repository);
    const setting = vscode.workspace.getConfiguration('git');
    await setting.update('openRepositoryInParentFolders', undefined, vscode.ConfigurationTarget.Global);
    await dir.remove();
  });

  const review = async (argument: unknown) => {
    const { workspace } = createWorkspace(() => [
      { name: 'ws', uri: vscode.Uri.file(dir.path).toString(), fsPath: dir.path },
    ]);
    const pending = { ...store, showAll: async () => void shown++ };
    const git = createNodeGit({ gitPath: () => gitExtension()?.exports.getAPI(1).git.path });
    await createReviewByHunk({ git, workspace, pending })(argument);
  };
  const chosen = (...names: string[]) => ({ resourceStates: names.map((name) => ({ resourceUri: uriOf(name) })) });
  const all = () => chosen('a.ts', 'crlf.ts', 'gone.ts', 'fresh.ts', 'picture.bin');

  it('F48 takes changes of every kind that is text, and Undo of all leads back to the last commit byte for byte (anthropics/claude-code#33932)', async () => {
    await review(all());
    assert.equal(shown, 1);
    assert.deepEqual(
      store.all().map(({ uri, kind }) => [path.basename(uri), kind]),
      [
        ['a.ts', 'edited'],
        ['crlf.ts', 'edited'],
        ['gone.ts', 'deleted'],
        ['fresh.ts', 'created'],
      ],
    );
    assert.equal(store.hunks(uriOf('a.ts')).length, 2);
    const uris = store.all().map(({ uri }) => vscode.Uri.parse(uri, true));
    assert.deepEqual(await undoFiles({ store, codec }, uris), []);
    assert.equal(await out('status', '--porcelain'), 'M picture.bin');
    assert.deepEqual(store.all(), []);
  });

  it('F48 undoes one hunk and keeps another, and takes one file when it is asked about one', async () => {
    await review(uriOf('a.ts'));
    assert.deepEqual(
      store.all().map(({ uri }) => path.basename(uri)),
      ['a.ts'],
    );
    const [first, second] = store.hunks(uriOf('a.ts'));
    assert.ok(first && second);
    await undoFiles({ store, codec }, [uriOf('a.ts')], { hunks: [first] });
    store.keep(uriOf('a.ts'), { hunks: store.hunks(uriOf('a.ts')) });
    assert.equal(await read('a.ts'), old.with(20, 'changed 20\n').join(''));
    assert.deepEqual(store.all(), []);
  });

  it('F48 takes nothing twice, and leaves alone what is typed meanwhile', async () => {
    await review(all());
    const before = store.all().length;
    await review(all());
    assert.equal(store.all().length, before);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uriOf('a.ts'), new vscode.Position(10, 0), 'typed\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await undoFiles({ store, codec }, [uriOf('a.ts')]);
    const { document } = await vscode.window.showTextDocument(uriOf('a.ts'));
    assert.equal(document.getText(), old.toSpliced(10, 0, 'typed\n').join(''));
  });
});
