import * as vscode from 'vscode';
import { openDocument } from '../workspace/place-uri.ts';

/** Serves read-only documents with the text before an edit, for the left side of VS Code's diff. */
export interface OriginalDocuments extends vscode.Disposable {
  /**
   * Returns the document for `target` without the edits of the given conversation, or without any edits. Its path
   * gives the diff its language.
   */
  uriFor(target: vscode.Uri, conversationId?: string): vscode.Uri;
  refresh(): void;
}

export function originalUri(scheme: string, target: vscode.Uri, conversationId = ''): vscode.Uri {
  return vscode.Uri.from({ scheme, path: target.path, query: target.toString(), fragment: conversationId });
}

export function createOriginalDocuments(
  scheme: string,
  textOf: (target: vscode.Uri, conversationId: string | undefined) => string | undefined,
): OriginalDocuments {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  // Once all is decided, a diff that is still open has no differences; a file that is gone stays as it was shown.
  const textFor = (uri: vscode.Uri) => {
    const target = vscode.Uri.parse(uri.query, true);
    return textOf(target, uri.fragment || undefined) ?? (openDocument(target) ?? openDocument(uri))?.getText() ?? '';
  };
  // With a mark the editor reads it as UTF-8, whatever `files.encoding` says of other files.
  const bytesFor = (uri: vscode.Uri) => Buffer.from(`\ufeff${textFor(uri)}`);
  let mtime = Date.now();
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  // Files, not just texts of a content provider: VS Code forgets a diff with one of those when the window is reloaded.
  const registration = vscode.workspace.registerFileSystemProvider(
    scheme,
    {
      onDidChangeFile: changed.event,
      watch: () => new vscode.Disposable(() => undefined),
      stat: (uri) => {
        const { length: size } = bytesFor(uri);
        return { type: vscode.FileType.File, size, mtime, ctime: 0, permissions: vscode.FilePermission.Readonly };
      },
      readFile: bytesFor,
      readDirectory: refuse,
      createDirectory: refuse,
      writeFile: refuse,
      delete: refuse,
      rename: refuse,
    },
    { isCaseSensitive: true, isReadonly: true },
  );
  return {
    uriFor: (target, conversationId) => originalUri(scheme, target, conversationId),
    refresh() {
      for (const document of vscode.workspace.textDocuments) {
        const { uri } = document;
        // Called at every key: the diff is made anew only when its left side changed.
        if (uri.scheme !== scheme || document.getText() === textFor(uri)) continue;
        // The time must increase even within one millisecond, because editors distinguish versions by it.
        mtime = Math.max(mtime + 1, Date.now());
        changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      }
    },
    dispose: () => vscode.Disposable.from(changed, registration).dispose(),
  };
}
