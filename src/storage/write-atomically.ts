import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { moveFile } from './move-file.ts';
import type { StorageFs } from './storage-fs.ts';

/**
 * Replaces a file as a whole, readable by the user only. Nobody ever finds half of it, even when two windows write it
 * at once. With `flush`, the content is on the disk before it replaces the old file.
 */
export async function writeAtomically(
  file: string,
  content: string | Uint8Array,
  fs: StorageFs,
  { flush = false } = {},
): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await fs.writeFile(temporary, content, { mode: 0o600, flush });
    await moveFile(temporary, file, fs);
  } catch (error) {
    // What cannot even be deleted is swept later.
    await fs.rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
