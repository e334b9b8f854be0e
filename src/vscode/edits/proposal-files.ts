import * as vscode from 'vscode';
import { serveFiles } from '../workspace/serve-files.ts';

/** Holds editable files in memory, for the right side of a proposal's diff. Nothing reaches the disk. */
export function createProposalFiles(scheme: string, newId: () => string) {
  const files = new Map<string, { bytes: Uint8Array; mtime: number; ctime: number }>();
  const fileAt = (uri: vscode.Uri) => {
    const file = files.get(uri.path);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  };
  const served = serveFiles(scheme, {
    stat(uri) {
      const { bytes, mtime, ctime } = fileAt(uri);
      return { type: vscode.FileType.File, size: bytes.length, mtime, ctime };
    },
    readFile: (uri) => fileAt(uri).bytes,
    writeFile(uri, bytes) {
      const file = fileAt(uri);
      files.set(uri.path, { ...file, bytes, mtime: file.mtime + 1 });
      served.changed(uri);
    },
  });
  const addAgain = (uri: vscode.Uri, text: Uint8Array) => {
    const now = Date.now();
    // With a byte order mark the editor reads it as UTF-8, whatever `files.encoding` says of other files.
    const bytes = Buffer.concat([Buffer.from('\ufeff'), text]);
    files.set(uri.path, { bytes, mtime: now, ctime: now });
  };
  return {
    add(name: string, bytes: Uint8Array): vscode.Uri {
      const uri = vscode.Uri.from({ scheme, path: `/${newId()}/${name}` });
      addAgain(uri, bytes);
      return uri;
    },
    addAgain,
    remove: (uri: vscode.Uri) => void files.delete(uri.path),
    dispose: served.dispose,
  };
}
