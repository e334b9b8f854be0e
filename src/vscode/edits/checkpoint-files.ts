import * as vscode from 'vscode';
import type { CheckpointFiles, PutBack } from '../../edits/checkpoints/checkpoints.ts';
import type { Codec } from '../../files/codec.ts';
import { decodeFile, encodeFile } from '../../files/file-text.ts';
import type { Place } from '../../files/workspace.ts';
import { bytesOf, openDocument, statOf, uriOfPlace } from '../workspace/place-uri.ts';
import type { RestoredFile, WriteListener } from './file-writer.ts';
import { missingFolders, removeEmptyFolders } from './made-folders.ts';
import { openInFormat, trySave } from './open-as.ts';
import { ensureBytes } from './pending-write.ts';
import { addReplacement, applyEdit } from './replace-text.ts';

export function createCheckpointFiles(codec: Codec, listener: WriteListener): CheckpointFiles {
  return {
    read: (place) => readShown(codec, place),
    named: namedPlace,
    missingFolders,
    put: (changes) => putBack(changes, codec, listener),
  };
}

async function namedPlace(place: Place): Promise<Place | undefined> {
  const uri = uriOfPlace(place);
  if ((await statOf(uri)) === undefined) return undefined;
  const [folder, name] = [vscode.Uri.joinPath(uri, '..'), place.path.split('/').at(-1) ?? ''];
  const names = (await vscode.workspace.fs.readDirectory(folder)).map(([entry]) => entry);
  if (names.includes(name)) return place;
  const other = names.find((entry) => entry.toLowerCase() === name.toLowerCase());
  return other === undefined ? place : { ...place, path: place.path.slice(0, -name.length) + other };
}

async function readShown(codec: Codec, place: Place): Promise<Uint8Array | undefined> {
  const uri = uriOfPlace(place);
  const bytes = await bytesOf(uri);
  const document = openDocument(uri);
  if (bytes === undefined || !document?.isDirty) return bytes;
  const decoded = await decodeFile(codec, place, bytes);
  return decoded.ok ? encodeFile(codec, document.getText(), decoded.file) : bytes;
}

/**
 * Changes all files in one edit, so that one Undo reverts it; whatever the editor cannot do or save exactly is
 * written as bytes. Resolves with the files that could not be written.
 */
async function putBack(changes: readonly PutBack[], codec: Codec, listener: WriteListener): Promise<readonly Place[]> {
  const edit = new vscode.WorkspaceEdit();
  const documents: vscode.TextDocument[] = [];
  const restored: RestoredFile[] = [];
  /** `edit.size` does not count creations and deletions. */
  let createsOrDeletes = false;
  for (const { place, renamedFrom } of changes) {
    if (renamedFrom === undefined) continue;
    const rename = new vscode.WorkspaceEdit();
    rename.renameFile(uriOfPlace(renamedFrom), uriOfPlace(place), { overwrite: false });
    await applyEdit(rename, place.path);
  }
  for (const { place, bytes } of changes) {
    const uri = uriOfPlace(place);
    const decoded = bytes && (await decodeFile(codec, place, bytes));
    const exists = (await statOf(uri)) !== undefined;
    if (bytes === undefined) {
      if (exists) edit.deleteFile(uri, { ignoreIfNotExists: true });
      createsOrDeletes ||= exists;
    } else if (exists && decoded?.ok) {
      const document = await openInFormat(uri, decoded.file);
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
  for (const document of documents) await trySave(document);
  const failed = await writeWhatDiffers(changes);
  const gone = changes.filter(({ bytes }) => bytes === undefined);
  await removeEmptyFolders(
    gone.flatMap(({ place: { root }, madeFolders }) => madeFolders.map((path) => uriOfPlace({ root, path }))),
  );
  return failed;
}

async function writeWhatDiffers(changes: readonly PutBack[]): Promise<Place[]> {
  const failed: Place[] = [];
  for (const { place, bytes } of changes) {
    try {
      if (bytes !== undefined) await ensureBytes(uriOfPlace(place), bytes);
    } catch {
      failed.push(place);
    }
  }
  return failed;
}
