import path from 'node:path';
import { writeOutInvisible } from '../shared/invisible-signs.ts';
import type { Codec } from './codec.ts';

/** Ports of the tools to the editor and the disk. `vscode/workspace/workspace-adapter.ts` and plain Node in tests implement them. */

export interface WorkspaceRoot {
  /** Unique among the roots; the first part of a path when there are several. */
  name: string;
  /** Names the folder to the adapter. */
  uri: string;
  /** Absolute path on this machine's disk; absent for folders that are not files here. */
  fsPath?: string;
}

/** A file or folder inside a root. `path` has `/` between its parts and no `.` or `..`; it is empty for the root itself. */
export interface Place {
  root: WorkspaceRoot;
  path: string;
}

export interface Workspace {
  /** Asked at every call: no tool runs in Restricted Mode. */
  isTrusted(): boolean;
  roots(): readonly WorkspaceRoot[];
  /** Globs that `files.exclude` and `search.exclude` switch on. */
  excludes(root: WorkspaceRoot): readonly string[];
  /** The text of an open document with unsaved changes. */
  unsavedText(place: Place): string | undefined;
  /** Open documents below a folder of the workspace that have unsaved changes. */
  unsavedIn(root: WorkspaceRoot): readonly Place[];
  codec: Codec;
}

export type EntryKind = 'file' | 'directory' | 'link' | 'other';

/** Each rejects with `ToolError` when something is there and cannot be read. */
export interface Files {
  /** Follows links; `undefined` when there is nothing. */
  stat(place: Place): Promise<{ kind: EntryKind; sizeBytes: number } | undefined>;
  /** Does not follow links; in no order. */
  list(place: Place): Promise<readonly { name: string; kind: EntryKind }[]>;
  /**
   * From the beginning; the reader may stop at any chunk. `checked`: the absolute path, all links followed, that was judged;
   * what is opened on this disk must be that very file.
   */
  read(place: Place, checked?: string): AsyncIterable<Uint8Array>;
}

export interface TextQuery {
  /** One line, not empty. */
  pattern: string;
  /** False: the pattern is taken literally. */
  regex: boolean;
  caseSensitive: boolean;
}

export interface TextMatch {
  place: Place;
  /** From 1. */
  line: number;
  /** Start of the first match in the line, from 0, in UTF-16 units. */
  column: number;
  /** The whole line without its end. */
  text: string;
}

/** One that was wanted and of which not all was searched. */
export interface UnsearchedFile {
  place: Place;
  /** `begun`: its beginning was searched. */
  because: 'large' | 'begun' | 'unreadable';
}

export interface MatchReader {
  /** Whether a file is searched. */
  wants(place: Place): boolean;
  /** Says whether it wants more. */
  onMatch(match: TextMatch): boolean;
}

/**
 * Both stream in no promised order and stop as soon as a callback returns false or the signal is aborted. Ignored
 * files are left out unless `under` itself is one. A query that cannot be run is a `ToolError`.
 */
export interface Search {
  text(under: Place, query: TextQuery, reader: MatchReader, signal: AbortSignal): Promise<readonly UnsearchedFile[]>;
  files(under: Place, onFile: (place: Place) => boolean, signal: AbortSignal): Promise<void>;
}

/** The ways in which models write the path of the workspace itself. */
export function isWholeWorkspace(path: string): boolean {
  return ['', '.', './', '/'].includes(path);
}

/** A place as the model and the user read it, and as the model may write it; absolute outside of the workspace. */
export function displayPath(workspace: Workspace, place: Place): string {
  const { root } = place;
  if (root.fsPath !== undefined && !workspace.roots().some(({ uri }) => uri === root.uri)) {
    const folder = root.fsPath.split(path.sep).join('/');
    return `${folder.replace(/\/$/, '')}/${place.path}`;
  }
  if (workspace.roots().length <= 1) return place.path === '' ? '.' : place.path;
  return place.path === '' ? place.root.name : `${place.root.name}/${place.path}`;
}

/** As `displayPath`, on one line and with nothing hidden, whatever the file is called: for what is only read. */
export function shownPath(workspace: Workspace, place: Place): string {
  return writeOutInvisible(displayPath(workspace, place));
}

export function childPlace(parent: Place, name: string): Place {
  return { root: parent.root, path: parent.path === '' ? name : `${parent.path}/${name}` };
}

/** The whole of a regular file. `undefined` when there is none, or when it is larger than `maxBytes`. */
export async function readSmallFile(files: Files, place: Place, maxBytes: number): Promise<Uint8Array | undefined> {
  const stat = await files.stat(place);
  if (stat?.kind !== 'file' || stat.sizeBytes > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.read(place)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
