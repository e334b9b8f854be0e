import type * as vscode from 'vscode';
import type { DecidedFile, RestoredFile, WrittenFile } from './file-writer.ts';
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
  const over = replaced && textBefore(replaced);
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
  putGone(files, file.from ?? file, textBefore(file));
}

/** The user decided that the file has this text now. */
export function putDecided(files: PendingFiles, { uri, after }: DecidedFile): void {
  const known = files.get(uri.toString());
  if (known === undefined) return;
  const text = withUserChange(known.text, toLines(after));
  putPending(files, { ...known, kind: known.kind === 'deleted' ? 'edited' : known.kind, text });
}

/** These files have the texts of an earlier time again; those without one are gone. */
export function putRestored(files: PendingFiles, restored: readonly RestoredFile[]): void {
  const names = new Set(restored.map(({ uri }) => uri.toString()));
  // What is gone comes last: by then it is known which of it is back under its old name.
  const goneLast = restored.toSorted(
    (one, other) => Number(one.after === undefined) - Number(other.after === undefined),
  );
  for (const { uri, after } of goneLast) {
    const known = files.get(uri.toString());
    if (after === undefined) {
      if (known?.from !== undefined) putLost(files, known);
      files.delete(uri.toString());
    } else if (isOwnAgain(files, uri, after, names)) {
      const elsewhere = renamedFrom(files, uri);
      if (elsewhere !== undefined) putPending(files, copied(elsewhere));
      files.delete(uri.toString());
      if (known?.from !== undefined) putGone(files, known.from, textBefore(known));
    } else {
      putDecided(files, { uri, after });
    }
  }
}

/** Whether the file that had the name before the model gave it to another, or gave this file another, is there again. */
function isOwnAgain(files: PendingFiles, uri: vscode.Uri, after: string, names: ReadonlySet<string>): boolean {
  const known = files.get(uri.toString());
  const elsewhere = renamedFrom(files, uri);
  if (elsewhere !== undefined) return known === undefined || names.has(keyOf(elsewhere));
  if (known?.from === undefined || known.over === undefined) return false;
  return names.has(keyOf(known.from)) || known.over.base.join('') === toLines(after).join('');
}

function renamedFrom(files: PendingFiles, uri: vscode.Uri): PendingFile | undefined {
  return [...files.values()].find(({ from }) => from !== undefined && keyOf(from) === uri.toString());
}

/** The file as Undo leaves it, under the name that Undo gives it. */
export function putUndone(files: PendingFiles, file: PendingFile, text: PendingText, to: FileName): void {
  files.delete(keyOf(file));
  const { over, ...rest } = file;
  const isMoved = keyOf(to) !== keyOf(file);
  putMoved(files, { ...rest, ...to, ...(over && !isMoved && { over }), text });
}

/** The other name has its file again: under this one is a copy that the model made. */
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

function textBefore({ text: { base }, lineEnd }: PendingFile): GoneText {
  return { base, ...(lineEnd && { lineEnd }) };
}

function goneText(text: string): GoneText {
  return { base: toLines(text), ...(text.includes('\r\n') && { lineEnd: '\r\n' }) };
}

function keyOf({ uri }: FileName): string {
  return uri.toString();
}
