import type * as vscode from 'vscode';
import type { WrittenFile } from './file-writer.ts';
import {
  type PendingText,
  pendingHunks,
  startPending,
  toLines,
  withAgentChange,
  withUserChange,
} from './pending-text.ts';

export interface FileName {
  uri: vscode.Uri;
  /** As displayed. */
  path: string;
}

/** The text of a file that is not there any more. */
export interface GoneText {
  base: readonly string[];
  /** An open document knows its own. */
  lineEnd?: '\r\n';
}

/** One file with edits that nobody has decided on. */
export interface PendingFile extends FileName {
  kind: 'edited' | 'created' | 'deleted';
  text: PendingText;
  /** Its name before the model renamed it, which Undo gives back. Only of `edited`. */
  from?: FileName;
  /** What stood under the new name before the model deleted it: Undo brings it back as well. Only with `from`. */
  over?: GoneText;
  /** Of a deleted or renamed file. */
  lineEnd?: '\r\n';
}

/**
 * The undecided edits by address, in the order of their first edit; changed in place. A renamed file is one of them, under its
 * new name: nobody can decide on one of its names alone, which would leave its text under none.
 */
export type PendingFiles = Map<string, PendingFile>;

/** Forgets the file when nothing of it is undecided any more. */
export function putPending(files: PendingFiles, file: PendingFile): void {
  const isOver = file.kind === 'edited' && file.from === undefined && pendingHunks(file.text).length === 0;
  if (isOver) files.delete(keyOf(file));
  else files.set(keyOf(file), file);
}

/** The model wrote, created or, without `after`, deleted the file. */
export function putWritten(files: PendingFiles, { uri, path, before, after }: WrittenFile): void {
  const known = files.get(uri.toString());
  if (after !== undefined) {
    putPending(files, writtenFile(known, { uri, path, before, after }));
    return;
  }
  const gone = goneText(before ?? '');
  if (known === undefined) putGone(files, { uri, path }, gone);
  else putLost(files, { ...known, ...(gone.lineEnd && { lineEnd: gone.lineEnd }) });
}

function writtenFile(
  known: PendingFile | undefined,
  { uri, path, before, after }: FileName & { before: string | undefined; after: string },
): PendingFile {
  const file = { uri, path };
  if (known === undefined) {
    return { ...file, kind: before === undefined ? 'created' : 'edited', text: startPending(before ?? '', after) };
  }
  if (known.kind === 'deleted') return { ...file, kind: 'edited', text: startPending(known.text.base.join(''), after) };
  const caughtUp = before === undefined ? known.text : withUserChange(known.text, toLines(before));
  return { ...known, text: withAgentChange(caughtUp, toLines(after)) };
}

/** The model gave the file with this text another name. */
export function putRenamed(files: PendingFiles, from: FileName, to: FileName, text: string): void {
  const known = files.get(keyOf(from)) ?? { ...from, kind: 'edited', text: startPending(text, text) };
  const file = { ...known, ...to, text: withUserChange(known.text, toLines(text)) };
  const replaced = files.get(keyOf(to));
  leaveName(files, known);
  delete file.over;
  const { lineEnd } = goneText(text);
  const over = replaced && { base: replaced.text.base, ...(replaced.lineEnd && { lineEnd: replaced.lineEnd }) };
  if (file.kind !== 'created') {
    putMoved(files, { ...file, from: known.from ?? from, ...(over && { over }), ...(lineEnd && { lineEnd }) });
  } else {
    putPending(files, over ? { ...file, kind: 'edited', text: { ...file.text, base: over.base } } : file);
  }
}

/** The user gave the file another name; its edits go along. */
export function putMovedByUser(files: PendingFiles, file: PendingFile, to: FileName): void {
  leaveName(files, file);
  const { over: _, ...moved } = { ...file, ...to };
  putMoved(files, moved);
}

function putMoved(files: PendingFiles, file: PendingFile): void {
  const { from, ...back } = file;
  putPending(files, from && keyOf(from) === keyOf(file) ? back : file);
}

/** The file is there no more, and the user did not say so: what it was before the edits can still be brought back. */
export function putLost(files: PendingFiles, file: PendingFile): void {
  leaveName(files, file);
  if (file.kind === 'created') return;
  const { base } = file.text;
  putGone(files, file.from ?? file, { base, ...(file.lineEnd && { lineEnd: file.lineEnd }) });
}

/** The user decided that the file has this text now; without one, that there is none. */
export function putDecided(files: PendingFiles, { uri, after }: Pick<WrittenFile, 'uri' | 'after'>): void {
  const known = files.get(uri.toString());
  if (after === undefined) {
    if (known?.from !== undefined) putLost(files, known);
    files.delete(uri.toString());
    return;
  }
  const lines = toLines(after);
  const renamed = [...files.values()].find(({ from }) => from !== undefined && from.uri.toString() === uri.toString());
  // What was renamed is there under its old name again: the other one is a copy that the model made.
  if (renamed !== undefined) putPending(files, copied(renamed));
  if (known === undefined) return;
  const isReplaced = known.over !== undefined && known.over.base.join('') === lines.join('');
  if (isReplaced) {
    putLost(files, known);
    files.delete(uri.toString());
  } else {
    const text = withUserChange(known.text, lines);
    putPending(files, { ...known, kind: known.kind === 'deleted' ? 'edited' : known.kind, text });
  }
}

/** The file as Undo leaves it, under the name that Undo gives it. */
export function putUndone(files: PendingFiles, file: PendingFile, text: PendingText, to: FileName): void {
  files.delete(keyOf(file));
  const { over, ...rest } = file;
  const isMoved = keyOf(to) !== keyOf(file);
  putMoved(files, { ...rest, ...to, ...(over && !isMoved && { over }), text });
}

function copied({ from: _, over, text, ...file }: PendingFile): PendingFile {
  return { ...file, kind: over === undefined ? 'created' : 'edited', text: { ...text, base: over?.base ?? [] } };
}

/** Its name is free, or again that of the file which the model had deleted before. */
function leaveName(files: PendingFiles, { uri, path, over }: PendingFile): void {
  files.delete(uri.toString());
  if (over !== undefined) files.set(uri.toString(), deletedFile({ uri, path }, over));
}

/** What stood under this name is gone, whatever the model has put there since. */
function putGone(files: PendingFiles, name: FileName, was: GoneText): void {
  const there = files.get(keyOf(name));
  if (there === undefined) files.set(keyOf(name), deletedFile(name, was));
  else if (there.from !== undefined) files.set(keyOf(name), { ...there, over: was });
  else putPending(files, { ...there, kind: 'edited', text: { ...there.text, base: was.base } });
}

function deletedFile({ uri, path }: FileName, { base, ...ends }: GoneText): PendingFile {
  return { uri, path, kind: 'deleted', text: { base, agent: [], current: [] }, ...ends };
}

function goneText(text: string): GoneText {
  return { base: toLines(text), ...(text.includes('\r\n') && { lineEnd: '\r\n' }) };
}

function keyOf({ uri }: FileName): string {
  return uri.toString();
}
