import * as vscode from 'vscode';
import type { CheckpointFiles } from '../conversation/checkpoints.ts';
import { decodeFile, encodeFile } from '../tools/file-text.ts';
import type { Place } from '../tools/workspace.ts';
import type { RestoredFile, WriteListener } from './file-writer.ts';
import { bytesOf, openDocument, statOf, uriOfPlace } from './place-uri.ts';
import { addReplacement, applyEdit } from './replace-text.ts';

export function createCheckpointFiles(listener: WriteListener): CheckpointFiles {
  return {
    read: readShown,
    put: (changes) => putBack(changes, listener),
  };
}

async function readShown(place: Place): Promise<Uint8Array | undefined> {
  const uri = uriOfPlace(place);
  const bytes = await bytesOf(uri);
  const document = openDocument(uri);
  if (bytes === undefined || !document?.isDirty) return bytes;
  const decoded = decodeFile(bytes);
  return decoded.ok ? encodeFile(document.getText(), decoded.file) : bytes;
}

/** One edit for all files, so that one Undo takes all of it back; what the editor cannot do as asked is done as bytes. */
async function putBack(
  changes: readonly { place: Place; bytes: Uint8Array | undefined }[],
  listener: WriteListener,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const documents: vscode.TextDocument[] = [];
  const restored: RestoredFile[] = [];
  /** `edit.size` does not count them. */
  let createsOrDeletes = false;
  for (const { place, bytes } of changes) {
    const uri = uriOfPlace(place);
    const decoded = bytes && decodeFile(bytes);
    const exists = (await statOf(uri)) !== undefined;
    if (bytes === undefined) {
      if (exists) edit.deleteFile(uri, { ignoreIfNotExists: true });
      createsOrDeletes ||= exists;
    } else if (exists && decoded?.ok) {
      const document = await vscode.workspace.openTextDocument(uri);
      addReplacement(edit, document, decoded.file.text);
      documents.push(document);
    } else {
      edit.createFile(uri, { overwrite: true, contents: bytes });
      createsOrDeletes = true;
    }
    restored.push({ uri, ...(decoded?.ok ? { after: decoded.file.text } : {}) });
  }
  listener.restored(restored);
  if (createsOrDeletes || edit.size > 0) await applyEdit(edit, 'The files');
  for (const document of documents) await document.save();
  for (const { place, bytes } of changes) {
    const uri = uriOfPlace(place);
    const now = bytes && (await bytesOf(uri));
    if (bytes !== undefined && (now === undefined || Buffer.compare(now, bytes) !== 0)) {
      await vscode.workspace.fs.writeFile(uri, bytes);
    }
  }
}
