import { stat as statOnDisk } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ToolError } from '../agent/tool.ts';
import type { CheckpointFiles } from '../conversation/checkpoints.ts';
import type { EditOrigin } from '../review/edit-origin.ts';
import type { AppliedChange, EditPort, FileChange } from '../tools/edit-ports.ts';
import { decodeFile, encodeFile, lineEndsOf, type TextFormat } from '../tools/file-text.ts';
import { displayPath, type Place, type Workspace } from '../tools/workspace.ts';
import { createCheckpointFiles } from './checkpoint-files.ts';
import { openDocument, statOf, uriOfPlace } from './place-uri.ts';
import { addReplacement, applyEdit } from './replace-text.ts';

export interface FileName {
  uri: vscode.Uri;
  /** As displayed. */
  path: string;
}

/** What is done to a file, for the review. Absent: there is none. Texts only; other files are not reviewed. */
export interface WrittenFile extends FileName {
  before?: string;
  after?: string;
  by: EditOrigin;
}

/** What was told of before it happens: exactly one of these follows. */
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
  /** What changes from now on, besides what is typed, belongs to the edit: saving formats the file. Gives its end. */
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
  const shown = (place: Place) => displayPath(workspace, place);
  return {
    portFor: (conversationId) => ({
      isWritable,
      async apply(change, { turnId, callId }) {
        const uri = uriOfPlace(change.place);
        const path = shown(change.place);
        const by = { turnId, callId, ...(conversationId !== undefined && { conversationId }) };
        const written = ({ before, after }: { before?: string; after?: string }) =>
          listener.writing({
            uri,
            path,
            by,
            ...(before !== undefined && { before }),
            ...(after !== undefined && { after }),
          });
        switch (change.kind) {
          case 'write': {
            const tell = () => {
              if (!change.decided) return written(change);
              return { done: () => listener.decided({ uri, after: change.after }), failed: () => undefined };
            };
            if (change.before === undefined) return create(change, path, tell);
            const saving = () => (change.decided ? () => undefined : listener.saving(uri, by));
            return edit(change, change.before, path, { tell, saving });
          }
          case 'delete':
            return remove(uri, path, change.before, () => written(change));
          case 'rename':
            return move({ uri, path }, { uri: uriOfPlace(change.to), path: shown(change.to) }, (names) =>
              listener.renaming({ ...names, by }),
            );
        }
      },
    }),
    files: createCheckpointFiles(listener),
  };
}
/** Tells that a write is about to happen. */
type Tell = () => Announced;

