import * as vscode from 'vscode';

const scheme = 'svc-page';
const pageLanguage = 'svc-page';

export interface Pages {
  showMarkdown(name: string, markdown: string): Promise<void>;
  showText(name: string, text: string, where?: 'beside'): Promise<void>;
  showPatch(name: string, patch: string): Promise<void>;
}

export function createPages(): Pages & vscode.Disposable {
  const contents = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => contents.get(uri.path) ?? '',
  });
  const put = (file: string, text: string): vscode.Uri => {
    const uri = vscode.Uri.from({ scheme, path: `/${file}` });
    contents.set(uri.path, text);
    changed.fire(uri);
    return uri;
  };
  /**
   * Resolves when the document has the page's text. VS Code fetches it a moment after the change event, and a preview
   * that opens in between keeps the old text.
   */
  const upToDate = async (uri: vscode.Uri): Promise<void> => {
    const document = await vscode.workspace.openTextDocument(uri);
    const lines = (text = '') => text.replaceAll('\r\n', '\n');
    const isThere = () => lines(document.getText()) === lines(contents.get(uri.path));
    if (isThere()) return;
    await new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document !== document || !isThere()) return;
        listener.dispose();
        resolve();
      });
    });
  };
  return {
    async showMarkdown(name, markdown) {
      const uri = put(`${name}.md`, markdown);
      await upToDate(uri);
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    },
    async showText(name, text, where) {
      const document = await vscode.workspace.openTextDocument(put(`${name}.txt`, text));
      // Its lines are wrapped: they are to be read, also beside the chat.
      await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, pageLanguage), {
        preview: true,
        ...(where === 'beside' && { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }),
      });
    },
    async showPatch(name, patch) {
      const document = await vscode.workspace.openTextDocument(put(`${name}.diff`, patch));
      await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
    },
    dispose: () => vscode.Disposable.from(changed, registration).dispose(),
  };
}
