import * as vscode from 'vscode';
import type { LineHunk } from '../tools/line-diff.ts';
import type { EditStore, PendingFile } from './edit-store.ts';
import { openDocument } from './place-uri.ts';
import { addReplacement } from './replace-text.ts';

/**
 * Takes edits back, `hunks` or else everything, of all files in one step for the editor's own Undo. Gives the files in which
 * something had to stay, because the user changed the same lines. A file with unsaved changes stays unsaved.
 */
export async function undoFiles(
  store: EditStore,
  uris: readonly vscode.Uri[],
  hunks?: readonly LineHunk[],
): Promise<readonly vscode.Uri[]> {
  const edit = new vscode.WorkspaceEdit();
  const conflicting: vscode.Uri[] = [];
  const done: (() => void)[] = [];
  const toSave: vscode.TextDocument[] = [];
  /** `edit.size` does not count them. */
  let createsOrDeletes = false;
  for (const uri of uris) {
    await store.refresh(uri);
    const file = store.get(uri);
    if (file === undefined) continue;
    if (file.kind === 'deleted') {
      edit.createFile(uri, { overwrite: false, contents: Buffer.from(baseOf(file)) });
      createsOrDeletes = true;
      done.push(() => store.keep(uri));
      continue;
    }
    const undoing = store.undo(uri, hunks);
    if (undoing === undefined) continue;
    if (undoing.conflicts > 0) conflicting.push(uri);
    if (file.kind === 'created' && undoing.text === '') {
      edit.deleteFile(uri, { ignoreIfNotExists: true });
      createsOrDeletes = true;
      done.push(() => store.keep(uri));
      continue;
    }
    const wasDirty = openDocument(uri)?.isDirty ?? false;
    const document = await vscode.workspace.openTextDocument(uri);
    addReplacement(edit, document, undoing.text);
    done.push(undoing.done);
    // One without a file would ask where it is to be saved.
    if (!wasDirty && !document.isUntitled) toSave.push(document);
  }
  if (!createsOrDeletes && edit.size === 0) return conflicting;
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showWarningMessage(vscode.l10n.t('A file changed just now; nothing was undone. Try again.'));
    return [];
  }
  for (const one of done) one();
  for (const document of toSave) await document.save();
  return conflicting;
}

function baseOf({ text, lineEnd }: PendingFile): string {
  const base = text.base.join('');
  return lineEnd === undefined ? base : base.replaceAll('\n', lineEnd);
}
