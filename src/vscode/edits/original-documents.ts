import * as vscode from 'vscode';
import { openDocument } from '../workspace/place-uri.ts';
import { serveFiles } from '../workspace/serve-files.ts';

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
  // Once all is decided, a diff that is still open has no differences; a file that is gone stays as it was shown.
  const textFor = (uri: vscode.Uri) => {
    const target = vscode.Uri.parse(uri.query, true);
    return textOf(target, uri.fragment || undefined) ?? (openDocument(target) ?? openDocument(uri))?.getText() ?? '';
  };
  // With a mark the editor reads it as UTF-8, whatever `files.encoding` says of other files.
  const bytesFor = (uri: vscode.Uri) => Buffer.from(`\ufeff${textFor(uri)}`);
  let mtime = Date.now();
  // Files, not just texts of a content provider: VS Code forgets a diff with one of those when the window is reloaded.
  const served = serveFiles(scheme, {
    stat: (uri) => {
      const { length: size } = bytesFor(uri);
      return { type: vscode.FileType.File, size, mtime, ctime: 0, permissions: vscode.FilePermission.Readonly };
    },
    readFile: bytesFor,
  });
  return {
    uriFor: (target, conversationId) => originalUri(scheme, target, conversationId),
    refresh() {
      for (const document of vscode.workspace.textDocuments) {
        const { uri } = document;
        // Called at every key: the diff is made anew only when its left side changed.
        if (uri.scheme !== scheme || document.getText() === textFor(uri)) continue;
        mtime = Math.max(mtime + 1, Date.now());
        served.changed(uri);
      }
    },
    dispose: served.dispose,
  };
}
