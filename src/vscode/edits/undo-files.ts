import * as vscode from 'vscode';
import { fileText, type KeptAs } from '../../edits/pending/compared-text.ts';
import type { PendingText } from '../../edits/pending/hunks.ts';
import { withLineEndsOf } from '../../edits/pending/line-ends.ts';
import type { FileName, PendingFile, Undone } from '../../edits/pending/pending-files.ts';
import { currentText, type Selection, withUndone } from '../../edits/pending/pending-text.ts';
import type { Codec } from '../../files/codec.ts';
import { encodeFile } from '../../files/file-text.ts';
import { showWarning } from '../host/show-message.ts';
import { cellOf, openNotebook } from '../workspace/notebook-cells.ts';
import { openDocument, statOf } from '../workspace/place-uri.ts';
import type { EditStore } from './edit-store.ts';
import { removeEmptyFolders } from './made-folders.ts';
import { openInFormat, trySave } from './open-as.ts';
import { ensureBytes, type PendingWrite } from './pending-write.ts';
import { addReplacement, sameText } from './replace-text.ts';

/**
 * Reverts the edits in `selection`, or all, in one step of the editor's Undo; a file whose old name is still used by
 * another of them takes a second step. Resolves with the files in which something had to stay, because their text
 * without the edits cannot be determined. Files with unsaved changes stay unsaved, and none is overwritten.
 */
export async function undoFiles(
  deps: UndoDeps,
  uris: readonly vscode.Uri[],
  selection: Selection = {},
): Promise<readonly vscode.Uri[]> {
  const conflicting: vscode.Uri[] = [];
  let left = uris;
  while (left.length > 0) {
    const step = await undoStep(deps, left, selection);
    if (step === undefined) {
      showWarning(vscode.l10n.t('A file just changed, so nothing was undone. Try again.'));
      break;
    }
    conflicting.push(...step.conflicting);
    if (step.unsaved.length > 0) {
      const names = step.unsaved.map((uri) => vscode.workspace.asRelativePath(uri)).join(', ');
      showWarning(vscode.l10n.t('Undone in the editor, but not saved: {0}', names));
    }
    if (step.taken.length === left.length) {
      const names = step.taken.map(({ path }) => path).join(', ');
      const text = vscode.l10n.t(
        'Not undone because a file with that name exists again: {0}. Rename or undo it first.',
        names,
      );
      showWarning(text);
      break;
    }
    left = step.taken.map(({ of }) => of);
  }
  return conflicting;
}

export interface UndoDeps {
  store: EditStore;
  codec: Codec;
}

interface UndoStep {
  conflicting: readonly vscode.Uri[];
  taken: readonly { of: vscode.Uri; path: string }[];
  unsaved: readonly vscode.Uri[];
}

async function undoStep(
  { store, codec }: UndoDeps,
  uris: readonly vscode.Uri[],
  selection: Selection,
): Promise<UndoStep | undefined> {
  const edit = new vscode.WorkspaceEdit();
  const conflicting: vscode.Uri[] = [];
  const taken: UndoStep['taken'][number][] = [];
  const begun: PendingWrite[] = [];
  const toSave: ToSave[] = [];
  const madeFolders: vscode.Uri[] = [];
  /** `edit.size` does not count creations and deletions. */
  let changesFiles = false;
  const isTaken = async (name: FileName, of: vscode.Uri) => {
    if ((await statOf(vscode.Uri.parse(name.uri, true))) === undefined) return false;
    taken.push({ of, path: name.path });
    return true;
  };
  for (const given of uris) {
    const file = await store.refresh(given);
    const uri = file && vscode.Uri.parse(file.uri, true);
    const undone = uri && store.undo(uri, selection);
    if (file === undefined || uri === undefined || undone === undefined) continue;
    const to = vscode.Uri.parse(undone.to.uri, true);
    const changesName = file.kind === 'deleted' || undone.to.uri !== file.uri;
    if (changesName && (await isTaken(undone.to, uri))) {
      undone.abort();
      continue;
    }
    const take = () => {
      begun.push(undone);
      if (undone.conflicts > 0) conflicting.push(to);
    };
    if (file.kind === 'deleted') {
      take();
      edit.createFile(uri, { overwrite: false, contents: await bytesOf(codec, undone.text, file) });
      changesFiles = true;
      continue;
    }
    if (undone.isGone) {
      take();
      edit.deleteFile(uri, { ignoreIfNotExists: true });
      madeFolders.push(...(file.madeFolders ?? []).map((folder) => vscode.Uri.parse(folder, true)));
      changesFiles = true;
      continue;
    }
    const replaced = await replacedText({ codec, edit }, uri, { file, undone });
    if (replaced === undefined) {
      undone.abort();
      conflicting.push(uri);
      continue;
    }
    take();
    if (changesName) {
      edit.renameFile(uri, to, { overwrite: false });
      if (file.over) {
        const contents = await bytesOf(codec, withUndone(file.over.text).text, file.over);
        edit.createFile(uri, { overwrite: false, contents });
      }
      changesFiles = true;
    }
    if (replaced.isToSave) toSave.push({ ...replaced, uri: to });
  }
  if (!changesFiles && edit.size === 0) {
    for (const one of begun) one.commit();
    return { conflicting, taken, unsaved: [] };
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    for (const one of begun) one.abort();
    return undefined;
  }
  for (const one of begun) one.commit();
  await removeEmptyFolders(madeFolders);
  const unsaved: vscode.Uri[] = [];
  for (const one of toSave) if (!(await save(one))) unsaved.push(one.uri);
  return { conflicting, taken, unsaved };
}

