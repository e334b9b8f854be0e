import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createGit } from '../../../src/vscode/workspace/git-adapter.ts';
import { changesOfRepository } from '../../../src/vscode/workspace/repository-changes.ts';
import { createSearch } from '../../../src/vscode/workspace/search-adapter.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { gitIn } from '../../support/git-in.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

describe('search in the real editor', () => {
  const { workspace, files } = createWorkspace();
  const file = () => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first !== undefined);
    return vscode.Uri.joinPath(first.uri, 'search-host.txt');
  };
  before(() => vscode.workspace.fs.writeFile(file(), Buffer.from('a pelican in a haystack\n')));
  after(() => vscode.workspace.fs.delete(file()));

  /** `find` searches and gives what is logged meanwhile. */
  function setUp(ripgrepPath: string) {
    let lines: string[] = [];
    const search = createSearch({
      workspace,
      files,
      regexThread: '/nowhere',
      ripgrepPath: () => ripgrepPath,
      log: (line) => lines.push(line),
    });
    return async (): Promise<readonly string[]> => {
      lines = [];
      const found: string[] = [];
      const [root] = workspace.roots();
      assert.ok(root !== undefined);
      await search.text(
        { root, path: '' },
        { pattern: 'A PELICAN', regex: false, caseSensitive: false },
        { wants: () => true, onMatch: ({ place, text }) => found.push(`${place.path}: ${text}`) > 0 },
        new AbortController().signal,
      );
      assert.deepEqual(found, ['search-host.txt: a pelican in a haystack']);
      return lines;
    };
  }
  const ownRipgrep = async () => {
    const lines = await setUp('')();
    assert.equal(lines.length, 1, lines.join('\n'));
    return lines[0]?.replace(/^Search: /, '') ?? '';
  };

  it("P13 F13 is done by the editor's own ripgrep, which is found without any setting", async () => {
    const executable = await ownRipgrep();
    assert.ok(executable.startsWith(vscode.env.appRoot + path.sep), executable);
    assert.match(path.basename(executable), /^rg(?:\.exe)?$/);
  });

  it('F37 reads files as the settings say, without ripgrep where that does not know the encoding', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    const legacy = vscode.Uri.joinPath(file(), '../search-legacy.txt');
    try {
      for (const [encoding, bytes, usesRipgrep] of [
        ['windows1252', [0x66, 0xfc, 0x72, 0x0a], true],
        ['cp437', [0x66, 0x81, 0x72, 0x0a], false],
      ] as const) {
        await settings.update('encoding', encoding, vscode.ConfigurationTarget.Global);
        await vscode.workspace.fs.writeFile(legacy, Uint8Array.from(bytes));
        const lines: string[] = [];
        const search = createSearch({
          workspace,
          files,
          regexThread: '/nowhere',
          ripgrepPath: () => '',
          log: (line) => lines.push(line),
        });
        const found: string[] = [];
        const [root] = workspace.roots();
        assert.ok(root !== undefined);
        const query = { pattern: 'FÜR', regex: false, caseSensitive: false };
        const onMatch = ({ place, text }: { place: { path: string }; text: string }) =>
          found.push(`${place.path}: ${text}`) > 0;
        await search.text({ root, path: '' }, query, { wants: () => true, onMatch }, new AbortController().signal);
        assert.ok(found.includes('search-legacy.txt: für'), `${encoding}: ${found.join(', ')}`);
        assert.equal(lines.length > 0, usesRipgrep, encoding);
      }
    } finally {
      await settings.update('encoding', undefined, vscode.ConfigurationTarget.Global);
      await vscode.workspace.fs.delete(legacy);
    }
  });

  it('F13 goes on without a ripgrep that is gone, and takes it again when it is back', async () => {
    const temp = await makeTempDir();
    try {
      const own = await ownRipgrep();
      const copy = path.join(temp.path, path.basename(own));
      await copyFile(own, copy);
      const find = setUp(copy);
      assert.deepEqual(await find(), [`Search: ${copy}`]);
      await rm(copy, { maxRetries: 5 });
      assert.match((await find()).join('\n'), /^Search: ripgrep did not start/);
      await copyFile(own, copy);
      assert.deepEqual(await find(), [`Search: ${copy}`]);
      assert.deepEqual(await find(), []);
    } finally {
      await temp.remove();
    }
  });

  it('E11 F13 finds what is typed in a document that is not saved', async () => {
    const document = await vscode.workspace.openTextDocument(file());
    const edit = new vscode.WorkspaceEdit();
    edit.insert(file(), new vscode.Position(0, 0), 'a flamingo\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(document.isDirty);
    try {
      const search = createSearch({ workspace, files, regexThread: '/nowhere', ripgrepPath: () => '', log: () => {} });
      const [root] = workspace.roots();
      assert.ok(root !== undefined);
      const found: string[] = [];
      await search.text(
        { root, path: '' },
        { pattern: 'flamingo', regex: false, caseSensitive: false },
        { wants: () => true, onMatch: ({ place, text }) => found.push(`${place.path}: ${text}`) > 0 },
        new AbortController().signal,
      );
      assert.deepEqual(found, ['search-host.txt: a flamingo']);
    } finally {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
  });

  it('E11 tells of a new file of a repository as it is typed, and nothing of what a link leads to', async () => {
    const temp = await makeTempDir();
    try {
      const folder = path.join(temp.path, 'repository');
      await mkdir(folder);
      await gitIn(folder)('init');
      const fresh = vscode.Uri.file(path.join(folder, 'fresh.txt'));
      await vscode.workspace.fs.writeFile(fresh, Buffer.from('stored\n'));
      await writeFile(path.join(temp.path, 'outside.txt'), 'outside\n');
      if (process.platform !== 'win32') await symlink('../outside.txt', path.join(folder, 'link.txt'));
      const document = await vscode.workspace.openTextDocument(fresh);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(fresh, new vscode.Position(0, 0), 'typed\n');
      assert.ok(await vscode.workspace.applyEdit(edit));
      const repository = {
        rootUri: vscode.Uri.file(folder),
        inputBox: { value: '' },
        state: {
          indexChanges: [],
          workingTreeChanges: [],
          HEAD: undefined,
          onDidChange: () => new vscode.Disposable(() => undefined),
        },
      };
      const { text } = await changesOfRepository(
        createGit(),
        {
          ...repository,
          log: async () => [],
          show: async () => '',
          status: async () => undefined,
          add: async () => undefined,
        },
        false,
        new AbortController().signal,
      );
      assert.match(text, /typed/);
      assert.doesNotMatch(text, /^\+?outside/m);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    } finally {
      await temp.remove();
    }
  });
});
