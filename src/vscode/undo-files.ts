import * as vscode from 'vscode';
import type { FileName, GoneText, Undone } from '../review/undecided-files.ts';
import { baseText, currentText, type Selection } from '../review/undecided-text.ts';
import type { EditStore } from './edit-store.ts';
import type { Announced } from './file-writer.ts';
import { openDocument, statOf } from './place-uri.ts';
import { addReplacement } from './replace-text.ts';

/**
 * Takes edits back, `selection` or else everything, of all files in one step for the editor's own Undo; a file whose old name
 * another of them has to leave first takes a second one. Gives the files in which something had to stay, because nobody can
 * tell what would be there without the edits. A file with unsaved changes stays unsaved, and none is written over.
 */
export async function undoFiles(
  store: EditStore,
  uris: readonly vscode.Uri[],
  selection: Selection = {},
): Promise<readonly vscode.Uri[]> {
  const conflicting: vscode.Uri[] = [];
  let left = uris;
  while (left.length > 0) {
    const step = await undoStep(store, left, selection);
    if (step === undefined) {
      void vscode.window.showWarningMessage(vscode.l10n.t('A file changed just now; nothing was undone. Try again.'));
      break;
    }
    conflicting.push(...step.conflicting);
    if (step.unsaved.length > 0) {
      const names = step.unsaved.map((uri) => vscode.workspace.asRelativePath(uri)).join(', ');
      void vscode.window.showWarningMessage(vscode.l10n.t('Undone in the editor, but could not be saved: {0}', names));
    }
    if (step.taken.length === left.length) {
      const names = step.taken.map(({ path }) => path).join(', ');
      const text = vscode.l10n.t(
        'Not undone, because there is a file of that name again: {0}. Rename or undo it first.',
        names,
      );
      void vscode.window.showWarningMessage(text);
      break;
    }
    left = step.taken.map(({ of }) => of);
  }
  return conflicting;
}

interface UndoStep {
  conflicting: readonly vscode.Uri[];
  /** Left as they are, because the name that they get back is that of another file now. */
  taken: readonly { of: vscode.Uri; path: string }[];
  unsaved: readonly vscode.Uri[];
}

/** Undefined: VS Code refused all of it. */
async function undoStep(
  store: EditStore,
  uris: readonly vscode.Uri[],
  selection: Selection,
): Promise<UndoStep | undefined> {
  const edit = new vscode.WorkspaceEdit();
  const conflicting: vscode.Uri[] = [];
  const taken: UndoStep['taken'][number][] = [];
  const told: Announced[] = [];
  const toSave: vscode.Uri[] = [];
  /** `edit.size` does not count them. */
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
    const getsName = file.kind === 'deleted' || undone.to.uri !== file.uri;
    if (getsName && (await isTaken(undone.to, uri))) {
      undone.failed();
      continue;
    }
    told.push(undone);
    if (undone.conflicts > 0) conflicting.push(to);
    if (file.kind === 'deleted') {
      edit.createFile(uri, { overwrite: false, contents: bytesOf(undone, file) });
      changesFiles = true;
      continue;
    }
    if (undone.isGone) {
      edit.deleteFile(uri, { ignoreIfNotExists: true });
      changesFiles = true;
      continue;
    }
    const wasDirty = openDocument(uri)?.isDirty ?? false;
    const document = await vscode.workspace.openTextDocument(uri);
    addReplacement(edit, document, currentText(undone.text));
    if (getsName) {
      edit.renameFile(uri, to, { overwrite: false });
      if (file.over) edit.createFile(uri, { overwrite: false, contents: bytesOfGone(file.over) });
      changesFiles = true;
    }
    // One without a file would ask where it is to be saved.
    if (!wasDirty && !document.isUntitled) toSave.push(to);
  }
  if (!changesFiles && edit.size === 0) {
    for (const one of told) one.done();
    return { conflicting, taken, unsaved: [] };
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    for (const one of told) one.failed();
    return undefined;
  }
  for (const one of told) one.done();
  const unsaved: vscode.Uri[] = [];
  for (const uri of toSave) if ((await openDocument(uri)?.save()) === false) unsaved.push(uri);
  return { conflicting, taken, unsaved };
}

function bytesOf({ text }: Undone, { lineEnd }: Pick<GoneText, 'lineEnd'>): Uint8Array {
  return withLineEnds(currentText(text), lineEnd);
}

function bytesOfGone({ text, lineEnd }: GoneText): Uint8Array {
  return withLineEnds(baseText(text), lineEnd);
}

function withLineEnds(text: string, lineEnd: '\r\n' | undefined): Uint8Array {
  return Buffer.from(lineEnd === undefined ? text : text.replaceAll('\n', lineEnd));
}
