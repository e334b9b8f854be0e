import * as vscode from 'vscode';

/** Read-only documents with the text before an edit: the left side of VS Code's own diff. */
export interface OriginalDocuments extends vscode.Disposable {
  /** The document for what stands for `target`; its path gives the diff its language. */
  uriFor(target: vscode.Uri): vscode.Uri;
  /** Texts may have changed: open ones are read again. */
  refresh(): void;
}

export function createOriginalDocuments(
  scheme: string,
  textOf: (target: vscode.Uri) => string | undefined,
): OriginalDocuments {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const textFor = (uri: vscode.Uri) => textOf(vscode.Uri.parse(uri.query, true)) ?? '';
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: textFor,
  });
  return {
    uriFor: (target) => vscode.Uri.from({ scheme, path: target.path, query: target.toString() }),
    refresh() {
      for (const document of vscode.workspace.textDocuments) {
        const { uri } = document;
        // Called at every key: the diff is made anew only when its left side changed.
        if (uri.scheme === scheme && document.getText() !== textFor(uri)) changed.fire(uri);
      }
    },
    dispose: () => vscode.Disposable.from(changed, registration).dispose(),
  };
}
