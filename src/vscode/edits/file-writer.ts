import { stat as statOnDisk } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import { messageOf } from '../../base/message-of.ts';
import type { AppliedChange, EditPort } from '../../edits/apply/edit-ports.ts';
import type { CheckpointFiles } from '../../edits/checkpoints/checkpoints.ts';
import type { EditOrigin } from '../../edits/pending/edit-origin.ts';
import type { Codec } from '../../files/codec.ts';
import { decodeFile, encodeFile, lineEndsOf, type TextFormat } from '../../files/file-text.ts';
import { displayPath, type Place, type Workspace } from '../../files/workspace.ts';
import { openNotebook } from '../workspace/notebook-cells.ts';
import { bytesOf, openDocument, statOf, uriOfPlace } from '../workspace/place-uri.ts';
import { isReadOnlyInEditor } from '../workspace/read-only.ts';
import { createCheckpointFiles } from './checkpoint-files.ts';
import { missingFolders } from './made-folders.ts';
import { isSavedUnchanged, openInFormat, saveOrRefuse, textArrives, trySave } from './open-as.ts';
import { committed, type PendingWrite } from './pending-write.ts';
import { addReplacement, applyEdit, sameText } from './replace-text.ts';

export interface FileName {
  uri: vscode.Uri;
  path: string;
}

/**
 * Describes one write for the review. A missing `before` or `after` means that no text exists; files that are not
 * text are not reviewed.
 */
export interface WrittenFile extends FileName {
  before?: string;
  after?: string;
  /** Restoring or saving the file again must use this format. */
  format?: TextFormat;
  /** Lists the URIs of folders made for a new file, the outermost first, for `removeEmptyFolders` when it is undone. */
  madeFolders?: readonly string[];
  by: EditOrigin;
}

export interface DecidedFile {
  uri: vscode.Uri;
  after: string;
  by: EditOrigin;
}

/** A missing `after` means that the file is gone or is not text. */
export interface RestoredFile {
  uri: vscode.Uri;
  after?: string;
}

export interface WriteListener {
  begin(file: WrittenFile): PendingWrite;
  beginRename(renamed: { from: FileName; to: FileName; text: string; by: EditOrigin }): PendingWrite;
  /**
   * Until the returned function is called, changes to the document except typing belong to the edit, because saving
   * may format the file.
   */
  saving(uri: vscode.Uri, by: EditOrigin): () => void;
  decided(file: DecidedFile): void;
  /** Records that the user restored all of these together. */
  restored(files: readonly RestoredFile[]): void;
}

/**
 * Every write of a file goes through here and, through it, the editor, so that Undo reverts it and nothing unsaved is
 * lost.
 */
export function createFileWriter(
  workspace: Workspace,
  listener: WriteListener,
): { portFor(conversationId: string | undefined): EditPort; files: CheckpointFiles } {
  const { codec } = workspace;
  const nameOf = (place: Place): FileName => ({ uri: uriOfPlace(place), path: displayPath(workspace, place) });
  return {
    portFor: (conversationId) => ({
      isWritable,
      async apply(change, { turnId, callId }) {
        const name = nameOf(change.place);
        const by = { turnId, callId, ...(conversationId !== undefined && { conversationId }) };
        switch (change.kind) {
          case 'write': {
            const { before, after, format, decided } = change;
            const begin = (madeFolders?: readonly string[]) => {
              if (decided) return { ...unseen, commit: () => listener.decided({ uri: name.uri, after, by }) };
              const known = { ...(before !== undefined && { before }), ...(madeFolders && { madeFolders }) };
              return listener.begin({ ...name, ...known, after, format, by });
            };
            const task = { codec, ...name, after, format };
            if (before === undefined) return create(task, change.place, begin);
            const saving = () => (decided ? () => undefined : listener.saving(name.uri, by));
            return edit({ ...task, before }, { begin, saving });
          }
          case 'delete': {
            const { before, format } = change;
            const known = { ...(before !== undefined && { before }), ...(format && { format }) };
            return remove(name, before, () => listener.begin({ ...name, ...known, by }));
          }
          case 'rename':
            return move({ codec, place: change.place, from: name, to: nameOf(change.to) }, (renamed) =>
              listener.beginRename({ ...renamed, by }),
            );
        }
      },
    }),
    files: createCheckpointFiles(codec, listener),
  };
}

const unseen: PendingWrite = { commit: () => undefined, abort: () => undefined };

interface NewText extends FileName {
  codec: Codec;
  after: string;
  format: TextFormat;
}

type OtherText = NewText & { before: string };

type Begin = () => PendingWrite;

async function isWritable(place: Place): Promise<boolean> {
  const uri = uriOfPlace(place);
  if (isReadOnlyInEditor(uri)) return false;
  if (place.root.fsPath !== undefined && uri.scheme === 'file') {
    // The owner's bit, not access(2): an administrator may write everything and still marked the file.
    return ((await statOnDisk(uri.fsPath)).mode & 0o200) !== 0;
  }
  return (((await statOf(uri))?.permissions ?? 0) & vscode.FilePermission.Readonly) === 0;
}

