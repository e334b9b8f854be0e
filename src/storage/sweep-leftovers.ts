import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { ignoreMissing, isMissing, type StorageFs } from './storage-fs.ts';

/**
 * Deletes what a write left behind that was cut short before its file was moved into place: every `*.tmp` below the folder that
 * nobody has touched since `beforeMs`. That is to be well in the past, for another window may be writing. Links are not followed,
 * and one file that cannot be deleted keeps none of the others. Returns how many were deleted.
 */
export async function sweepLeftovers(dir: string, beforeMs: number, fs: StorageFs = nodeFs): Promise<number> {
  const entries = (await fs.readdir(dir, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  let swept = 0;
  let failure: unknown;
  for (const entry of entries) {
    const file = path.join(dir, entry.name);
    try {
      if (entry.isDirectory()) swept += await sweepLeftovers(file, beforeMs, fs);
      else if (entry.isFile() && entry.name.endsWith('.tmp') && (await fs.stat(file)).mtimeMs < beforeMs) {
        await fs.rm(file, { force: true });
        swept += 1;
      }
    } catch (error) {
      // Another window may have moved or deleted it meanwhile.
      if (!isMissing(error)) failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return swept;
}