/** Resolves with undefined where the file's text cannot be determined, as for a notebook with unsaved cells. */
async function replacedText(
  { codec, edit }: { codec: Codec; edit: vscode.WorkspaceEdit },
  uri: vscode.Uri,
  { file, undone }: { file: PendingFile; undone: Undone },
): Promise<{ isToSave: boolean; text: string; bytes: Uint8Array | undefined } | undefined> {
  const notebook = cellOf(uri)?.notebook;
  if (file.byCells && openNotebook(uri)?.isDirty) return undefined;
  const wasDirty = (notebook ?? openDocument(uri))?.isDirty ?? false;
  const document = await (file.format ? openInFormat(uri, file.format) : vscode.workspace.openTextDocument(uri));
  const text = fileText(file, currentText(undone.text), document.getText());
  if (text === undefined) return undefined;
  addReplacement(edit, document, text);
  // One without a file would ask where it is to be saved.
  const isToSave = !wasDirty && !(notebook ?? document).isUntitled;
  return { isToSave, text, bytes: wasDirty ? undefined : await bytesAfterUndo(codec, uri, { file, undone }) };
}

interface ToSave {
  uri: vscode.Uri;
  text: string;
  /** These bytes are on the disk afterwards, unless the user has typed meanwhile. */
  bytes: Uint8Array | undefined;
}

async function save({ uri, text, bytes }: ToSave): Promise<boolean> {
  const document = cellOf(uri)?.notebook ?? openDocument(uri);
  const hasText = sameText(openDocument(uri)?.getText() ?? '', text);
  if (document !== undefined && !(await trySave(document))) return false;
  const mayWriteBytes = bytes !== undefined && (hasText || document === undefined || cellOf(uri) !== undefined);
  if (mayWriteBytes) await ensureBytes(uri, bytes);
  return true;
}

/** Resolves with the exact bytes that are to be on the disk; undefined where nothing is known of how it is stored. */
async function bytesAfterUndo(
  codec: Codec,
  uri: vscode.Uri,
  { file, undone }: { file: PendingFile; undone: Undone },
): Promise<Uint8Array | undefined> {
  const { format, raw } = file;
  if (format === undefined) return undefined;
  const now = (await codec.decode(await vscode.workspace.fs.readFile(uri), format.encoding)).replace(/^\ufeff/, '');
  const compared = currentText(undone.text);
  const text = file.byCells
    ? fileText(file, compared, now)
    : withLineEndsOf(compared, [now, ...(raw === undefined ? [] : [raw])]);
  return text === undefined ? undefined : encodeFile(codec, text, format);
}

async function bytesOf(codec: Codec, text: PendingText, file: KeptAs): Promise<Uint8Array> {
  const { format, raw, byCells } = file;
  const own = fileText(file, currentText(text)) ?? '';
  const whole = raw === undefined || byCells ? own : withLineEndsOf(own, [raw]);
  return encodeFile(codec, whole, format ?? { encoding: 'utf8', mark: false });
}
