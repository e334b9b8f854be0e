import { ToolError } from '../../agent/tool.ts';
import { decodeFile, encodeFile, type FileText } from '../../files/file-text.ts';
import type { Files, Workspace } from '../../files/workspace.ts';
import type { EditPort } from './edit-ports.ts';
import type { WritePlace } from './write-place.ts';

/** Larger files are data, or generated. */
export const maxEditedBytes = 5 * 1024 * 1024;
/** Larger files cannot be deleted: the content has to be kept for the checkpoint. */
export const maxDeletedBytes = 10 * 1024 * 1024;

export interface FileAccess {
  workspace: Workspace;
  files: Files;
  port: EditPort;
}

/** A text file as it is now: what the editor shows where it has unsaved changes, else what is on disk. */
export interface CurrentFile extends FileText {
  /** The editor has unsaved changes; `text` is with them. */
  dirty: boolean;
  /** `text` as it would be on disk. */
  bytes: Uint8Array;
}

/** Undefined when there is nothing. Throws `ToolError` for everything that is not edited. */
export async function readCurrentFile(access: FileAccess, target: WritePlace): Promise<CurrentFile | undefined> {
  // Before the disk is looked at: an editor that saves in between has this text in both places.
  const unsaved = access.workspace.unsavedText(target.place);
  const found = await readBytes(access, target, maxEditedBytes);
  if (found === undefined) return undefined;
  const { codec } = access.workspace;
  const decoded = await decodeFile(codec, target.place, found);
  if (!decoded.ok) throw new ToolError(`${target.path} is ${decoded.reason}. It was not changed.`);
  const { file } = decoded;
  if (unsaved === undefined) return { ...file, dirty: false, bytes: found };
  return { ...file, text: unsaved, dirty: true, bytes: await encodeFile(codec, unsaved, file) };
}

/** The bytes of a file of any kind that is about to be deleted or moved, with its unsaved changes. */
export async function readDoomedFile(
  access: FileAccess,
  target: WritePlace,
): Promise<{ bytes: Uint8Array; file?: FileText; dirty: boolean } | undefined> {
  const unsaved = access.workspace.unsavedText(target.place);
  const bytes = await readBytes(access, target, maxDeletedBytes);
  if (bytes === undefined) return undefined;
  const { codec } = access.workspace;
  const decoded = await decodeFile(codec, target.place, bytes);
  if (!decoded.ok) return { bytes, dirty: unsaved !== undefined };
  const { file } = decoded;
  if (unsaved === undefined) return { bytes, file, dirty: false };
  return { bytes: await encodeFile(codec, unsaved, file), file: { ...file, text: unsaved }, dirty: true };
}

async function readBytes(
  { files, port }: FileAccess,
  { place, path, checked }: WritePlace,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const stat = await files.stat(place);
  if (stat === undefined) return undefined;
  if (stat.kind === 'directory') throw new ToolError(`${path} is a folder. Only files can be changed.`);
  if (stat.kind !== 'file') throw new ToolError(`${path} is no regular file, so it is not changed.`);
  const tooLarge = () => new ToolError(`${path} is larger than ${maxBytes / 1024 / 1024} MB, so it is not changed.`);
  if (stat.sizeBytes > maxBytes) throw tooLarge();
  if (!(await port.isWritable(place))) throw new ToolError(`${path} is read-only, so it is not changed.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of files.read(place, checked)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
  }
  return Buffer.concat(chunks);
}
