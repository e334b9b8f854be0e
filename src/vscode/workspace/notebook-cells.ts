import * as vscode from 'vscode';

export function cellOf(uri: vscode.Uri): vscode.NotebookCell | undefined {
  if (uri.scheme !== 'vscode-notebook-cell') return undefined;
  return vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find(({ document }) => document.uri.toString() === uri.toString());
}

export function openNotebook(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((one) => !one.isClosed && one.uri.toString() === uri.toString());
}

export function nameOfDocument({ uri }: vscode.TextDocument): string {
  const cell = cellOf(uri);
  if (cell === undefined) return vscode.workspace.asRelativePath(uri);
  return vscode.l10n.t('{0}, cell {1}', vscode.workspace.asRelativePath(cell.notebook.uri), cell.index + 1);
}
