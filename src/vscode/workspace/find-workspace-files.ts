import * as vscode from 'vscode';
import { createGlob } from '../../files/glob.ts';
import type { Place, Search, WorkspaceRoot } from '../../files/workspace.ts';
import { placeIn } from './place-uri.ts';

/** The user waits for this walk, so in a larger virtual folder only the files found by then count. */
const maxWalkMs = 2000;

export interface FileQuery {
  root: WorkspaceRoot;
  glob: string;
  /**
   * Uses the syntax of `vscode.workspace.findFiles`; when absent, the settings' excludes apply. Files that git
   * ignores may be among the results either way.
   */
  exclude?: string;
  maxFiles: number;
}

/**
 * Finds files of one root, in no order. `vscode.workspace.findFiles` waits forever where no extension provides a
 * search, so a folder that is not on this disk is walked instead.
 */
export async function findWorkspaceFiles(search: Search, query: FileQuery): Promise<Place[]> {
  return query.root.fsPath === undefined ? walkFor(search, query) : lookFor(query);
}

async function lookFor({ root, glob, exclude, maxFiles }: FileQuery): Promise<Place[]> {
  const base = vscode.Uri.parse(root.uri);
  const found = await vscode.workspace.findFiles(new vscode.RelativePattern(base, glob), exclude, maxFiles);
  return found.flatMap((uri) => placeIn(root, uri) ?? []);
}

async function walkFor(search: Search, { root, glob, maxFiles }: FileQuery): Promise<Place[]> {
  const matches = createGlob(glob);
  const found: Place[] = [];
  const onFile = (place: Place) => {
    if (matches?.(place.path)) found.push(place);
    return found.length < maxFiles;
  };
  await search.files({ root, path: '' }, onFile, AbortSignal.timeout(maxWalkMs));
  return found;
}
