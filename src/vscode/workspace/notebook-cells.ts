import * as vscode from 'vscode';

/** The cell whose text this is; undefined for everything that is no open cell. */
export function cellOf(uri: vscode.Uri): vscode.NotebookCell | undefined {
  if (uri.scheme !== 'vscode-notebook-cell') return undefined;
  return vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find(({ document }) => document.uri.toString() === uri.toString());
}

/** The notebook that an editor shows, by the address of its file. */
export function openNotebook(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((one) => !one.isClosed && one.uri.toString() === uri.toString());
}

/** The path as people see it; a cell is named by its notebook and its place in it. */
export function nameOfDocument({ uri }: vscode.TextDocument): string {
  const cell = cellOf(uri);
  if (cell === undefined) return vscode.workspace.asRelativePath(uri);
  return vscode.l10n.t('{0}, cell {1}', vscode.workspace.asRelativePath(cell.notebook.uri), cell.index + 1);
}
