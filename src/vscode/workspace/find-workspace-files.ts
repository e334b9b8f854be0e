import * as vscode from 'vscode';
import { createGlob } from '../../files/glob.ts';
import type { Place, Search, WorkspaceRoot } from '../../files/workspace.ts';
import { placeIn } from './place-uri.ts';

/** Somebody waits for it: of a virtual folder that is larger, what was found by then counts. */
const maxWalkMs = 2000;

export interface FileQuery {
  root: WorkspaceRoot;
  /** Matched against the path below the root. */
  glob: string;
  /** As for `vscode.workspace.findFiles`; without one, what the settings exclude. Nowhere is what git ignores promised. */
  exclude?: string;
  maxFiles: number;
}

/**
 * `vscode.workspace.findFiles` of one root, in no order. Where no extension offers a search it waits for one for ever, so a
 * folder that is not on this disk is walked instead.
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
