import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '../agent/tool.ts';
import { openAtOnce } from '../base/read-regular.ts';
import type { EntryKind, Files, Place } from './workspace.ts';

const chunkBytes = 64 * 1024;

export const nodeFiles: Files = {
  async stat(place) {
    try {
      const stats = await stat(absolutePath(place));
      return { kind: kindOf(stats), sizeBytes: stats.size };
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw unreadable(place, error);
    }
  },
  async list(place) {
    try {
      const entries = await readdir(absolutePath(place), { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    } catch (error) {
      throw unreadable(place, error);
    }
  },
  async *read(place, checked) {
    try {
      // By hand: a stream for each of thousands of small files takes twice the time.
      const file = await (checked === undefined ? open(absolutePath(place), openAtOnce) : openWithoutLinks(checked));
      try {
        if (checked !== undefined) await refuseAnother(file, checked, place);
        for (;;) {
          const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
          if (bytesRead === 0) return;
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await file.close();
      }
    } catch (error) {
      throw unreadable(place, error);
    }
  },
};

/**
 * Opens a file unless it is a link. Windows has no flag for that; there the later comparison must do. The open does not
 * block, because a pipe may have replaced the file.
 */
function openWithoutLinks(file: string): Promise<FileHandle> {
  return open(file, openAtOnce | (constants.O_NOFOLLOW ?? 0));
}

/**
 * Throws unless the open file is the one that was checked: a folder above may have become a link between the check and
 * the opening, and a folder again since.
 */
async function refuseAnother(file: FileHandle, checked: string, place: Place): Promise<void> {
  if (await isChecked(file, checked)) return;
  throw new ToolError(`${place.path} leads somewhere else than when it was checked, so it was not read.`);
}

async function isChecked(file: FileHandle, checked: string): Promise<boolean> {
  const opened = await file.stat();
  if (!opened.isFile()) return false;
  // Linux knows what was opened; elsewhere the path is resolved before and after, and must have no link.
  if (process.platform === 'linux') return (await readlink(`/proc/self/fd/${file.fd}`)) === checked;
  const before = await realpath(checked);
  const there = await lstat(checked);
  const after = await realpath(checked);
  return before === checked && after === checked && opened.ino === there.ino && opened.dev === there.dev;
}

function absolutePath({ root, path: relative }: Place): string {
  if (root.fsPath === undefined) throw new ToolError(`${root.name} is not on this machine's disk.`);
  return path.join(root.fsPath, relative);
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function unreadable(place: Place, error: unknown): unknown {
  const code = codeOf(error);
  return typeof code === 'string' ? new ToolError(`${place.path || place.root.name} cannot be read (${code}).`) : error;
}