/** Told first, because the events of the write arrive before its result. */
async function telling<T>(tell: Tell, write: () => Thenable<T>): Promise<T> {
  const told = tell();
  try {
    const result = await write();
    told.done();
    return result;
  } catch (error) {
    told.failed();
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

type Write = Extract<FileChange, { kind: 'write' }>;

async function create({ place, after, format }: Write, path: string, tell: Tell): Promise<AppliedChange> {
  const uri = uriOfPlace(place);
  if ((await statOf(uri)) !== undefined || openDocument(uri)?.isDirty) throw changed(path);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { overwrite: false, contents: encodeFile(after, format) });
  await telling(tell, () => applyEdit(edit, path));
  return {};
}

async function edit(
  change: Write,
  before: string,
  path: string,
  { tell, saving }: { tell: Tell; saving(): () => void },
): Promise<AppliedChange> {
  const { place, after, format } = change;
  const uri = uriOfPlace(place);
  if (vscode.workspace.notebookDocuments.some((book) => book.isDirty && book.uri.toString() === uri.toString())) {
    throw new ToolError(`${path} is open as a notebook with unsaved changes, so it was not changed.`);
  }
  const wasDirty = openDocument(uri)?.isDirty ?? false;
  // An editor gives all lines of a file the same end: such a file is written as bytes, or lines would change that nobody edited.
  if (!wasDirty && lineEndsOf(before) === 'mixed') return overwrite(uri, before, after, format, path, tell);
  const document = await openWith(uri, before, format);
  if (document === undefined) {
    // Unsaved text is never written over. Without any, what is on disk is the file.
    if (openDocument(uri)?.isDirty) throw changed(path);
    return overwrite(uri, before, after, format, path, tell);
  }
  const workspaceEdit = new vscode.WorkspaceEdit();
  addReplacement(workspaceEdit, document, after);
  // The edit carries the version of the document: VS Code refuses it when a key is pressed before it arrives.
  await telling(tell, () => applyEdit(workspaceEdit, path));
  const endSaving = saving();
  const saved = await Promise.resolve(document.save()).finally(endSaving);
  const text = document.getText();
  return {
    ...(sameText(text, after) ? {} : { text }),
    ...(saved ? {} : { note: 'not-saved' }),
  };
}

/** The document, decoded as the tools decoded it. Undefined when it cannot be had like that. */
async function openWith(uri: vscode.Uri, text: string, format: TextFormat): Promise<vscode.TextDocument | undefined> {
  const isIt = (candidate: vscode.TextDocument) => sameText(candidate.getText(), text);
  const usable = (candidate: vscode.TextDocument) => (isIt(candidate) ? candidate : undefined);
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    if (isIt(document) || document.isDirty) return usable(document);
    if (decodesOtherwise(document, format)) {
      return usable(await vscode.workspace.openTextDocument(uri, { encoding: encodingOf(format) }));
    }
    // A program wrote the file and the editor has not noticed yet.
    return (await textArrives(document, isIt)) ? document : undefined;
  } catch (error) {
    throw new ToolError(`The editor could not open the file (${messageOf(error)}). Nothing was changed.`);
  }
}

/** VS Code's name of it. */
function encodingOf({ encoding, mark }: TextFormat): string {
  if (encoding === 'utf-8') return mark ? 'utf8bom' : 'utf8';
  return encoding.replace('-', '');
}

/** `files.encoding` may make something else of the bytes. */
function decodesOtherwise(document: vscode.TextDocument, format: TextFormat): boolean {
  return document.encoding !== encodingOf(format);
}

const reloadMs = 2000;

async function textArrives(
  document: vscode.TextDocument,
  isIt: (document: vscode.TextDocument) => boolean,
): Promise<boolean> {
  const arrived = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => arrived.resolve(isIt(document)), reloadMs);
  const subscription = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document === document && isIt(document)) arrived.resolve(true);
  });
  try {
    return await arrived.promise;
  } finally {
    clearTimeout(timer);
    subscription.dispose();
  }
}

async function overwrite(
  uri: vscode.Uri,
  before: string,
  after: string,
  format: TextFormat,
  path: string,
  tell: Tell,
): Promise<AppliedChange> {
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (Buffer.compare(bytes, encodeFile(before, format)) !== 0) throw changed(path);
  await telling(tell, () => vscode.workspace.fs.writeFile(uri, encodeFile(after, format)));
  return { note: 'written-directly' };
}

async function remove(uri: vscode.Uri, path: string, before: string | undefined, tell: Tell): Promise<AppliedChange> {
  const document = openDocument(uri);
  if (document?.isDirty) {
    if (before !== undefined && !sameText(document.getText(), before)) throw changed(path);
    // Saved first: the trash then has what the user saw, and no editor stays behind with unsaved text of a file that is gone.
    await document.save();
  }
  return (await telling(tell, () => toTrash(uri))) ? {} : { note: 'no-trash' };
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
  from: FileName,
  to: FileName,
  renaming: (names: { from: FileName; to: FileName; text: string }) => Announced,
): Promise<AppliedChange> {
  const open = openDocument(from.uri);
  if (open?.isDirty) await open.save();
  const decoded = decodeFile(await vscode.workspace.fs.readFile(from.uri));
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from.uri, to.uri, { overwrite: false });
  const untold = { done: () => undefined, failed: () => undefined };
  const tell = () => (decoded.ok ? renaming({ from, to, text: decoded.file.text }) : untold);
  await telling(tell, () => applyEdit(edit, from.path));
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
