import * as vscode from 'vscode';

/**
 * Opens an input box that stays when the focus moves, so that the typed text is not lost. VS Code returns the focus
 * to a page a moment after the palette or a list has closed, which would close an ordinary box. Resolves with
 * undefined after Escape.
 */
export async function askText(options: vscode.InputBoxOptions): Promise<string | undefined> {
  return vscode.window.showInputBox({ ...options, ignoreFocusOut: true });
}
