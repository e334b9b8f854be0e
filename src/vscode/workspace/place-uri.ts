import * as vscode from 'vscode';
import type { Place, Workspace, WorkspaceRoot } from '../../files/workspace.ts';

export function uriOfPlace({ root, path }: Place): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.parse(root.uri), path);
}

export function placeOf(workspace: Workspace, uri: vscode.Uri): Place | undefined {
  for (const root of workspace.roots()) {
    const place = placeIn(root, uri);
    if (place !== undefined) return place;
  }
  return undefined;
}

export function placeIn(root: WorkspaceRoot, uri: vscode.Uri): Place | undefined {
  const path = pathIn(vscode.Uri.parse(root.uri), uri);
  return path ? { root, path } : undefined;
}

/** Returns the path from the folder to the URI, empty for the folder itself and undefined for anything outside. */
export function pathIn(folder: vscode.Uri, uri: vscode.Uri): string | undefined {
  if (folder.scheme !== uri.scheme || folder.authority !== uri.authority) return undefined;
  const [outer, inner] = [folder, uri].map(({ path }) => path.replace(/\/$/, '')) as [string, string];
  if (!`${sameDrive(inner)}/`.startsWith(`${sameDrive(outer)}/`)) return undefined;
  return inner.slice(outer.length + 1);
}

/** Different parts of the editor write `/C:/` and `/c:/` for the same drive. */
function sameDrive(path: string): string {
  return path.replace(/^\/[A-Za-z]:/, (drive) => drive.toLowerCase());
}

export async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Rejects for a file of more than 64 MB: a command may have made one where an edit was. */
export async function bytesOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > 64 * 1024 * 1024) throw vscode.FileSystemError.Unavailable(uri);
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
}

export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === wanted);
}
