import { lineEndsOf, type TextFormat } from '../../files/file-text.ts';
import { comparedText, isByCells, type KeptAs } from './compared-text.ts';
import { anyOrigin, type EditOrigin, type OriginFilter } from './edit-origin.ts';
import { hunksOf, type PendingText } from './hunks.ts';
import {
  baseText,
  currentText,
  originsOf,
  type Selection,
  settledText,
  withKept,
  withTypedText,
  withUndone,
  withWritten,
} from './pending-text.ts';

export interface FileName {
  uri: string;
  path: string;
}

export interface GoneText extends KeptAs {
  text: PendingText;
  by: EditOrigin;
}

export interface PendingFile extends FileName, KeptAs {
  kind: 'edited' | 'created' | 'deleted';
  text: PendingText;
  by?: EditOrigin;
  /** The file had this name before the model renamed it, and Undo restores it. Only an `edited` file has one. */
  from?: FileName;
  /**
   * The model deleted this text under the new name before the rename, and Undo brings it back as well. It occurs only
   * with `from`.
   */
  over?: GoneText;
  madeFolders?: readonly string[];
}

export interface WrittenText extends FileName {
  before?: string;
  after?: string;
  by: EditOrigin;
  madeFolders?: readonly string[];
  format?: TextFormat;
}

/**
 * Holds the pending edits by address, in the order of their first edit, and is changed in place. A renamed file is one
 * entry under its new name: a decision on one of its names alone would leave its text under none.
 */
export type PendingFiles = Map<string, PendingFile>;

export function fileOrigins({ kind, text, by, from }: PendingFile): readonly EditOrigin[] {
  const isWhole = kind !== 'edited' || from !== undefined;
  return [...(isWhole && by ? [by] : []), ...originsOf(text)];
}

export function isWholeOf({ kind, by, from }: PendingFile, of: OriginFilter): boolean {
  return (kind !== 'edited' || from !== undefined) && by !== undefined && of(by);
}

/** Removes the file when nothing of it is pending any more. */
export function putFile(files: PendingFiles, file: PendingFile): void {
  const isOver = file.kind === 'edited' && file.from === undefined && hunksOf(file.text).length === 0;
  if (isOver) files.delete(file.uri);
  else files.set(file.uri, file);
}

export function putWritten(files: PendingFiles, written: WrittenText): void {
  const { uri, path, before, after, by, format } = written;
  const known = files.get(uri);
  const byCells = isByCells(known, written) && { byCells: true };
  if (after !== undefined) {
    const compared = comparedText({ ...byCells }, after);
    const file = writtenFile(known, {
      ...written,
      ...(before !== undefined && { before: comparedText({ ...byCells }, before) }),
      after: compared,
    });
    putFile(files, {
      ...file,
      ...byCells,
      ...(byCells && known === undefined && before !== undefined && { raw: before }),
    });
    return;
  }
  const kept = { ...(format && { format }), raw: before ?? '', ...byCells };
  if (known === undefined) {
    const text = settledText(comparedText({ ...byCells }, before ?? ''));
    putGone(files, { uri, path }, { text, by, ...kept });
  } else putLost(files, { ...kept, ...known }, by);
}

function writtenFile(
  known: PendingFile | undefined,
  { uri, path, before, after, by, madeFolders, format }: WrittenText & { after: string },
): PendingFile {
  const name = { uri, path, ...(format && { format }) };
  if (known === undefined) {
    const text = withWritten(settledText(before ?? ''), after, by);
    if (before === undefined) return { ...name, kind: 'created', text, by, ...(madeFolders && { madeFolders }) };
    return { ...name, kind: 'edited', text, ...(lineEndsOf(before) === 'mixed' && { raw: before }) };
  }
  if (known.kind === 'deleted') {
    return { ...name, kind: 'edited', text: withWritten(known.text, after, by), ...(known.raw && { raw: known.raw }) };
  }
  const caughtUp = before === undefined ? known.text : withTypedText(known.text, before);
  return { ...known, text: withWritten(caughtUp, after, by) };
}

export function putRenamed(
  files: PendingFiles,
  { from, to, text, by }: { from: FileName; to: FileName; text: string; by: EditOrigin },
): void {
  const own = files.get(from.uri);
  const byCells = isByCells(own, { path: from.path, before: text });
  const compared = comparedText({ byCells }, text);
  const known: PendingFile = own ?? {
    ...from,
    kind: 'edited',
    text: settledText(compared),
    ...(byCells && { byCells, raw: text }),
  };
  const replaced = files.get(to.uri);
  leaveName(files, known);
  const { over: _, ...rest } = known;
  const raw = text.includes('\r') && { raw: known.raw ?? text };
  const file: PendingFile = { ...rest, ...raw, ...to, text: withTypedText(known.text, compared) };
  const over = replaced && goneOf(replaced, by);
  if (file.kind !== 'created') {
    putMoved(files, { ...file, by, from: known.from ?? from, ...(over && { over }) });
  } else {
    putFile(files, over ? { ...file, kind: 'edited', text: instead(over, file.text, by) } : file);
  }
}

export function putMovedByUser(files: PendingFiles, file: PendingFile, to: FileName): void {
  leaveName(files, file);
  const { over: _, ...moved } = { ...file, ...to };
  putMoved(files, moved);
}

function putMoved(files: PendingFiles, file: PendingFile): void {
  const { from, by: _, ...back } = file;
  putFile(files, from?.uri === file.uri ? back : file);
}

export function putLost(files: PendingFiles, file: PendingFile, by?: EditOrigin): void {
  leaveName(files, file);
  const who = by ?? fileOrigins(file)[0];
  if (file.kind === 'created' || who === undefined) return;
  putGone(files, file.from ?? file, goneOf(file, who));
}

