import * as vscode from 'vscode';
import { comparedText } from '../../edits/pending/compared-text.ts';
import { type Hunk, hunksOf, linesOf, type PendingText } from '../../edits/pending/hunks.ts';
import { lineChangeOf, lineChangesOf } from '../../edits/pending/line-change.ts';
import { type PendingFile, putFile, putMovedByUser } from '../../edits/pending/pending-files.ts';
import {
  originsOf,
  settledText,
  toLines,
  withTyped,
  withTypedText,
  withWritten,
} from '../../edits/pending/pending-text.ts';
import type { LineChange } from '../../edits/pending/row-changes.ts';
import { applyUnrelatedChange } from '../../edits/pending/unrelated-change.ts';
import { cellOf } from '../workspace/notebook-cells.ts';
import { bytesOf, openDocument, pathIn } from '../workspace/place-uri.ts';
import type { EditState } from './edit-state.ts';

/**
 * Keeps pending edits in step with documents and files: text typed outside of the edits is the user's, the editor's
 * Undo and Redo bring edits back, and deletions and renames decide or move them.
 */
export function followDocuments(state: EditState): vscode.Disposable {
  const { files, histories, writes } = state;
  const following = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument((event) => follow(state, event)),
    // What has no file is gone with its editor, and its name goes to the next one. A document that only changes its language
    // closes as well and is open again at once.
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      histories.delete(uri.toString());
      if (uri.scheme !== 'untitled' && uri.scheme !== 'vscode-notebook-cell') return;
      queueMicrotask(() => openDocument(uri) ?? state.drop(uri));
    }),
    // Only what is saved can be committed.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => state.remind(files.get(uri.toString()))),
    // Changes may have happened unseen, before the reload or to a file without an editor.
    vscode.workspace.onDidOpenTextDocument((document) => takeIn(state, document.uri, document.getText())),
    // A file or folder that the user deletes is decided and one that they move goes along.
    vscode.workspace.onDidDeleteFiles((event) => {
      for (const { file } of filesUnder([...files.values()], event.files)) state.drop(vscode.Uri.parse(file.uri, true));
    }),
    vscode.workspace.onDidRenameFiles((event) => {
      for (const { oldUri, newUri } of event.files) {
        const write = writes.get(oldUri);
        if (write?.expected.isRename) write.commit();
        for (const { file } of filesUnder(state.parked(), [oldUri])) if (!files.has(file.uri)) state.bringBack(file);
        for (const { file, rest } of filesUnder([...files.values()], [oldUri])) {
          const uri = newUri.with({ path: newUri.path + rest });
          const to = { uri: uri.toString(), path: vscode.workspace.asRelativePath(uri) };
          state.update(() => putMovedByUser(files, file, to), 'replaced');
        }
      }
    }),
  );
  for (const document of vscode.workspace.textDocuments) takeIn(state, document.uri, document.getText());
  return vscode.Disposable.from(following, followDisk(state));
}

/** Follows on the disk what Git or another program does to files that no editor holds. */
function followDisk(state: EditState): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const look = async (uri: vscode.Uri) => {
    const document = openDocument(uri);
    if (document?.isDirty || cellOf(uri) !== undefined) return;
    const bytes = await bytesOf(uri).catch(() => new Uint8Array());
    // What is being written here is reported by its writer.
    if (state.writes.get(uri) !== undefined) return;
    if (bytes === undefined) {
      const file = state.files.get(uri.toString());
      // Whether the old name of a renamed file is taken again shows when it is decided on.
      if (file !== undefined && file.kind !== 'deleted' && file.from === undefined) state.park(file);
      return;
    }
    if (document === undefined) takeIn(state, uri, (await vscode.workspace.openTextDocument(uri)).getText());
    else takeIn(state, uri, document.getText());
  };
  const lookAt = (uri: vscode.Uri) => {
    const known = filesUnder([...state.files.values(), ...state.parkedOf()], [uri]).map(({ file }) => file.uri);
    for (const one of new Set(known)) void look(vscode.Uri.parse(one, true));
  };
  for (const { uri } of [...state.files.values(), ...state.parked()]) lookAt(vscode.Uri.parse(uri, true));
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(lookAt),
    watcher.onDidChange(lookAt),
    watcher.onDidDelete(lookAt),
  );
}

