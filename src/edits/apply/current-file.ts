import { ToolError } from '../../agent/tool.ts';
import { decodeFile, encodeFile, type FileText } from '../../files/file-text.ts';
import { type Files, gather, type Workspace } from '../../files/workspace.ts';
import type { EditPort } from './edit-ports.ts';
import type { WritePlace } from './write-place.ts';

export const maxEditedBytes = 5 * 1024 * 1024;
/** Larger files are not deleted, because the checkpoint must keep their content. */
export const maxDeletedBytes = 10 * 1024 * 1024;

export interface FileAccess {
  workspace: Workspace;
  files: Files;
  port: EditPort;
}

/**
 * `text` is what the editor shows where it has unsaved changes (`dirty`), and otherwise what is on disk; `bytes` is
 * that text encoded.
 */
export interface CurrentFile extends FileText {
  dirty: boolean;
  bytes: Uint8Array;
}

/**
 * Returns undefined when there is no file. Throws `ToolError` for a file that must not be edited: too large, binary,
 * read-only or not regular.
 */
export async function readCurrentFile(access: FileAccess, target: WritePlace): Promise<CurrentFile | undefined> {
  // The editor's text is read before the disk: if it saves in between, both have this text.
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

/** Reads a file of any kind that is about to be deleted or moved; `bytes` include its unsaved changes. */
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
  if (stat.kind === 'directory')
    throw new ToolError(`${path} is a folder. Only files can be changed: name them one by one, or use a command.`);
  if (stat.kind !== 'file') throw new ToolError(`${path} is no regular file, so it is not changed.`);
  const tooLarge = () => new ToolError(`${path} is larger than ${maxBytes / 1024 / 1024} MB, so it is not changed.`);
  if (stat.sizeBytes > maxBytes) throw tooLarge();
  if (!(await port.isWritable(place))) throw new ToolError(`${path} is read-only, so it is not changed.`);
  const bytes = await gather(files.read(place, checked), maxBytes);
  if (bytes === undefined) throw tooLarge();
  return bytes;
}
