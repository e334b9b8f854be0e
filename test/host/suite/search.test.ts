import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createSearch } from '../../../src/vscode/search-adapter.ts';
import { createWorkspace } from '../../../src/vscode/workspace-adapter.ts';

describe('search in the real editor', () => {
  const { workspace, files } = createWorkspace();
  const file = () => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first !== undefined);
    return vscode.Uri.joinPath(first.uri, 'search-host.txt');
  };
  before(() => vscode.workspace.fs.writeFile(file(), Buffer.from('a pelican in a haystack\n')));
  after(() => vscode.workspace.fs.delete(file()));

  it("P13 F13 is done by the editor's own ripgrep, which is found without any setting", async () => {
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
    await search.text(
      { root, path: '' },
      { pattern: 'A PELICAN', regex: false, caseSensitive: false },
      () => true,
      ({ place, text }) => found.push(`${place.path}: ${text}`) > 0,
      new AbortController().signal,
    );
    assert.deepEqual(found, ['search-host.txt: a pelican in a haystack']);
    assert.equal(lines.length, 1, lines.join('\n'));
    const executable = lines[0]?.replace(/^Search: /, '') ?? '';
    assert.ok(executable.startsWith(vscode.env.appRoot + path.sep), executable);
    assert.match(path.basename(executable), /^rg(?:\.exe)?$/);
  });
});
