import * as vscode from 'vscode';
import { findRipgrep } from '../../files/search/find-ripgrep.ts';
import { ripgrepEncoding } from '../../files/search/ripgrep-encoding.ts';
import { createRipgrepSearch } from '../../files/search/ripgrep-search.ts';
import { withUnsaved } from '../../files/search/unsaved-search.ts';
import { createWalkSearch } from '../../files/search/walk-search.ts';
import type { Files, Place, Search, Workspace } from '../../files/workspace.ts';

export interface SearchDeps {
  workspace: Workspace;
  files: Files;
  /** The built `regex-thread.ts`. */
  regexThread: string;
  /** `svc.search.ripgrepPath`; read again at every search. */
  ripgrepPath(): string;
  log(line: string): void;
}

/** Search with ripgrep where the folder is on this disk and a ripgrep is found, else without. Looked for on first use. */
export function createSearch({ workspace, files, regexThread, ripgrepPath, log }: SearchDeps): Search {
  const walkSearch = createWalkSearch({ workspace, files, regexThread });
  let probed: { configured: string; search: Promise<Search> } | undefined;

  const probe = async (configured: string): Promise<Search> => {
    const executable = await findRipgrep({
      configured,
      appRoot: vscode.env.appRoot,
      searchPath: process.env.PATH ?? '',
      platform: process.platform,
      arch: process.arch,
    });
    log(executable === undefined ? 'Search: no ripgrep found, searching without it.' : `Search: ${executable}`);
    if (executable === undefined) return walkSearch;
    return withUnsaved(createRipgrepSearch({ executable, workspace, files }), { workspace, files, walk: walkSearch });
  };
  /** ripgrep reads all files in one encoding. */
  const isSearchable = ({ root }: Place) => ripgrepEncoding(workspace.codec.settledEncoding(root) ?? '') !== undefined;
  const searchOf = async (place: Place, reads: boolean): Promise<Search> => {
    if (place.root.fsPath === undefined || (reads && !isSearchable(place))) return walkSearch;
    const configured = ripgrepPath();
    if (probed?.configured !== configured) probed = { configured, search: probe(configured) };
    return probed.search;
  };
  /**
   * A ripgrep that does not start has given no result yet, so the search can be done again without it. It may only have moved
   * with an update of the editor, or its folder be gone: the next search looks for it again.
   */
  const withFallback = async <T>(search: Search, run: (search: Search) => Promise<T>): Promise<T> => {
    try {
      return await run(search);
    } catch (error) {
      if (!isSpawnError(error) || search === walkSearch) throw error;
      log(`Search: ripgrep did not start (${String(error)}), searching without it.`);
      probed = undefined;
      return run(walkSearch);
    }
  };
  return {
    text: async (under, query, reader, signal) =>
      withFallback(await searchOf(under, true), (search) => search.text(under, query, reader, signal)),
    files: async (under, onFile, signal) =>
      withFallback(await searchOf(under, false), (search) => search.files(under, onFile, signal)),
  };
}

function isSpawnError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn');
}
