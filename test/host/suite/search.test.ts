import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createSearch } from '../../../src/vscode/workspace/search-adapter.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
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
});
