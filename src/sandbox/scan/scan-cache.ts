import { lstatSync, type Stats, statfsSync } from 'node:fs';
import type { Protection } from '../../files/protection.ts';
import { type Depth, entriesOf, isRepository, type Seen, seenIn } from './seen-entries.ts';

/**
 * Caches the folders of a workspace as they were last read. Nothing is trusted without a check: every scan asks the
 * disk whether each folder is unchanged, which costs a small part of reading it. File watchers are not used, because
 * Node does not report when the system's event queue overflowed.
 */
export interface ScanCache {
  rootOf(root: string, isProtected: Protection): CachedFolder;
}

export interface CachedFolder {
  stats?: Pick<Stats, 'dev' | 'ino' | 'mtimeMs' | 'ctimeMs'>;
  isRepository: boolean;
  entries: readonly Seen[];
  inside: Map<string, CachedFolder>;
}

export function createScanCache(): ScanCache {
  const roots = new WeakMap<Protection, Map<string, CachedFolder>>();
  return {
    rootOf(root, isProtected) {
      const known = roots.get(isProtected) ?? new Map<string, CachedFolder>();
      roots.set(isProtected, known);
      const folder = known.get(root) ?? unread();
      known.set(root, folder);
      return folder;
    },
  };
}

function unread(): CachedFolder {
  return { isRepository: false, entries: [], inside: new Map() };
}

export function folderIn(cached: CachedFolder, name: string): CachedFolder {
  const folder = cached.inside.get(name) ?? unread();
  cached.inside.set(name, folder);
  return folder;
}

/**
 * File systems may update times only this often, so a change right after a read may leave a folder with the same
 * time.
 */
const tickMs = 2000;

/**
 * These local file systems update the time of a folder with each entry that comes, goes or is replaced: ext, xfs,
 * btrfs, f2fs, bcachefs, zfs, tmpfs, overlay.
 */
const keepingTimes = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0xca451a4e],
  ...[0x2fc12fc1, 0x01021994, 0x794c7630],
]);

/** Serves one scan only, because file systems come and go. */
export function createRefresh(isProtected: Protection, epochMs: () => number) {
  const trusted = new Map<number, boolean>();
  const isTrusted = (dev: number, folder: string) => {
    const known = trusted.get(dev) ?? keepingTimes.has(typeOf(folder));
    trusted.set(dev, known);
    return known;
  };
  return (cached: CachedFolder, at: { relative: string; folder: string; depth: Depth }): void => {
    const found = statsOf(at.folder);
    if (found !== undefined && isSame(cached.stats, found) && isTrusted(found.dev, at.folder)) return;
    const isOld = found !== undefined && found.ctimeMs < epochMs() - tickMs;
    const entries = entriesOf(at.folder);
    cached.isRepository = isRepository(entries);
    cached.entries = seenIn(entries, at, isProtected);
    const folders = new Set(cached.entries.flatMap((seen) => (seen.what === 'folder' ? [seen.name] : [])));
    for (const name of cached.inside.keys()) if (!folders.has(name)) cached.inside.delete(name);
    delete cached.stats;
    if (isOld) cached.stats = pick(found);
  };
}

function pick({ dev, ino, mtimeMs, ctimeMs }: Stats): NonNullable<CachedFolder['stats']> {
  return { dev, ino, mtimeMs, ctimeMs };
}

/** Programs cannot set the change time (ctime) back; only whoever sets the clock can. */
function isSame(one: CachedFolder['stats'], other: Stats): boolean {
  return (
    one !== undefined &&
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.ino === other.ino &&
    one.dev === other.dev
  );
}

function statsOf(folder: string): Stats | undefined {
  try {
    return lstatSync(folder, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function typeOf(folder: string): number {
  try {
    return statfsSync(folder).type;
  } catch {
    return 0;
  }
}
