import * as vscode from 'vscode';

export function showMessage(text: string): undefined {
  void vscode.window.showInformationMessage(text);
}

export function showWarning(text: string): undefined {
  void vscode.window.showWarningMessage(text);
}
