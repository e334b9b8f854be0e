import * as vscode from 'vscode';

export function openFiles(): string[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab) =>
      tab.input instanceof vscode.TabInputText ? [vscode.workspace.asRelativePath(tab.input.uri)] : [],
    );
}
