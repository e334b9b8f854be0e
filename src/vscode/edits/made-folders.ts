import * as vscode from 'vscode';
import type { Place } from '../../files/workspace.ts';
import { statOf, uriOfPlace } from '../workspace/place-uri.ts';

/** Resolves with the folders that creating this file will make, as paths in its root, the outermost first. */
export async function missingFolders({ root, path }: Place): Promise<string[]> {
  const parts = path.split('/').slice(0, -1);
  const missing: string[] = [];
  for (; parts.length > 0; parts.pop()) {
    const folder = parts.join('/');
    if ((await statOf(uriOfPlace({ root, path: folder }))) !== undefined) break;
    missing.unshift(folder);
  }
  return missing;
}

/**
 * Removes those of the folders that are empty by now; `made` may be in any order. It never rejects, because a
 * leftover folder does no harm.
 */
export async function removeEmptyFolders(made: readonly vscode.Uri[]): Promise<void> {
  // The longer path is the inner one.
  for (const folder of made.toSorted((one, other) => other.path.length - one.path.length)) {
    try {
      const { type } = await vscode.workspace.fs.stat(folder);
      const isEmpty =
        type === vscode.FileType.Directory && (await vscode.workspace.fs.readDirectory(folder)).length === 0;
      if (isEmpty) await vscode.workspace.fs.delete(folder, { recursive: false, useTrash: false });
    } catch {
      // Gone already, or something came into it just now.
    }
  }
}
