import * as vscode from 'vscode';

export function showMessage(text: string): void {
  void vscode.window.showInformationMessage(text);
}
