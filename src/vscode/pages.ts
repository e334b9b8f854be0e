import * as vscode from 'vscode';

const scheme = 'svc-page';

/** Read-only pages that the product writes (capabilities, service check): native documents, no webview. */
export interface Pages {
  /** Shows `markdown` in VS Code's own preview, replacing an earlier page of that name. */
  show(name: string, markdown: string): Promise<void>;
}

export function createPages(): Pages & vscode.Disposable {
  const contents = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => contents.get(uri.path) ?? '',
  });
  return {
    async show(name, markdown) {
      const uri = vscode.Uri.from({ scheme, path: `/${name}.md` });
      contents.set(uri.path, markdown);
      changed.fire(uri);
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    },
    dispose: () => vscode.Disposable.from(changed, registration).dispose(),
  };
}
