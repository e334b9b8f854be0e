import { createHash, randomUUID } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';

/** The part of `node:fs/promises` that storage needs; tests pass one that fails. */
export type StorageFs = Pick<
  typeof nodeFs,
  'open' | 'mkdir' | 'readFile' | 'writeFile' | 'rename' | 'link' | 'rm' | 'readdir' | 'stat'
>;

/** Values too large for one line of a log, each in a file named after the SHA-256 of its bytes. */
export interface BlobStore {
  /** Stores the text and returns its hash; storing the same text again writes nothing. */
  put(text: string): Promise<string>;
  /** The text, or undefined when the file is missing or is not what its name says. */
  get(hash: string): Promise<string | undefined>;
}

export function createBlobStore(dir: string, fs: StorageFs = nodeFs): BlobStore {
  const fileOf = (hash: string): string => path.join(dir, `${hash}.blob`);

  async function get(hash: string): Promise<string | undefined> {
    // The hash comes from a file: it must not be able to name anything outside the folder.
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
    try {
      const bytes = await fs.readFile(fileOf(hash));
      return hashOf(bytes) === hash ? bytes.toString('utf8') : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  return {
    get,
    async put(text) {
      const bytes = Buffer.from(text, 'utf8');
      const hash = hashOf(bytes);
      if ((await get(hash)) !== undefined) return hash;
      await fs.mkdir(dir, { recursive: true, mode: 0o700 });
      const temporary = path.join(dir, `${hash}.${randomUUID()}.tmp`);
      try {
        // Synced before the rename: the log line that names the blob must never outlive it.
        await fs.writeFile(temporary, bytes, { mode: 0o600, flush: true });
        await fs.rename(temporary, fileOf(hash));
      } catch (error) {
        await fs.rm(temporary, { force: true });
        throw error;
      }
      return hash;
    },
  };
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
