import path from 'node:path';
import { writeOutInvisible } from '../shared/invisible-signs.ts';
import type { Codec } from './codec.ts';

export interface WorkspaceRoot {
  name: string;
  uri: string;
  /** This is an absolute path on the local disk; it is absent for folders that are not files here. */
  fsPath?: string;
}

/** The path has `/` between its parts and no `.` or `..`; it is empty for the root itself. */
export interface Place {
  root: WorkspaceRoot;
  path: string;
}

export interface Workspace {
  /** Is checked at every call, because no tool runs in Restricted Mode. */
  isTrusted(): boolean;
  roots(): readonly WorkspaceRoot[];
  excludes(root: WorkspaceRoot): readonly string[];
  unsavedText(place: Place): string | undefined;
  unsavedIn(root: WorkspaceRoot): readonly Place[];
  codec: Codec;
}

export type EntryKind = 'file' | 'directory' | 'link' | 'other';

/** Each method rejects with `ToolError` when something exists and cannot be read. */
export interface Files {
  /** Follows links; undefined when there is nothing. */
  stat(place: Place): Promise<{ kind: EntryKind; sizeBytes: number } | undefined>;
  /** Does not follow links and promises no order. */
  list(place: Place): Promise<readonly { name: string; kind: EntryKind }[]>;
  /**
   * Reads from the beginning; the reader may stop at any chunk. `checked` is the absolute path, all links followed,
   * that was judged: what is opened on this disk must be that very file.
   */
  read(place: Place, checked?: string): AsyncIterable<Uint8Array>;
}

export interface TextQuery {
  pattern: string;
  regex: boolean;
  caseSensitive: boolean;
  /** A match may go over several lines; each of its lines is reported. */
  multiline?: boolean | undefined;
}

export interface TextMatch {
  place: Place;
  line: number;
  /** This is the start of the first match in the line, from 0, in UTF-16 units. */
  column: number;
  text: string;
}

export interface UnsearchedFile {
  place: Place;
  because: 'large' | 'begun' | 'unreadable';
}

export interface MatchReader {
  wants(place: Place): boolean;
  onMatch(match: TextMatch): boolean;
}

/** With `withIgnored` no ignore file is read; git's data and what the user excludes stay left out. */
export interface SearchScope extends Place {
  withIgnored?: true;
}

/**
 * Both methods stream in no promised order and stop as soon as a callback returns false or the signal is aborted.
 * Ignored files are left out unless `under` itself is one. A query that cannot be run rejects with `ToolError`.
 */
export interface Search {
  text(
    under: SearchScope,
    query: TextQuery,
    reader: MatchReader,
    signal: AbortSignal,
  ): Promise<readonly UnsearchedFile[]>;
  files(under: SearchScope, onFile: (place: Place) => boolean, signal: AbortSignal): Promise<void>;
}

export function isWholeWorkspace(path: string): boolean {
  return ['', '.', './', '/'].includes(path);
}

/**
 * Returns a place as the model and the user read it, and as the model may write it; it is absolute outside of the
 * workspace.
 */
export function displayPath(workspace: Workspace, place: Place): string {
  const { root } = place;
  if (root.fsPath !== undefined && !workspace.roots().some(({ uri }) => uri === root.uri)) {
    const folder = root.fsPath.split(path.sep).join('/');
    return `${folder.replace(/\/$/, '')}/${place.path}`;
  }
  if (workspace.roots().length <= 1) return place.path === '' ? '.' : place.path;
  return place.path === '' ? place.root.name : `${place.root.name}/${place.path}`;
}

/** Returns the path on one line with invisible characters written out, for display only. */
export function shownPath(workspace: Workspace, place: Place): string {
  return writeOutInvisible(displayPath(workspace, place));
}

export function placeKey({ root, path }: Place): string {
  return `${root.uri}\n${path}`;
}

export function childPlace(parent: Place, name: string): Place {
  return { root: parent.root, path: parent.path === '' ? name : `${parent.path}/${name}` };
}

export async function readSmallFile(files: Files, place: Place, maxBytes: number): Promise<Uint8Array | undefined> {
  const { kind, sizeBytes = 0 } = (await files.stat(place)) ?? {};
  return kind === 'file' && sizeBytes <= maxBytes ? gather(files.read(place), maxBytes) : undefined;
}

/** Puts the pieces of a file together; undefined once they are more than `max` bytes, whatever was its size before. */
export async function gather(pieces: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array | undefined> {
  const found: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > max) return undefined;
    found.push(piece);
  }
  return Buffer.concat(found);
}
