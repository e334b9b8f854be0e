import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { createBlobStore } from './blob-store.ts';
import type { StorageFs } from './storage-fs.ts';

/**
 * Stores images as data URLs under the SHA-256 of their text. An image that was sent is a blob of the conversations
 * and is deleted with the last one that names it; one that was not sent yet waits in a folder of its own.
 */
export interface ImageStore {
  add(url: string): Promise<string>;
  read(hash: string): Promise<string | undefined>;
  keep(hash: string): Promise<void>;
  toFile(hash: string, extension: string): Promise<string | undefined>;
}

export function createImageStore(dir: string, fs: StorageFs = nodeFs): ImageStore {
  const waitingDir = path.join(dir, 'images');
  const waiting = createBlobStore(waitingDir, fs);
  const kept = createBlobStore(path.join(dir, 'conversations', 'blobs'), fs);
  const read = async (hash: string) => (await kept.get(hash)) ?? waiting.get(hash);
  return {
    add: (url) => waiting.put(url),
    read,
    async toFile(hash, extension) {
      const url = await read(hash);
      if (url === undefined) return undefined;
      const file = path.join(waitingDir, `${hash}.${extension}`);
      await fs.mkdir(waitingDir, { recursive: true, mode: 0o700 });
      await fs.writeFile(file, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'), { mode: 0o600 });
      return file;
    },
    async keep(hash) {
      const url = await waiting.get(hash);
      if (url !== undefined) await kept.put(url);
    },
  };
}
