import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type CodeColoring, createCodeColoring } from '../../../src/vscode/chat-panel/code-coloring.ts';
import { waitFor } from '../../vscode/wait-for.ts';

describe('colours of code in the real editor', () => {
  let coloring: CodeColoring;
  const errors: unknown[] = [];
  before(() => {
    const extension = vscode.extensions.all.find(({ packageJSON }) => packageJSON.name === 'svc-assistant');
    assert.ok(extension);
    coloring = createCodeColoring(extension.extensionUri, { error: (line, error) => errors.push(line, error) });
  });
  after(() => coloring.dispose());
  let block = 0;
  const color = (language: string, text: string, theme = 'Dark Modern') =>
    coloring.color({ block: `block-${block++}`, language, theme, from: 0, text });
  const colorOf = async (language: string, text: string, theme?: string) => {
    const colored = await color(language, text, theme);
    return colored?.colors[(colored.lines[0]?.[1] ?? 0) >> 4];
  };

  it('finds the grammar by id, alias and file ending, in the extensions that are installed', async () => {
    for (const name of [
      'ts',
      'typescript',
      'TypeScript',
      'tsx',
      'js',
      'python',
      'py',
      'sh',
      'bash',
      'rust',
      'css',
      'c++',
      'yml',
    ]) {
      assert.notEqual(await color(name, 'x'), undefined, `${name}: ${errors.join()}`);
    }
    assert.equal(await color('no-such-language', 'x'), undefined);
    assert.deepEqual(errors, []);
  });

  it('takes the colours of the theme that is named, or of one of the same kind', async () => {
    const modern = await waitFor('a colour', () => colorOf('ts', 'return 1'));
    assert.match(modern, /^#/);
    assert.notEqual(await colorOf('ts', 'return 1', 'Solarized Light'), modern);
    assert.match((await colorOf('ts', 'return 1', 'A theme of another machine')) ?? '', /^#/);
    assert.deepEqual(errors, []);
  });

  it('follows the user’s own rules as soon as they are set', async () => {
    const changed = new Promise<void>((resolve) => {
      const listening = coloring.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
    const settings = vscode.workspace.getConfiguration('editor');
    await settings.update('tokenColorCustomizations', { keywords: '#ABCDEF' }, vscode.ConfigurationTarget.Global);
    try {
      await changed;
      // The first line also pays for the patterns, and is left plain when that takes a busy machine too long.
      await waitFor('the colour', async () => (await colorOf('ts', 'const a = 1')) === '#ABCDEF');
    } finally {
      await settings.update('tokenColorCustomizations', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
