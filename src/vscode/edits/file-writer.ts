import { stat as statOnDisk } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import type { AppliedChange, EditPort } from '../../edits/apply/edit-ports.ts';
import type { CheckpointFiles } from '../../edits/checkpoints/checkpoints.ts';
import type { EditOrigin } from '../../edits/pending/edit-origin.ts';
import type { Codec } from '../../files/codec.ts';
import { decodeFile, encodeFile, lineEndsOf, type TextFormat } from '../../files/file-text.ts';
import { displayPath, type Place, type Workspace } from '../../files/workspace.ts';
import { openNotebook } from '../workspace/notebook-cells.ts';
import { openDocument, statOf, uriOfPlace } from '../workspace/place-uri.ts';
import { createCheckpointFiles } from './checkpoint-files.ts';
import { missingFolders } from './made-folders.ts';
import { isSavedUnchanged, openInFormat, saveOrRefuse, textArrives, trySave } from './open-as.ts';
import { addReplacement, applyEdit } from './replace-text.ts';

export interface FileName {
  uri: vscode.Uri;
  /** As displayed. */
  path: string;
}

/** One write, for the review. Absent texts: there is none. Texts only; other files are not reviewed. */
export interface WrittenFile extends FileName {
  before?: string;
  after?: string;
  /** How the text is kept on disk: a file that is put back, or saved again, is written like that. */
  format?: TextFormat;
  /** Addresses of the folders that are made for a new file, the outermost first: for `removeEmptyFolders` when it is undone. */
  madeFolders?: readonly string[];
  by: EditOrigin;
}

/** A write is told of before it happens: then exactly one of these follows. */
export interface Announced {
  done(): void;
  failed(): void;
}

export interface DecidedFile {
  uri: vscode.Uri;
  after: string;
}

/** Absent: there is none any more, or it is no text. */
export interface RestoredFile {
  uri: vscode.Uri;
  after?: string;
}

/** Who is told of writes, before VS Code tells of them. */
export interface WriteListener {
  writing(file: WrittenFile): Announced;
  /** A file with this text gets another name. */
  renaming(renamed: { from: FileName; to: FileName; text: string; by: EditOrigin }): Announced;
  /** From now on changes to the document, except typing, belong to the edit: saving formats the file. Gives its end. */
  saving(uri: vscode.Uri, by: EditOrigin): () => void;
  /** The user decided that the file has this text now. */
  decided(file: DecidedFile): void;
  /** The user had all of these put back as they were before. */
  restored(files: readonly RestoredFile[]): void;
}

/**
 * The one place that writes files. Everything goes through the editor, so that Undo takes it back and nothing unsaved
 * is lost.
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
            const announce = (madeFolders?: readonly string[]) => {
              if (decided) return { ...unannounced, done: () => listener.decided({ uri: name.uri, after }) };
              const known = { ...(before !== undefined && { before }), ...(madeFolders && { madeFolders }) };
              return listener.writing({ ...name, ...known, after, format, by });
            };
            const task = { codec, ...name, after, format };
            if (before === undefined) return create(task, change.place, announce);
            const saving = () => (decided ? () => undefined : listener.saving(name.uri, by));
            return edit({ ...task, before }, { announce, saving });
          }
          case 'delete': {
            const { before, format } = change;
            const known = { ...(before !== undefined && { before }), ...(format && { format }) };
            return remove(name, before, () => listener.writing({ ...name, ...known, by }));
          }
          case 'rename':
            return move({ codec, place: change.place, from: name, to: nameOf(change.to) }, (renamed) =>
              listener.renaming({ ...renamed, by }),
            );
        }
      },
    }),
    files: createCheckpointFiles(codec, listener),
  };
}

const unannounced: Announced = { done: () => undefined, failed: () => undefined };

interface NewText extends FileName {
  codec: Codec;
  after: string;
  format: TextFormat;
}

type OtherText = NewText & { before: string };

/** Tells that a write is about to happen. */
type Announce = () => Announced;

/** Told first, because the events of the write arrive before its result. */
async function announcing<T>(announce: Announce, write: () => Thenable<T>): Promise<T> {
  const announced = announce();
  try {
    const result = await write();
    announced.done();
    return result;
  } catch (error) {
    announced.failed();
    throw error;
  }
}

async function isWritable(place: Place): Promise<boolean> {
  const uri = uriOfPlace(place);
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return false;
  if (place.root.fsPath !== undefined && uri.scheme === 'file') {
    // The owner's bit, not access(2): an administrator may write everything and still marked the file.
    return ((await statOnDisk(uri.fsPath)).mode & 0o200) !== 0;
  }
  return (((await statOf(uri))?.permissions ?? 0) & vscode.FilePermission.Readonly) === 0;
}

