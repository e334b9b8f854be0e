import path from 'node:path';
import { moveFile } from '../../storage/move-file.ts';
import { ignoreMissing, type StorageFs } from '../../storage/storage-fs.ts';

/** Conversations that were deleted: whole files, named after their id and the time (epoch ms), until they are emptied. */
export interface Trash {
  /** Nothing happens when there is no such conversation. */
  add(id: string, atMs: number): Promise<void>;
  /** One entry for each id, the last removed first. */
  list(): Promise<TrashEntry[]>;
  /** The newest one under this id, back where it was. False when there is none or the place is taken. */
  restore(id: string): Promise<boolean>;
  /** Deletes what was put in before `beforeMs`; large texts and images that no other conversation names go with it. */
  empty(beforeMs: number): Promise<number>;
}

export interface TrashDeps {
  dir: string;
  /** Where the files come from. */
  conversations: string;
  fs: StorageFs;
}

export interface TrashEntry {
  file: string;
  id: string;
  /** When it was deleted. */
  atMs: number;
}

export function createTrash({ dir, conversations, fs }: TrashDeps): Trash {
  const blobFile = (hash: string): string => path.join(conversations, 'blobs', `${hash}.blob`);
  const homeOf = (id: string): string => path.join(conversations, `${id}.jsonl`);

  async function entries(): Promise<TrashEntry[]> {
    return (await namesIn(dir, fs)).flatMap((name) => {
      const match = /^(.+)\.(\d{1,16})\.jsonl$/.exec(name);
      return match?.[1] === undefined ? [] : [{ file: path.join(dir, name), id: match[1], atMs: Number(match[2]) }];
    });
  }

  return {
    async add(id, atMs) {
      await fs.mkdir(dir, { recursive: true, mode: 0o700 });
      let at = atMs;
      // Deleted, brought back and deleted again within a millisecond: neither may overwrite the other.
      while (await exists(path.join(dir, `${id}.${at}.jsonl`), fs)) at += 1;
      await moveFile(homeOf(id), path.join(dir, `${id}.${at}.jsonl`), fs).catch(ignoreMissing);
    },
    async list() {
      const newestOfEach = new Map<string, TrashEntry>();
      for (const entry of (await entries()).sort((a, b) => a.atMs - b.atMs)) newestOfEach.set(entry.id, entry);
      const free: TrashEntry[] = [];
      for (const entry of newestOfEach.values()) if (!(await exists(homeOf(entry.id), fs))) free.push(entry);
      return free.sort((a, b) => b.atMs - a.atMs);
    },
    async restore(id) {
      const own = (await entries()).filter((entry) => entry.id === id).sort((a, b) => b.atMs - a.atMs);
      const [newest] = own;
      if (newest === undefined || (await exists(homeOf(id), fs))) return false;
      await moveFile(newest.file, homeOf(id), fs);
      return true;
    },
    async empty(beforeMs) {
      const old = (await entries()).filter((entry) => entry.atMs < beforeMs);
      const blobs = new Set<string>();
      for (const { file } of old) {
        for (const hash of await blobsOf(file)) blobs.add(hash);
        await fs.rm(file, { force: true });
      }
      if (blobs.size > 0) await dropUnused(blobs);
      return old.length;
    },
  };

  /** Also what only a record names that was itself too large for a line. */
  async function blobsOf(file: string): Promise<string[]> {
    const text = await fs.readFile(file, 'utf8');
    const records = recordsIn(text);
    const hashes = [...records, ...imagesIn(text)];
    for (const hash of records) {
      hashes.push(...imagesIn((await fs.readFile(blobFile(hash), 'utf8').catch(ignoreMissing)) ?? ''));
    }
    return hashes;
  }

  async function dropUnused(hashes: Set<string>): Promise<void> {
    for (const folder of [conversations, dir]) {
      for (const name of await namesIn(folder, fs)) {
        if (!name.endsWith('.jsonl')) continue;
        for (const hash of await blobsOf(path.join(folder, name))) hashes.delete(hash);
      }
    }
    for (const hash of hashes) await fs.rm(blobFile(hash), { force: true });
  }
}

/** Hashes of the records that were too large for a line. */
function recordsIn(text: string): string[] {
  return [...text.matchAll(/"b":"([0-9a-f]{64})"\}$/gm)].flatMap((match) => match[1] ?? []);
}

/** Hashes of the images that messages name. A text that only looks like one keeps an image that nobody needs. */
function imagesIn(text: string): string[] {
  return [...text.matchAll(/"image":\{"hash":"([0-9a-f]{64})"/g)].flatMap((match) => match[1] ?? []);
}

async function namesIn(dir: string, fs: StorageFs): Promise<string[]> {
  return (await fs.readdir(dir).catch(ignoreMissing)) ?? [];
}

async function exists(file: string, fs: StorageFs): Promise<boolean> {
  return (await fs.stat(file).catch(ignoreMissing)) !== undefined;
}
