import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { applyPrompt, insertAtCursor } from '../../../src/vscode/chat-panel/code-block-actions.ts';
import { waitFor } from '../../vscode/wait-for.ts';

describe('code blocks of an answer', () => {
  it('F9 come into the last editor of a file while the Output panel has the focus (microsoft/vscode#313909)', async () => {
    const document = await vscode.workspace.openTextDocument({
      content: 'class A {\n    \n}\n',
      language: 'typescript',
    });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(1, 4, 1, 4);
    const channel = vscode.window.createOutputChannel('tasks of a test');
    try {
      channel.appendLine('done');
      channel.show(false);
      await waitFor('the output', () =>
        vscode.window.visibleTextEditors.some((one) => one.document.uri.scheme === 'output'),
      );
      await insertAtCursor('a() {\n  b();\n}');
      assert.equal(document.getText(), 'class A {\n    a() {\n      b();\n    }\n}\n');
      assert.doesNotMatch(applyPrompt('a() {', undefined), /tasks of a test/);
    } finally {
      channel.dispose();
      await vscode.commands.executeCommand('workbench.action.closePanel');
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });
});
