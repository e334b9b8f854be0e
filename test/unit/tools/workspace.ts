import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Codec } from '../../../src/files/codec.ts';
import { nodeFiles } from '../../../src/files/node-files.ts';
import { createWalkSearch } from '../../../src/files/search/walk-search.ts';
import type { Files, Search, Workspace, WorkspaceRoot } from '../../../src/files/workspace.ts';
import { createNodeCodec } from '../../support/node-codec.ts';

export const regexThread = new URL('../../../src/files/search/regex-thread.ts', import.meta.url);

export interface TestWorkspace {
  workspace: Workspace;
  files: Files;
  search: Search;
}

/** Real folders as a workspace; `unsaved` and `excludes` are given by hand. */
export function openFolders(
  folders: Readonly<Record<string, string>>,
  options: {
    unsaved?: Readonly<Record<string, string>>;
    excludes?: readonly string[];
    trusted?: () => boolean;
    codec?: Codec;
  } = {},
): TestWorkspace {
  const roots: WorkspaceRoot[] = Object.entries(folders).map(([name, fsPath]) => ({
    name,
    uri: pathToFileURL(fsPath).href,
    fsPath,
  }));
  const workspace: Workspace = {
    isTrusted: options.trusted ?? (() => true),
    roots: () => roots,
    excludes: () => options.excludes ?? [],
    unsavedText: (place) => options.unsaved?.[place.path],
    unsavedIn: (root) => Object.keys(options.unsaved ?? {}).map((name) => ({ root, path: name })),
    codec: options.codec ?? createNodeCodec(),
  };
  return { workspace, files: nodeFiles, search: createWalkSearch({ workspace, files: nodeFiles, regexThread }) };
}

/** Writes files, with the folders they need. */
export async function writeFiles(
  folder: string,
  contents: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(contents)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