/**
 * Takes in a text that came to be unseen. Edits that went with the text before are parked, and are pending again when
 * that text is back.
 */
export function takeIn(state: EditState, uri: vscode.Uri, now: string): void {
  const file = state.files.get(uri.toString());
  const stands = (one: PendingFile) => isSame(linesOf(one.text), toLines(comparedText(one, now)));
  if (file !== undefined && (file.kind === 'deleted' || stands(file))) return;
  const away = state.parkedOf(uri.toString()).findLast(stands);
  if (away !== undefined) state.bringBack(away);
  if (away !== undefined || file === undefined) return;
  const compared = comparedText(file, now);
  const text = withTypedText(file.text, compared);
  if (hunksOf(text).length > 0 && !isUndoneIn(toLines(compared), file.text)) typed(state, file, text, false);
  else {
    state.remember(file.uri, file.text, settledText(compared), file);
    state.park(file);
  }
}

/**
 * Returns whether none of the edits is in these lines, whatever blanks they have: what came is not there, what went is. A
 * line that went from one place and came at another tells nothing.
 */
function isUndoneIn(now: readonly string[], text: PendingText): boolean {
  const plain = (lines: readonly string[]) =>
    new Set(lines.map((line) => line.replace(/\s+/g, '')).filter((line) => /[\p{L}\p{N}]/u.test(line)));
  const hunks = hunksOf(text);
  const came = plain(hunks.flatMap(({ after: { start, count } }) => linesOf(text).slice(start, start + count)));
  const went = plain(hunks.flatMap(({ removed }) => removed));
  const there = plain(now);
  const onlyCame = [...came].filter((line) => !went.has(line));
  const onlyWent = [...went].filter((line) => !came.has(line));
  const isUndone = !onlyCame.some((line) => there.has(line)) && onlyWent.every((line) => there.has(line));
  return isUndone && onlyCame.length + onlyWent.length > 0;
}

function follow(state: EditState, event: vscode.TextDocumentChangeEvent): void {
  const { document, contentChanges, reason } = event;
  const { files, histories } = state;
  const key = document.uri.toString();
  const write = state.writes.get(document.uri);
  if (contentChanges.length === 0) return;
  const isKnown = files.has(key) || histories.has(key) || state.parkedOf(key).length > 0;
  if (write === undefined && !isKnown) return;
  if (typedElsewhere(state, event)) return;
  const byCells = (write?.lines ? write.expected : (files.get(key) ?? histories.get(key)?.file))?.byCells ?? false;
  const whole = comparedText({ byCells }, document.getText());
  const now = toLines(whole);
  if (write?.lines && isSame(write.lines, now)) {
    write.commit();
    return;
  }
  if (wentBack(state, event, now)) return;
  const file = files.get(key) ?? withTaken(state, key);
  // A file that was written on the disk, and the document has noticed now.
  if (file !== undefined && file.kind !== 'deleted' && isSame(linesOf(file.text), now)) {
    state.changed();
    return;
  }
  if (reason === undefined && !document.isDirty && !state.saving.has(key)) {
    takeIn(state, document.uri, document.getText());
    return;
  }
  if (file === undefined || file.kind === 'deleted') return;
  const by = state.saving.get(key);
  if (by !== undefined && !contentChanges.some((change) => isAtCursor(document, change))) {
    state.put(file, withWritten(file.text, whole, by), 'replaced');
    return;
  }
  const next = byCells ? undefined : withTyped(file.text, lineChangesOf(linesOf(file.text), contentChanges));
  const text = next && isSame(linesOf(next), now) ? next : withTypedText(file.text, whole);
  typed(state, file, text, reason === undefined);
}

