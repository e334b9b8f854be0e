import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { ignoreMissing, type StorageFs } from './storage-fs.ts';
import { writeAtomically } from './write-atomically.ts';

export interface BlobStore {
  put(text: string): Promise<string>;
  /** Resolves to undefined when the file is missing or its content does not match its name. */
  get(hash: string): Promise<string | undefined>;
}

export function createBlobStore(dir: string, fs: StorageFs = nodeFs): BlobStore {
  const fileOf = (hash: string): string => path.join(dir, `${hash}.blob`);

  async function get(hash: string): Promise<string | undefined> {
    // The hash comes from a file: it must not be able to name anything outside the folder.
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
    const bytes = await fs.readFile(fileOf(hash)).catch(ignoreMissing);
    return bytes !== undefined && hashOf(bytes) === hash ? bytes.toString('utf8') : undefined;
  }

  return {
    get,
    async put(text) {
      const bytes = Buffer.from(text, 'utf8');
      const hash = hashOf(bytes);
      if ((await get(hash)) !== undefined) return hash;
      // Flushed: the log line that names the blob must never outlive it.
      await writeAtomically(fileOf(hash), bytes, fs, { flush: true });
      return hash;
    },
  };
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