async function create(
  { codec, uri, path, after, format }: NewText,
  place: Place,
  announce: (madeFolders?: readonly string[]) => Announced,
): Promise<AppliedChange> {
  if ((await statOf(uri)) !== undefined || openDocument(uri)?.isDirty) throw changed(path);
  const contents = await encodeFile(codec, after, format);
  const made = (await missingFolders(place)).map((folder) => uriOfPlace({ root: place.root, path: folder }).toString());
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { overwrite: false, contents });
  await announcing(
    () => announce(made.length > 0 ? made : undefined),
    () => applyEdit(edit, path),
  );
  return {};
}

async function edit(
  change: OtherText,
  { announce, saving }: { announce: Announce; saving(): () => void },
): Promise<AppliedChange> {
  const { uri, path, before, after, format } = change;
  if (openNotebook(uri)?.isDirty) {
    throw new ToolError(`${path} is open as a notebook with unsaved changes, so it was not changed.`);
  }
  const wasDirty = openDocument(uri)?.isDirty ?? false;
  // An editor gives all lines of a file the same end and UTF-16 a mark: such a file is written as bytes, or it would change where nobody edited.
  const isSavedAsIs = isSavedUnchanged(format) && lineEndsOf(before) !== 'mixed';
  if (!wasDirty && !isSavedAsIs) return overwrite(change, announce);
  const document = await openWith(uri, before, format);
  if (document === undefined) {
    // Unsaved text is never written over. Without any, what is on disk is the file.
    if (openDocument(uri)?.isDirty) throw changed(path);
    return overwrite(change, announce);
  }
  const workspaceEdit = new vscode.WorkspaceEdit();
  addReplacement(workspaceEdit, document, after);
  // The edit carries the version of the document: VS Code refuses it when a key is pressed before it arrives.
  await announcing(announce, () => applyEdit(workspaceEdit, path));
  const endSaving = saving();
  const saved = await trySave(document).finally(endSaving);
  const text = document.getText();
  return {
    ...(sameText(text, after) ? {} : { text }),
    ...(saved ? {} : { note: 'not-saved' }),
  };
}

/** The document, decoded as the tools decoded it. Undefined when it cannot be had like that. */
async function openWith(uri: vscode.Uri, text: string, format: TextFormat): Promise<vscode.TextDocument | undefined> {
  const isIt = (candidate: vscode.TextDocument) => sameText(candidate.getText(), text);
  try {
    const document = await openInFormat(uri, format);
    if (isIt(document)) return document;
    // A program wrote the file and the editor has not noticed yet.
    return !document.isDirty && (await textArrives(document, isIt)) ? document : undefined;
  } catch (error) {
    throw new ToolError(`The editor could not open the file (${messageOf(error)}). Nothing was changed.`);
  }
}

async function overwrite(
  { codec, uri, path, before, after, format }: OtherText,
  announce: Announce,
): Promise<AppliedChange> {
  const wanted = await encodeFile(codec, after, format);
  const expected = await encodeFile(codec, before, format);
  if (Buffer.compare(await vscode.workspace.fs.readFile(uri), expected) !== 0) throw changed(path);
  await announcing(announce, () => vscode.workspace.fs.writeFile(uri, wanted));
  return { note: 'written-directly' };
}

async function remove({ uri, path }: FileName, before: string | undefined, announce: Announce): Promise<AppliedChange> {
  const document = openDocument(uri);
  if (document?.isDirty) {
    if (before !== undefined && !sameText(document.getText(), before)) throw changed(path);
    // Saved first: the trash then has what the user saw, and no editor stays behind with unsaved text of a file that is gone.
    await saveOrRefuse(document, path, 'it was not deleted');
  }
  return (await announcing(announce, () => toTrash(uri))) ? {} : { note: 'no-trash' };
}

/** False: deleted, because there is no trash. */
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
      throw new ToolError(`It could not be deleted (${messageOf(error)}).`);
    }
  }
}

async function move(
  { codec, place, from, to }: { codec: Codec; place: Place; from: FileName; to: FileName },
  renaming: (names: { from: FileName; to: FileName; text: string }) => Announced,
): Promise<AppliedChange> {
  const open = openDocument(from.uri);
  if (open?.isDirty) await saveOrRefuse(open, from.path, 'it was not renamed');
  const decoded = await decodeFile(codec, place, await vscode.workspace.fs.readFile(from.uri));
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from.uri, to.uri, { overwrite: false });
  const announce = () => (decoded.ok ? renaming({ from, to, text: decoded.file.text }) : unannounced);
  await announcing(announce, () => applyEdit(edit, from.path));
  return {};
}

/** An editor may show other line ends than the file has. */
function sameText(one: string, other: string): boolean {
  return one === other || one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

function changed(path: string): ToolError {
  return new ToolError(`${path} changed just now, so nothing was changed. Read it again.`);
}

function messageOf(error: unknown): string {
  return error instanceof vscode.FileSystemError ? error.code : error instanceof Error ? error.message : String(error);
}
