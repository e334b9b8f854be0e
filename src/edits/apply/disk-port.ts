import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '../../agent/tool.ts';
import { readRegular } from '../../base/read-regular.ts';
import { encodeFile } from '../../files/file-text.ts';
import type { Place, Workspace } from '../../files/workspace.ts';
import { maxDeletedBytes } from './current-file.ts';
import type { EditPort, FileChange } from './edit-ports.ts';

/**
 * Writes to this machine's disk past the editor, for folders that nobody views while they are changed. A file that is
 * open with unsaved changes is refused.
 */
export function createDiskPort({ codec, unsavedText }: Pick<Workspace, 'codec' | 'unsavedText'>): EditPort {
  const refuseUnsaved = (place: Place) => {
    if (unsavedText(place) === undefined) return;
    throw new ToolError(`${place.path} is open in an editor with unsaved changes, so it was not changed.`);
  };
  const perform = async (change: FileChange) => {
    const { place } = change;
    const file = fileOf(place);
    refuseUnsaved(place);
    if (change.kind === 'rename') {
      refuseUnsaved(change.to);
      await refuseThere(change.to);
      await lstat(file);
      await mkdir(path.dirname(fileOf(change.to)), { recursive: true });
      return rename(file, fileOf(change.to));
    }
    if (change.kind === 'write' && change.before === undefined) {
      await refuseThere(place);
      await mkdir(path.dirname(file), { recursive: true });
      return writeFile(file, await encodeFile(codec, change.after, change.format), { flag: 'wx' });
    }
    const { before, format } = change;
    const bytes = await readRegular(file, maxDeletedBytes);
    if (before !== undefined && format !== undefined) {
      if (Buffer.compare(await encodeFile(codec, before, format), bytes) !== 0) throw changed(place);
    }
    return change.kind === 'delete' ? rm(file) : replace(file, await encodeFile(codec, change.after, change.format));
  };
  return {
    isWritable: async (place) => ((await stat(fileOf(place))).mode & 0o200) !== 0,
    async apply(change) {
      await perform(change).catch((error: NodeJS.ErrnoException) => {
        if (error.code === undefined) throw error;
        throw new ToolError(`${change.place.path} cannot be changed (${error.code}). Nothing was changed.`);
      });
      return {};
    },
  };
}

/** Replaces the file by a rename, so that a concurrent reader, or a crash, finds either the old text or the new one. */
async function replace(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = path.join(path.dirname(file), `.svc-new-${randomUUID()}`);
  const { mode } = await stat(file);
  try {
    await writeFile(temporary, bytes, { mode, flag: 'wx' });
    await chmod(temporary, mode);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function refuseThere(place: Place): Promise<void> {
  const found = await lstat(fileOf(place)).catch(() => undefined);
  if (found !== undefined) throw new ToolError(`${place.path} is there already. Nothing was changed.`);
}

function changed({ path: name }: Place): ToolError {
  return new ToolError(`${name} changed since you last saw it, so nothing was changed. Read it again.`);
}

function fileOf({ root, path: relative }: Place): string {
  return path.join(root.fsPath ?? '', relative);
}