async function create(
  { codec, uri, path, after, format }: NewText,
  place: Place,
  begin: (madeFolders?: readonly string[]) => PendingWrite,
): Promise<AppliedChange> {
  if ((await statOf(uri)) !== undefined || openDocument(uri)?.isDirty) throw changed(path);
  const contents = await encodeFile(codec, after, format);
  const made = (await missingFolders(place)).map((folder) => uriOfPlace({ root: place.root, path: folder }).toString());
  // Not as an edit: the editor's Undo would delete the file, without a question and for good.
  await committed(
    () => begin(made.length > 0 ? made : undefined),
    () => vscode.workspace.fs.writeFile(uri, contents),
  );
  return {};
}

async function edit(
  change: OtherText,
  { begin, saving }: { begin: Begin; saving(): () => void },
): Promise<AppliedChange> {
  const { uri, path, before, after, format } = change;
  if (openNotebook(uri)?.isDirty) {
    throw new ToolError(`${path} is open as a notebook with unsaved changes, so it was not changed.`);
  }
  const wasDirty = openDocument(uri)?.isDirty ?? false;
  // An editor gives all lines of a file the same end and UTF-16 a mark: such a file is written as bytes, or it would change where nobody edited.
  const isSavedAsIs = isSavedUnchanged(format) && lineEndsOf(before) !== 'mixed';
  if (!wasDirty && !isSavedAsIs) return overwrite(change, begin);
  const document = await openWith(uri, before, format);
  if (document === undefined) {
    // Unsaved text is never written over. Without any, what is on disk is the file.
    if (openDocument(uri)?.isDirty) throw changed(path);
    return overwrite(change, begin);
  }
  const workspaceEdit = new vscode.WorkspaceEdit();
  addReplacement(workspaceEdit, document, after);
  // The edit carries the version of the document: VS Code refuses it when a key is pressed before it arrives.
  await committed(begin, () => applyEdit(workspaceEdit, path));
  const endSaving = saving();
  const isTold = await trySave(document).finally(endSaving);
  const text = document.getText();
  // The editor also answers that it did not save where somebody else, such as its auto save, was faster.
  const saved = isTold || (await isOnDisk(change, text));
  return {
    ...(sameText(text, after) ? {} : { text }),
    ...(saved ? {} : { note: 'not-saved' }),
  };
}

async function isOnDisk({ codec, uri, format }: OtherText, text: string): Promise<boolean> {
  const bytes = await bytesOf(uri);
  return bytes !== undefined && Buffer.compare(bytes, await encodeFile(codec, text, format)) === 0;
}

async function openWith(uri: vscode.Uri, text: string, format: TextFormat): Promise<vscode.TextDocument | undefined> {
  const isIt = (candidate: vscode.TextDocument) => sameText(candidate.getText(), text);
  try {
    const document = await openInFormat(uri, format);
    if (isIt(document)) return document;
    // A program wrote the file and the editor has not noticed yet.
    return !document.isDirty && (await textArrives(document, isIt)) ? document : undefined;
  } catch (error) {
    throw new ToolError(`The editor could not open the file (${codeOrMessage(error)}). Nothing was changed.`);
  }
}

async function overwrite({ codec, uri, path, before, after, format }: OtherText, begin: Begin): Promise<AppliedChange> {
  const wanted = await encodeFile(codec, after, format);
  const expected = await encodeFile(codec, before, format);
  if (Buffer.compare(await vscode.workspace.fs.readFile(uri), expected) !== 0) throw changed(path);
  await committed(begin, () => vscode.workspace.fs.writeFile(uri, wanted));
  return { note: 'written-directly' };
}

async function remove({ uri, path }: FileName, before: string | undefined, begin: Begin): Promise<AppliedChange> {
  const document = openDocument(uri);
  if (document?.isDirty) {
    if (before !== undefined && !sameText(document.getText(), before)) throw changed(path);
    // Saved first: the trash then has what the user saw, and no editor stays behind with unsaved text of a file that is gone.
    await saveOrRefuse(document, path, 'it was not deleted');
  }
  return (await committed(begin, () => toTrash(uri))) ? {} : { note: 'no-trash' };
}

/** Resolves with false when the file was deleted because there is no trash. */
async function toTrash(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
    return true;
  } catch (error) {
    if ((await statOf(uri)) === undefined) return true;
    try {
      await vscode.workspace.fs.delete(uri, { useTrash: false });
      return false;
    } catch {
      // The first reason is the one that says something.
      throw new ToolError(`It could not be deleted (${codeOrMessage(error)}).`);
    }
  }
}

async function move(
  { codec, place, from, to }: { codec: Codec; place: Place; from: FileName; to: FileName },
  beginRename: (names: { from: FileName; to: FileName; text: string }) => PendingWrite,
): Promise<AppliedChange> {
  const open = openDocument(from.uri);
  if (open?.isDirty) await saveOrRefuse(open, from.path, 'it was not renamed');
  const decoded = await decodeFile(codec, place, await vscode.workspace.fs.readFile(from.uri));
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from.uri, to.uri, { overwrite: false });
  const begin = () => (decoded.ok ? beginRename({ from, to, text: decoded.file.text }) : unseen);
  await committed(begin, () => applyEdit(edit, from.path));
  return {};
}

function changed(path: string): ToolError {
  return new ToolError(`${path} changed just now, so nothing was changed. Read it again.`);
}

function codeOrMessage(error: unknown): string {
  return error instanceof vscode.FileSystemError ? error.code : messageOf(error);
}