/** Handles typing apart from the edits without reading the rest of a long document. */
function typedElsewhere(
  { files, writes, saving, put }: EditState,
  { document, contentChanges, reason }: vscode.TextDocumentChangeEvent,
): boolean {
  const key = document.uri.toString();
  const file = files.get(key);
  const [change, ...others] = contentChanges;
  const isPlain = file?.kind !== 'deleted' && !file?.byCells && reason === undefined;
  if (file === undefined || change === undefined || others.length > 0 || !isPlain) return false;
  if (writes.get(document.uri)?.lines || saving.has(key)) return false;
  const typedThere = lineChangeOf(linesOf(file.text), change);
  const text = applyUnrelatedChange(file.text, typedThere);
  if (text === undefined || !isAsShown(document, linesOf(text), typedThere)) return false;
  put(file, text);
  return true;
}

function isAsShown(
  document: vscode.TextDocument,
  lines: readonly string[],
  { start, lines: fresh }: LineChange,
): boolean {
  if (document.lineCount !== Math.max(1, lines.length)) return false;
  for (let at = Math.max(0, start - 1); at <= Math.min(start + fresh.length, lines.length - 1); at++) {
    if (document.lineAt(at).text !== lines[at]) return false;
  }
  return true;
}

/**
 * Returns the edits that a text without pending ones may still lead to: by a paste, and by what saving does to a write.
 */
function withTaken({ histories, saving }: EditState, key: string): PendingFile | undefined {
  const known = histories.get(key);
  const text = known?.history.now();
  return known && text && (text.clipboard?.taken.length || saving.has(key)) ? { ...known.file, text } : undefined;
}

function wentBack(
  { files, histories, outcomes, update }: EditState,
  { document, reason }: vscode.TextDocumentChangeEvent,
  now: readonly string[],
): boolean {
  const key = document.uri.toString();
  const known = histories.get(key);
  const earlier = reason && known?.history.go(reason === vscode.TextDocumentChangeReason.Undo ? 'undo' : 'redo', now);
  if (known === undefined || earlier === undefined) return false;
  const file = files.get(key) ?? known.file;
  outcomes.forget(originsOf(earlier));
  update(() => putFile(files, { ...file, text: earlier }));
  return true;
}

function typed(state: EditState, file: PendingFile, text: PendingText, isTyping: boolean): void {
  const before = linesOf(file.text);
  // Lines that are pasted back are pending again.
  if (!state.files.has(file.uri)) state.outcomes.forget(originsOf(text));
  state.put(file, text);
  const hunks = isTyping && state.files.has(file.uri) ? hunksChanged(text, before) : [];
  if (hunks.length > 0) state.typed(vscode.Uri.parse(file.uri, true), hunks);
}

/** Distinguishes typing from a formatter: typing happens where a cursor is. */
function isAtCursor(document: vscode.TextDocument, { range }: vscode.TextDocumentContentChangeEvent): boolean {
  return vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .some(({ selections }) => selections.some((selection) => selection.intersection(range) !== undefined));
}

function hunksChanged(text: PendingText, before: readonly string[]): Hunk[] {
  const now = linesOf(text);
  let head = 0;
  while (head < now.length && now[head] === before[head]) head++;
  let tail = 0;
  while (tail < now.length - head && now.at(-1 - tail) === before.at(-1 - tail)) tail++;
  return hunksOf(text).filter(({ after }) => after.start < now.length - tail && after.start + after.count > head);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  // An empty text has no line, or an empty one.
  const [own, others] = [one, other].map((lines) => (lines.length === 0 ? [''] : lines));
  return own?.length === others?.length && (own?.every((line, at) => line === others?.[at]) ?? true);
}

function filesUnder(files: readonly PendingFile[], uris: readonly vscode.Uri[]): { file: PendingFile; rest: string }[] {
  const there = files.filter(({ kind }) => kind !== 'deleted');
  return there.flatMap((file) => {
    const own = vscode.Uri.parse(file.uri, true);
    const rest = uris.map((uri) => pathIn(uri, own)).find((path) => path !== undefined);
    return rest === undefined ? [] : [{ file, rest: rest && `/${rest}` }];
  });
}
