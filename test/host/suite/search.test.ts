import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createSearch } from '../../../src/vscode/search-adapter.ts';
import { createWorkspace } from '../../../src/vscode/workspace-adapter.ts';
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
        () => true,
        ({ place, text }) => found.push(`${place.path}: ${text}`) > 0,
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
});
