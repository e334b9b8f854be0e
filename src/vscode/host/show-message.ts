import * as vscode from 'vscode';

/** A notification that nobody has to answer. */
export function showMessage(text: string): void {
  void vscode.window.showInformationMessage(text);
}
