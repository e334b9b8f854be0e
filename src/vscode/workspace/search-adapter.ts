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
  regexThread: string;
  ripgrepPath(): string;
  log(line: string): void;
}

export const locateRipgrep = (configured: string) =>
  findRipgrep({
    configured,
    appRoot: vscode.env.appRoot,
    searchPath: process.env.PATH ?? '',
    platform: process.platform,
    arch: process.arch,
  });

/**
 * Searches with ripgrep where the folder is on this disk and ripgrep is found, else without. Ripgrep is located on
 * first use.
 */
export function createSearch({ workspace, files, regexThread, ripgrepPath, log }: SearchDeps): Search {
  const walkSearch = createWalkSearch({ workspace, files, regexThread });
  let probed: { configured: string; search: Promise<Search> } | undefined;

  const probe = async (configured: string): Promise<Search> => {
    const executable = await locateRipgrep(configured);
    log(executable === undefined ? 'Search: no ripgrep found, searching without it.' : `Search: ${executable}`);
    if (executable === undefined) return walkSearch;
    return withUnsaved(createRipgrepSearch({ executable, workspace, files }), { workspace, files, walk: walkSearch });
  };
  /** Ripgrep reads all files in one encoding. */
  const isSearchable = ({ root }: Place) => ripgrepEncoding(workspace.codec.settledEncoding(root) ?? '') !== undefined;
  const searchOf = async (place: Place, reads: boolean): Promise<Search> => {
    if (place.root.fsPath === undefined || (reads && !isSearchable(place))) return walkSearch;
    const configured = ripgrepPath();
    if (probed?.configured !== configured) probed = { configured, search: probe(configured) };
    return probed.search;
  };
  /**
   * A ripgrep that does not start has given no result, so the search is repeated without it. An update of the editor
   * may have moved it, so the next search locates it again.
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
