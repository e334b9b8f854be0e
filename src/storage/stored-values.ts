import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { isMissing, type StorageFs } from './storage-fs.ts';
import { writeAtomically } from './write-atomically.ts';

export interface StoredValues {
  get<T>(key: string): T | undefined;
  /**
   * `undefined` forgets the value. Resolves when this or a newer value is on the disk or could not be written; never
   * rejects.
   */
  update(key: string, value: unknown): Promise<void>;
  keys(): readonly string[];
  flush(): Promise<void>;
}

export interface StoredValuesDeps {
  dir: string;
  fs?: StorageFs;
  onError(error: unknown): void;
}

// It is raised when the shape of any value changes.
const version = 1;
const later = '.later';

interface Change {
  key: string;
  value: unknown;
}

/**
 * Writes one file for each value, moved into place whole and in the order of the changes, so that a value that
 * moves from one key to another is always under one of them. Only consecutive changes of one value are joined. The editor's own state is no
 * place for what a user writes or attaches, because it is read whole when a window opens and is shared by all
 * extensions. A file that cannot be read is put aside, not overwritten; one of a later version is read again by that version.
 */
export async function openStoredValues(deps: StoredValuesDeps): Promise<StoredValues> {
  const fs = deps.fs ?? nodeFs;
  const fileOf = (key: string): string => path.join(deps.dir, `${encodeURIComponent(key)}.json`);
  const values = await readAll(deps, fs);
  const unwritten = new Set<string>();
  const waiting: Change[] = [];
  let last: Promise<void> = Promise.resolve();

  async function write({ key, value }: Change): Promise<void> {
    const file = fileOf(key);
    unwritten.delete(key);
    try {
      if (value !== undefined) await writeAtomically(file, JSON.stringify({ v: version, key, value }), fs);
      else await fs.rm(file, { force: true });
    } catch (error) {
      unwritten.add(key);
      deps.onError(error);
    }
  }
  const writeNext = async () => {
    const change = waiting.shift();
    if (change) await write(change);
  };

  const enqueue = (step: () => Promise<void>): Promise<void> => {
    last = last.then(step);
    return last;
  };

  return {
    get: <T>(key: string) => values.get(key) as T | undefined,
    update(key, value) {
      const had = values.delete(key);
      if (value !== undefined) values.set(key, value);
      else if (!had) return last;
      const before = waiting.at(-1);
      if (before?.key !== key) {
        waiting.push({ key, value });
        return enqueue(writeNext);
      }
      before.value = value;
      return last;
    },
    keys: () => [...values.keys()],
    flush: () =>
      enqueue(async () => {
        for (const key of [...unwritten]) await write({ key, value: values.get(key) });
      }),
  };
}

async function readAll({ dir, onError }: StoredValuesDeps, fs: StorageFs): Promise<Map<string, unknown>> {
  const found: { key: string; value: unknown; mtimeMs: number }[] = [];
  const names = await namesIn(dir, onError, fs);
  for (const name of names) {
    const file = path.join(dir, name);
    const own = name.endsWith(later) ? name.slice(0, -later.length) : name;
    // What was stored since by the version in between is newer.
    if (own !== name && names.includes(own)) continue;
    try {
      const stored = parseStored(await fs.readFile(file, 'utf8'));
      const isRead = stored !== undefined && stored.v <= version;
      const target = isRead ? own : `${own}${stored === undefined ? '.damaged' : later}`;
      if (target !== name) await fs.rename(file, path.join(dir, target));
      if (isRead) found.push({ ...stored, mtimeMs: (await fs.stat(path.join(dir, target))).mtimeMs });
      else if (target !== name) onError(new Error(`${name} cannot be read by this version; it is ${target} now.`));
    } catch (error) {
      onError(error);
    }
  }
  found.sort((a, b) => a.mtimeMs - b.mtimeMs);
  return new Map(found.map(({ key, value }) => [key, value]));
}

async function namesIn(dir: string, onError: (error: unknown) => void, fs: StorageFs): Promise<string[]> {
  try {
    return (await fs.readdir(dir)).filter((name) => name.endsWith('.json') || name.endsWith(`.json${later}`));
  } catch (error) {
    if (!isMissing(error)) onError(error);
    return [];
  }
}

function parseStored(text: string): { v: number; key: string; value: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('key' in parsed) || !('value' in parsed)) return undefined;
    const { key, value } = parsed;
    const v = 'v' in parsed ? Number(parsed.v) : Number.NaN;
    return typeof key === 'string' && v > 0 ? { v, key, value } : undefined;
  } catch {
    // Half a file, or none of ours.
    return undefined;
  }
}
