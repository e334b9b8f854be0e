import * as vscode from 'vscode';
import type { LineHunk } from '../tools/line-diff.ts';
import type { EditStore } from './edit-store.ts';
import type { FileName, GoneText } from './pending-files.ts';
import { openDocument, statOf } from './place-uri.ts';
import { addReplacement } from './replace-text.ts';

/**
 * Takes edits back, `hunks` or else everything, of all files in one step for the editor's own Undo; a file whose old name
 * another of them has to leave first takes a second one. Gives the files in which something had to stay, because the user
 * changed the same lines. A file with unsaved changes stays unsaved, and none is written over.
 */
export async function undoFiles(
  store: EditStore,
  uris: readonly vscode.Uri[],
  hunks?: readonly LineHunk[],
): Promise<readonly vscode.Uri[]> {
  const conflicting: vscode.Uri[] = [];
  let left = uris;
  while (left.length > 0) {
    const step = await undoStep(store, left, hunks);
    if (step === undefined) {
      void vscode.window.showWarningMessage(vscode.l10n.t('A file changed just now; nothing was undone. Try again.'));
      break;
    }
    conflicting.push(...step.conflicting);
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
}

/** Undefined: VS Code refused all of it. */
async function undoStep(
  store: EditStore,
  uris: readonly vscode.Uri[],
  hunks: readonly LineHunk[] | undefined,
): Promise<UndoStep | undefined> {
  const edit = new vscode.WorkspaceEdit();
  const conflicting: vscode.Uri[] = [];
  const taken: UndoStep['taken'][number][] = [];
  const done: (() => void)[] = [];
  const toSave: vscode.Uri[] = [];
  /** `edit.size` does not count them. */
  let changesFiles = false;
  const isTaken = async (name: FileName, of: vscode.Uri) => {
    if ((await statOf(name.uri)) === undefined) return false;
    taken.push({ of, path: name.path });
    return true;
  };
  for (const given of uris) {
    const file = await store.refresh(given);
    if (file === undefined) continue;
    const { uri } = file;
    if (file.kind === 'deleted') {
      if (await isTaken(file, uri)) continue;
      edit.createFile(uri, { overwrite: false, contents: bytesOfGone({ ...file, base: file.text.base }) });
      changesFiles = true;
      done.push(() => store.keep(uri));
      continue;
    }
    const undoing = store.undo(uri, hunks);
    if (undoing === undefined) continue;
    const { to } = undoing;
    const isMoved = to.uri.toString() !== uri.toString();
    if (isMoved && (await isTaken(to, uri))) continue;
    if (undoing.conflicts > 0) conflicting.push(to.uri);
    if (file.kind === 'created' && undoing.text === '') {
      edit.deleteFile(uri, { ignoreIfNotExists: true });
      changesFiles = true;
      done.push(() => store.keep(uri));
      continue;
    }
    const wasDirty = openDocument(uri)?.isDirty ?? false;
    const document = await vscode.workspace.openTextDocument(uri);
    addReplacement(edit, document, undoing.text);
    if (isMoved) {
      edit.renameFile(uri, to.uri, { overwrite: false });
      if (file.over) edit.createFile(uri, { overwrite: false, contents: bytesOfGone(file.over) });
      changesFiles = true;
    }
    done.push(undoing.done);
    // One without a file would ask where it is to be saved.
    if (!wasDirty && !document.isUntitled) toSave.push(to.uri);
  }
  if (!changesFiles && edit.size === 0) return { conflicting, taken };
  if (!(await vscode.workspace.applyEdit(edit))) return undefined;
  for (const one of done) one();
  for (const uri of toSave) await openDocument(uri)?.save();
  return { conflicting, taken };
}

function bytesOfGone({ base, lineEnd }: GoneText): Uint8Array {
  const text = base.join('');
  return Buffer.from(lineEnd === undefined ? text : text.replaceAll('\n', lineEnd));
}
