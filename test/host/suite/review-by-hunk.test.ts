import assert from 'node:assert/strict';
import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createEndWithCommit } from '../../../src/features/hunk-review/vscode/end-with-commit.ts';
import { createMarkedState, type MarkedState } from '../../../src/features/hunk-review/vscode/marked-state.ts';
import { createStagingOffer } from '../../../src/features/hunk-review/vscode/offer-staging.ts';
import { createReviewByHunk } from '../../../src/features/hunk-review/vscode/review-by-hunk.ts';
import { createNodeGit } from '../../../src/tools/git/node-git.ts';
import { createEditStore, type EditStore } from '../../../src/vscode/edits/edit-store.ts';
import { undoFiles } from '../../../src/vscode/edits/undo-files.ts';
import type { ReviewBase } from '../../../src/vscode/host/settings.ts';
import { createCodec } from '../../../src/vscode/workspace/codec-adapter.ts';
import { type GitRepository, gitExtension, gitRepositories } from '../../../src/vscode/workspace/git-extension.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { gitIn } from '../../support/git-in.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { createMemento } from '../../unit/vscode/memento.ts';
import { waitFor } from '../../vscode/wait-for.ts';

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
    base = 'head';
    reviewNow = open();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) one.dispose();
    store.dispose();
    await vscode.commands.executeCommand('git.close', repository);
    const setting = vscode.workspace.getConfiguration('git');
    await setting.update('openRepositoryInParentFolders', undefined, vscode.ConfigurationTarget.Global);
    await dir.remove();
  });

  let marked: MarkedState;
  let base: ReviewBase = 'head';
  const opened: vscode.Disposable[] = [];
  const open = () => {
    const { workspace, files } = createWorkspace(() => [
      { name: 'ws', uri: vscode.Uri.file(dir.path).toString(), fsPath: dir.path },
    ]);
    const pending = { ...store, showAll: async () => void shown++ };
    const git = createNodeGit({ gitPath: () => gitExtension()?.exports.getAPI(1).git.path });
    const log = { error: (line: string, error?: unknown) => assert.fail(`${line} ${error}`) };
    marked = createMarkedState({ workspace, files, dir: path.join(dir.path, '.git', 'marks') });
    const { follow, dispose } = createEndWithCommit({ git, pending, log });
    const staging = createStagingOffer(pending);
    opened.push({ dispose }, staging, marked);
    const settings = {
      reviewBase: () => base,
      setReviewBase: async (chosen: ReviewBase) => {
        base = chosen;
      },
    };
    return createReviewByHunk({
      git,
      workspace,
      pending,
      settings,
      state: createMemento(),
      marked,
      follow,
      offerStaging: staging.offerStaging,
    });
  };
  let reviewNow: ReturnType<typeof open>;
  const review = (argument: unknown) => reviewNow(argument);
  /** Picks the row with these words, and returns all rows. */
  const picking = async (words: string, run: () => Promise<void>): Promise<string[]> => {
    const { showQuickPick } = vscode.window;
    let labels: string[] = [];
    const pick = async (rows: readonly { label: string }[]) => {
      labels = rows.map(({ label }) => label);
      return rows.find(({ label }) => label.includes(words));
    };
    Object.assign(vscode.window, { showQuickPick: pick });
    try {
      await run();
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    return labels;
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

  it('F48 shows what changed since a mark, also what was uncommitted at it, without Git, and once', async () => {
    await picking('Mark This State', () => review(undefined));
    await write('a.ts', old.with(2, 'changed 2\n').with(20, 'changed twice\n').join(''));
    await write('later.ts', 'later\n');
    await vscode.workspace.fs.delete(uriOf('fresh.ts'));
    const rows = await picking('Since the State Marked', () => review(undefined));
    assert.match(rows[0] ?? '', /^Since the State Marked at /);
    const taken = () => store.all().map(({ uri, kind }) => [path.basename(uri), kind]);
    assert.deepEqual(taken().toSorted(), [
      ['a.ts', 'edited'],
      ['fresh.ts', 'deleted'],
      ['later.ts', 'created'],
    ]);
    assert.equal(store.hunks(uriOf('a.ts')).length, 1);
    const uris = store.all().map(({ uri }) => vscode.Uri.parse(uri, true));
    assert.deepEqual(await undoFiles({ store, codec }, uris), []);
    assert.equal(await read('a.ts'), old.with(2, 'changed 2\n').with(20, 'changed 20\n').join(''));
    assert.equal(await read('fresh.ts'), 'fresh\n');
    assert.equal(marked.markedAt(), undefined);
  });

  it('F48 leaves out what is staged where that was chosen last, and remembers it for a file (backnotprop/plannotator#521, persiyanov/herdr-reviewr#51)', async () => {
    await write('a.ts', old.with(2, 'changed 2\n').join(''));
    await out('add', 'a.ts');
    await write('a.ts', old.with(2, 'changed 2\n').with(20, 'changed 20\n').join(''));
    await picking('Only What Is Not Staged', () => review(undefined));
    assert.equal(base, 'index');
    assert.equal(store.hunks(uriOf('a.ts')).length, 1);
    store.keep(uriOf('a.ts'));
    await review(uriOf('a.ts'));
    assert.equal(store.hunks(uriOf('a.ts')).length, 1);
  });

  it('F48 takes a folder that a menu was opened on, and nothing beside it (tpope/vim-fugitive#1683)', async () => {
    await write('src/deep/one.ts', 'one\n');
    await write('src2/two.ts', 'two\n');
    await review(uriOf('src'));
    assert.deepEqual(
      store.all().map(({ uri }) => path.basename(uri)),
      ['one.ts'],
    );
  });

  it('F48 ends with a commit for what stands in it, and goes on for the rest', async () => {
    await review(all());
    await out('add', 'crlf.ts', 'fresh.ts', 'gone.ts');
    await out('commit', '-m', 'Second');
    await repository.status();
    const names = () => store.all().map(({ uri }) => path.basename(uri));
    await waitFor('the end of what is committed', () => names().length === 1 && names()[0] === 'a.ts');
    assert.equal(await read('crlf.ts'), 'one\r\n2\r\n');
    assert.equal(store.hunks(uriOf('a.ts')).length, 2);
  });

  it('F48 offers to stage what was kept of what was not staged, and stages no hunk that was undone', async () => {
    const { showInformationMessage } = vscode.window;
    const offered: string[] = [];
    const answer = async (text: string, ...buttons: string[]) => {
      offered.push(text);
      return buttons[0];
    };
    Object.assign(vscode.window, { showInformationMessage: answer });
    try {
      base = 'index';
      await review(chosen('a.ts', 'crlf.ts', 'fresh.ts'));
      const [first] = store.hunks(uriOf('a.ts'));
      assert.ok(first);
      await undoFiles({ store, codec }, [uriOf('a.ts')], { hunks: [first] });
      await undoFiles({ store, codec }, [uriOf('crlf.ts')]);
      for (const name of ['a.ts', 'fresh.ts']) store.keep(uriOf(name));
      const staged = () => out('diff', '--cached', '--name-only');
      await waitFor('what is staged', async () => (await staged()) === 'a.ts\nfresh.ts');
      assert.deepEqual(offered, ['2 files are reviewed.']);
      assert.match(await out('diff', '--cached', 'a.ts'), /changed 20/);
      assert.doesNotMatch(await out('diff', '--cached', 'a.ts'), /changed 2$/m);
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
  });

  it('F48 parks what a stash takes away, and has it again when it is popped', async () => {
    // Outside of the workspace, the editor follows only what is open.
    await vscode.window.showTextDocument(uriOf('a.ts'));
    await review(chosen('a.ts'));
    await out('stash');
    await waitFor('the end of the hunks', () => store.hunks(uriOf('a.ts')).length === 0);
    await out('stash', 'pop');
    await waitFor('the hunks', () => store.hunks(uriOf('a.ts')).length === 2);
  });

  it('F48 names and leaves alone what has no lines to decide on: a mode, a repository in it, a conflict', async () => {
    await out('checkout', '--force', 'HEAD');
    await out('clean', '-fdq');
    await out('init', 'inner');
    await out('-C', 'inner', 'commit', '--allow-empty', '-m', 'Inner');
    await out('-c', 'protocol.file.allow=always', 'submodule', 'add', './inner', 'sub');
    await out('commit', '-m', 'Submodule');
    await out('-C', 'sub', 'commit', '--allow-empty', '-m', 'Moved');
    await out('checkout', '-b', 'other', 'HEAD');
    await write('a.ts', old.with(5, 'theirs\n').join(''));
    await out('commit', '-m', 'Theirs', 'a.ts');
    await out('checkout', '-');
    await write('a.ts', old.with(5, 'ours\n').join(''));
    await out('commit', '-m', 'Ours', 'a.ts');
    await out('merge', 'other').catch(() => undefined);
    await chmod(path.join(dir.path, 'crlf.ts'), 0o755);
    const { showInformationMessage } = vscode.window;
    const said: string[] = [];
    Object.assign(vscode.window, { showInformationMessage: async (text: string) => void said.push(text) });
    try {
      for (base of ['head', 'index'] as const) await review(chosen('a.ts', 'crlf.ts', 'sub'));
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
    const text = await read('a.ts');
    const taken = store.all().map(({ uri }) => path.basename(uri));
    assert.deepEqual(
      [taken.filter((name) => name !== 'a.ts'), said.join('\n').includes('sub')],
      [[], true],
      said.join('\n'),
    );
    await undoFiles({ store, codec }, [uriOf('a.ts')]);
    const now = await read('a.ts');
    assert.ok(now === text || now === old.with(5, 'ours\n').join(''), now);
  });
});
