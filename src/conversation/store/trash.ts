import path from 'node:path';
import { eraseCheckpoints } from '../../edits/checkpoints/erase-checkpoints.ts';
import { moveFile } from '../../storage/move-file.ts';
import { hasCode, ignoreMissing, type StorageFs } from '../../storage/storage-fs.ts';
import { eraseStorage, storagePaths } from '../../storage/storage-paths.ts';

export interface Trash {
  add(id: string, atMs: number): Promise<void>;
  list(): Promise<TrashEntry[]>;
  restore(id: string): Promise<boolean>;
  /**
   * Deletes what was removed before `beforeMs`, of one conversation or of all, and everything that no other
   * conversation needs: large texts, images, checkpoints, and all files with its id. The conversations are deleted
   * last, so that the next call deletes what a crash leaves.
   */
  empty(beforeMs: number, only?: string): Promise<number>;
}

const besideConversations = storagePaths.machine.filter(({ at }) => !at.endsWith('.jsonl'));

export interface TrashEntry {
  file: string;
  id: string;
  atMs: number;
}

export function createTrash(storage: string, fs: StorageFs): Trash {
  const dir = path.join(storage, 'trash');
  const conversations = path.join(storage, 'conversations');
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
    async empty(beforeMs, only) {
      const old = (await entries()).filter(({ id, atMs }) => atMs < beforeMs && (only === undefined || id === only));
      if (old.length === 0) return 0;
      const alone = await namedOnlyIn(old.map(({ file }) => file));
      await eraseCheckpoints(path.join(storage, 'checkpoints'), alone.turns, fs);
      await dropStarting(path.join(storage, 'images'), [...alone.hashes]);
      for (const hash of alone.hashes) await fs.rm(blobFile(hash), { force: true });
      for (const patch of alone.patches) await fs.rm(path.join(storage, 'worktrees/patches', patch), { force: true });
      for (const { id, file } of old) {
        if (!(await exists(homeOf(id), fs))) await eraseStorage(storage, besideConversations, id, fs);
        await fs.rm(file, { recursive: true, force: true });
      }
      return old.length;
    },
  };

  async function namedIn(file: string): Promise<Named> {
    const text = await fs.readFile(file, 'utf8').catch(ignoreFolder);
    const records = recordsIn(text);
    const large = await Promise.all(records.map((hash) => fs.readFile(blobFile(hash), 'utf8').catch(ignoreMissing)));
    const texts = [text, ...large.map((one) => one ?? '')];
    // Images first: what names them must not be gone before they are.
    const all = (expression: RegExp) =>
      texts.flatMap((one) => [...one.matchAll(expression)].flatMap(([, name = '']) => name));
    return {
      hashes: new Set([...all(/"hash":"([0-9a-f]{64})"/g), ...records]),
      turns: new Set(all(/"turnId":"([^"\\]{1,100})"/g)),
      patches: new Set(all(/"patch":"[^"]{0,4096}[/\\]([^"/\\]{1,255}\.patch)"/g)),
    };
  }

  async function namedOnlyIn(files: readonly string[]): Promise<Named> {
    const alone: Named = { hashes: new Set(), turns: new Set(), patches: new Set() };
    const each = (found: Named, act: (of: Set<string>, name: string) => unknown) => {
      for (const kind of ['hashes', 'turns', 'patches'] as const)
        for (const name of found[kind]) act(alone[kind], name);
    };
    for (const file of files) each(await namedIn(file), (of, name) => of.add(name));
    for (const folder of [conversations, dir]) {
      for (const name of await namesIn(folder, fs)) {
        const file = path.join(folder, name);
        if (!name.endsWith('.jsonl') || files.includes(file)) continue;
        each(await namedIn(file), (of, name) => of.delete(name));
      }
    }
    return alone;
  }

  async function dropStarting(folder: string, starts: readonly string[]): Promise<void> {
    if (starts.length === 0) return;
    for (const name of await namesIn(folder, fs)) {
      if (starts.some((start) => name.startsWith(`${start}.`))) await fs.rm(path.join(folder, name), { force: true });
    }
  }
}

/**
 * Reads as empty what is a folder under the name of a conversation. A file that cannot be read for another reason may
 * name anything, so it throws.
 */
function ignoreFolder(error: unknown): string {
  if (hasCode(error, 'EISDIR')) return '';
  throw error;
}

type Named = Record<'hashes' | 'turns' | 'patches', Set<string>>;

function recordsIn(text: string): string[] {
  return [...text.matchAll(/"b":"([0-9a-f]{64})"\}$/gm)].flatMap((match) => match[1] ?? []);
}

async function namesIn(dir: string, fs: StorageFs): Promise<string[]> {
  return (await fs.readdir(dir).catch(ignoreMissing)) ?? [];
}

async function exists(file: string, fs: StorageFs): Promise<boolean> {
  return (await fs.stat(file).catch(ignoreMissing)) !== undefined;
}
