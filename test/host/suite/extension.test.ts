import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

describe('the extension', () => {
  it('is there under its published id', () => {
    assert.ok(vscode.extensions.getExtension('svc.svc-assistant'));
  });

  it('activates', async () => {
    const extension = vscode.extensions.getExtension('svc.svc-assistant');
    await extension?.activate();
    assert.equal(extension?.isActive, true);
  });

  it('opens the chat', async () => {
    await vscode.commands.executeCommand('svc.openChat');
  });

  it('N12 runs beside the node extension host, not in the browser', () => {
    assert.equal(vscode.env.uiKind, vscode.UIKind.Web);
    assert.equal(vscode.extensions.getExtension('svc.svc-assistant')?.extensionKind, vscode.ExtensionKind.Workspace);
  });
});
