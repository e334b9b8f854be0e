import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toolSpecs } from '../../../src/tools/all-tools.ts';

async function invoke(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe('our tools in VS Code', () => {
  it('F29 are listed for every chat', () => {
    const names = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('svc_'));
    const looking = toolSpecs
      .filter(({ access, kind }) => access === 'read' && kind !== 'subagent')
      .map(({ name }) => `svc_${name}`);
    assert.deepEqual(names.toSorted(), looking.toSorted());
  });

  it('F29 look at the workspace', async () => {
    assert.match(await invoke('svc_list_directory', {}), /README\.md/);
    assert.match(await invoke('svc_find_files', { pattern: '*.md' }), /README\.md/);
    assert.match(await invoke('svc_read_file', { path: 'README.md', endLine: 3 }), /1/);
  });

  it('F29 X05 tell what is wrong with a call', async () => {
    await assert.rejects(invoke('svc_read_file', { path: 'no-such-file.txt' }), /no-such-file/);
  });
});
