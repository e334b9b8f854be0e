import * as vscode from 'vscode';

export interface ServedFiles extends vscode.Disposable {
  /** Its time must have increased, even within one millisecond, because editors distinguish versions by it. */
  changed(uri: vscode.Uri): void;
}

/** Serves files of a scheme that are on no disk. There are no folders; without `writeFile` all files are read-only. */
export function serveFiles(
  scheme: string,
  files: Pick<vscode.FileSystemProvider, 'stat' | 'readFile'> & Partial<Pick<vscode.FileSystemProvider, 'writeFile'>>,
): ServedFiles {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const registration = vscode.workspace.registerFileSystemProvider(
    scheme,
    {
      onDidChangeFile: changed.event,
      watch: () => new vscode.Disposable(() => undefined),
      readDirectory: refuse,
      createDirectory: refuse,
      writeFile: refuse,
      delete: refuse,
      rename: refuse,
      ...files,
    },
    { isCaseSensitive: true, isReadonly: files.writeFile === undefined },
  );
  return {
    changed: (uri) => changed.fire([{ type: vscode.FileChangeType.Changed, uri }]),
    dispose: () => vscode.Disposable.from(changed, registration).dispose(),
  };
}
