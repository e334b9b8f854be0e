import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { ignoreMissing, isMissing, type StorageFs } from './storage-fs.ts';

/**
 * Deletes every `*.tmp` below the folder that nobody has changed since `beforeMs`, as a write leaves it that was cut
 * short. `beforeMs` must be well in the past, because another window may be writing. Links are not followed, and a
 * file that cannot be deleted does not stop the others. Returns how many were deleted.
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
