import * as vscode from 'vscode';

/**
 * An input box that stays when the focus goes elsewhere, so that what was typed is not lost; undefined when it was left with Escape.
 * VS Code gives the focus back to a page a moment after the palette or a list has closed, and a box that came meanwhile would close.
 */
export async function askText(options: vscode.InputBoxOptions): Promise<string | undefined> {
  return vscode.window.showInputBox({ ...options, ignoreFocusOut: true });
}