export function putDecided(files: PendingFiles, { uri, after }: { uri: string; after: string }): void {
  const known = files.get(uri);
  if (known === undefined) return;
  const kind = known.kind === 'deleted' ? 'edited' : known.kind;
  putFile(files, { ...known, kind, text: withTypedText(known.text, comparedText(known, after)) });
}

export function putRestored(files: PendingFiles, restored: readonly { uri: string; after?: string }[]): void {
  const names = new Set(restored.map(({ uri }) => uri));
  // What is gone comes last: by then it is known which of it is back under its old name.
  const goneLast = restored.toSorted(
    (one, other) => Number(one.after === undefined) - Number(other.after === undefined),
  );
  for (const { uri, after } of goneLast) {
    const known = files.get(uri);
    if (after === undefined) {
      if (known?.from !== undefined) putLost(files, known);
      files.delete(uri);
    } else if (isOwnAgain(files, { uri, after }, names)) {
      const elsewhere = renamedFrom(files, uri);
      if (elsewhere !== undefined) putFile(files, copied(elsewhere));
      files.delete(uri);
      if (known?.from !== undefined && known.by !== undefined) putGone(files, known.from, goneOf(known, known.by));
    } else {
      putDecided(files, { uri, after });
    }
  }
}

function isOwnAgain(
  files: PendingFiles,
  { uri, after }: { uri: string; after: string },
  names: ReadonlySet<string>,
): boolean {
  const known = files.get(uri);
  const elsewhere = renamedFrom(files, uri);
  if (elsewhere !== undefined) return known === undefined || names.has(elsewhere.uri);
  if (known?.from === undefined || known.over === undefined) return false;
  return (
    names.has(known.from.uri) || baseText(known.over.text) === currentText(settledText(comparedText(known.over, after)))
  );
}

function renamedFrom(files: PendingFiles, uri: string): PendingFile | undefined {
  return [...files.values()].find(({ from }) => from?.uri === uri);
}

export function putUndone(files: PendingFiles, file: PendingFile, undone: Undone): void {
  const { text, to, isGone, isWhole, conflicts } = undone;
  files.delete(file.uri);
  if (isGone) return;
  const { over, ...rest } = file;
  const moved = { ...rest, ...to, ...(over && to.uri === file.uri && { over }), text };
  const isDecided = isWhole && (file.kind === 'deleted' || conflicts === 0);
  if (!isDecided) {
    putMoved(files, moved);
    return;
  }
  const { madeFolders: _, ...edited } = moved;
  putMoved(files, { ...edited, kind: 'edited' });
}

/**
 * Keeps edits of a file. That it was created, deleted or renamed is kept only when no hunks are selected, because it
 * happened as a whole.
 */
export function putKept(files: PendingFiles, file: PendingFile, selection: Selection): void {
  const { hunks, of = anyOrigin } = selection;
  const text = withKept(file.text, selection);
  const isWhole = hunks === undefined && isWholeOf(file, of);
  if (isWhole && file.kind === 'deleted') {
    files.delete(file.uri);
    return;
  }
  const { by: _, from: __, over: ___, madeFolders: ____, ...rest } = file;
  const kept: PendingFile = isWhole ? { ...rest, kind: 'edited', text } : { ...file, text };
  if (hunks !== undefined && file.from === undefined && hunksOf(text).length === 0) files.delete(file.uri);
  else putFile(files, kept);
}

export interface Undone {
  text: PendingText;
  to: FileName;
  isWhole: boolean;
  isGone: boolean;
  /** Counts hunks that stay, because the text without them cannot be determined. */
  conflicts: number;
}

/** Returns undefined when nothing of the selection is pending in the file. */
export function undoneFile(file: PendingFile, selection: Selection): Undone | undefined {
  const { hunks, of = anyOrigin } = selection;
  const isWhole = hunks === undefined && isWholeOf(file, of);
  if (!isWhole && !originsOf(file.text).some(of)) return undefined;
  if (file.kind === 'deleted' && !isWhole) return undefined;
  const { text, conflicts } = withUndone(file.text, selection);
  const isGone = file.kind === 'created' && isWhole && currentText(text) === '';
  return { text, conflicts, isWhole, isGone, to: isWhole ? (file.from ?? file) : file };
}

function copied({ from: _, over, ...file }: PendingFile): PendingFile {
  const by = file.by ?? over?.by;
  if (by === undefined) return file;
  if (over !== undefined) return { ...file, kind: 'edited', text: instead(over, file.text, by) };
  return { ...file, kind: 'created', text: withWritten(settledText(''), currentText(file.text), by) };
}

function leaveName(files: PendingFiles, { uri, path, over }: PendingFile): void {
  files.delete(uri);
  if (over !== undefined) files.set(uri, deletedFile({ uri, path }, over));
}

function putGone(files: PendingFiles, name: FileName, was: GoneText): void {
  const there = files.get(name.uri);
  if (there === undefined) files.set(name.uri, deletedFile(name, was));
  else if (there.from !== undefined) files.set(name.uri, { ...there, over: was });
  else putFile(files, { ...there, kind: 'edited', text: instead(was, there.text, there.by ?? was.by) });
}

function instead(was: GoneText, now: PendingText, by: EditOrigin): PendingText {
  return withWritten(settledText(baseText(was.text)), currentText(now), by);
}

function deletedFile({ uri, path }: FileName, gone: GoneText): PendingFile {
  return { uri, path, kind: 'deleted', ...gone };
}

function goneOf({ text, format, raw, byCells }: PendingFile, by: EditOrigin): GoneText {
  return { text, by, ...(format && { format }), ...(raw !== undefined && { raw }), ...(byCells && { byCells }) };
}
