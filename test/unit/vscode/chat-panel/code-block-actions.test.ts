import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createDocument, reset, Selection, Uri, window, workspace } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { applyPrompt, insertAtCursor } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/code-block-actions.ts')
>(new URL('../../../../src/vscode/chat-panel/code-block-actions.ts', import.meta.url));

/** An editor whose cursor is at the end of the first line; what is inserted there is noted. */
function editorOf(uri: Uri, line: string) {
  const inserted: string[] = [];
  const document = { ...createDocument(uri.path, line), uri, lineAt: () => ({ text: line }) };
  const selection = new Selection(0, line.length, 0, line.length);
  const edit = async (change: (builder: { replace(place: unknown, text: string): void }) => void) => {
    change({ replace: (_, text) => inserted.push(text) });
    return true;
  };
  return { document, selection, selections: [selection], edit, inserted };
}

describe('what is done with a code block', () => {
  beforeEach(() => {
    reset();
    Object.assign(workspace.fs, { isWritableFileSystem: (scheme: string) => (scheme === 'file' ? true : undefined) });
  });

  it('F9 is meant for the last editor of a file, whatever else has the focus (microsoft/vscode#313909)', async () => {
    const printed = editorOf(Uri.parse('output:tasks'), '');
    const code = editorOf(Uri.file('/ws/src/a.ts'), '');
    Object.assign(window, { activeTextEditor: printed, visibleTextEditors: [printed, code] });
    await insertAtCursor('const a = 1;');
    assert.deepEqual([printed.inserted, code.inserted], [[], ['const a = 1;']]);
    assert.match(applyPrompt('const a = 1;', undefined), /a\.ts/);
  });

  it('F9 has the depth of the line that it comes into', async () => {
    const block = '  if (a) {\n    b();\n\n  }';
    for (const [line, expected] of [
      ['\t\t', 'if (a) {\n\t\t  b();\n\n\t\t}'],
      ['', block],
      ['x = ', block],
    ] as const) {
      const code = editorOf(Uri.file('/ws/src/a.ts'), line);
      Object.assign(window, { activeTextEditor: code, visibleTextEditors: [] });
      await insertAtCursor(block);
      assert.deepEqual(code.inserted, [expected]);
    }
  });
});
