import { randomUUID } from 'node:crypto';
import type * as nodeFs from 'node:fs/promises';
import path from 'node:path';

/** The part of `node:fs/promises` that storage needs; tests pass one that fails. */
export type StorageFs = Pick<
  typeof nodeFs,
  'open' | 'mkdir' | 'readFile' | 'writeFile' | 'rename' | 'link' | 'rm' | 'readdir' | 'stat'
>;

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

/** For `catch`: a file or folder that is not there is undefined, anything else goes on. */
export function ignoreMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

/**
 * Replaces a file as a whole, readable by the user only (E19): nobody ever finds half of it, also when two windows write it at
 * once. `flush`: it is on the disk before it is in its place.
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  fs: StorageFs,
  { flush = false } = {},
): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await fs.writeFile(temporary, content, { mode: 0o600, flush });
    await fs.rename(temporary, file);
  } catch (error) {
    // What cannot even be deleted is swept later.
    await fs.rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
