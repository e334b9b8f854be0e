import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface TempDir {
  /** Absolute, with links resolved: editors and the path guard compare real paths. */
  path: string;
  remove(): Promise<void>;
}

/** A new empty folder under the system's temporary folder. */
export async function makeTempDir(prefix = 'svc-'): Promise<TempDir> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), prefix)));
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}

/** Runs `use` with a new folder that is removed afterwards, also after a failure. */
export async function withTempDir<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const dir = await makeTempDir();
  try {
    return await use(dir.path);
  } finally {
    await dir.remove();
  }
}
