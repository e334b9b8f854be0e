import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { fold } from '../../files/file-class.ts';
import type { Protection } from '../../files/protection.ts';
import { gitDataOf, userGitSettings } from '../git-data.ts';
import { isFolder, isWithinAny, realPathOf } from '../paths.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import { findHooks } from './hooks.ts';
import { type CachedFolder, createRefresh, createScanCache, folderIn, type ScanCache } from './scan-cache.ts';
import { type Depth, type Kind, packages, type Seen } from './seen-entries.ts';

export interface ScanInput {
  roots: readonly string[];
  isProtected: Protection;
  home: string;
  gitSettings: readonly string[];
  scanCache: ScanCache;
  clock: Pick<Clock, 'now' | 'epochMs'>;
}

/**
 * Lists what is kept from commands inside of the roots. With `unfit`, it holds only the part that was found, and the
 * reason why the rest is unknown.
 */
export interface WorkspaceScan extends Partial<Unfit> {
  guarded: readonly string[];
  links: readonly string[];
  masked: readonly string[];
  emptied: readonly string[];
  /** Maps files that programs of the editor load by themselves to a value that changes with them; they are writable. */
  loaded: ReadonlyMap<string, string>;
  linked: readonly string[];
}

interface Unfit {
  unfit: 'link' | 'large' | 'name';
  at?: string;
}

/**
 * Limits the time of the scan itself and with waiting, because other programs may keep the machine busy. What was
 * read until then is cached for the next scan.
 */
const maxMs = { own: 10_000, all: 30_000 };
const sliceMs = 12;

const gitDataNames = 'HEAD config hooks info logs modules objects packed-refs refs worktrees'.split(' ');

export function scanFor({
  deps: { clock, protection },
  roots,
  home,
  scanCache = createScanCache(),
}: Pick<PlanInput, 'deps' | 'roots' | 'home' | 'scanCache'>): Promise<WorkspaceScan> {
  const gitSettings = ['/etc/gitconfig', ...userGitSettings(home)];
  return scanRoots({ roots, isProtected: protection(), home, gitSettings, scanCache, clock });
}

/**
 * Finds, at any depth, git's data, what the editor, git or assistants obey, and what may hold secrets. Links are not
 * followed; where one has the name of such a file, its target counts. The disk is checked again before each command.
 */
export async function scanRoots(input: ScanInput): Promise<WorkspaceScan> {
  const { roots, isProtected, scanCache, clock } = input;
  const started = clock.now();
  const usedMs = processorMs();
  const found = createFindings(roots);
  const refresh = createRefresh(isProtected, () => clock.epochMs());
  let sliceStarted = started;
  for (const root of roots) {
    const open: Open[] = [{ relative: '', folder: root, depth: 'all', cached: scanCache.rootOf(root, isProtected) }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { relative, folder, cached } = next;
      refresh(cached, next);
      if (cached.isRepository) found.addRepository(folder, relative === '');
      if (cached.isRepository && relative !== '') continue;
      for (const seen of cached.entries) {
        const { name } = seen;
        const inner = relative === '' ? name : `${relative}/${name}`;
        const place = `${folder}/${name}`;
        found.add(seen, inner, place);
        if (seen.what === 'folder') {
          open.push({ relative: inner, folder: place, depth: seen.below, cached: folderIn(cached, name) });
        }
      }
      const now = clock.now();
      if (now - started > maxMs.all || (now - started > maxMs.own && usedMs() > maxMs.own))
        return { ...found.all(), unfit: 'large' };
      if (now - sliceStarted > sliceMs) {
        await nextTurn();
        sliceStarted = clock.now();
      }
    }
  }
  const repositories = found.all().guarded.filter((place) => fold(path.basename(place)) === '.git');
  const { places, behind } = findHooks({ ...input, repositories });
  const { guarded, ...all } = found.all();
  const isBehind = all.unfit === undefined && behind !== undefined;
  return { ...all, ...(isBehind && { unfit: 'link', at: behind }), guarded: [...new Set([...guarded, ...places])] };
}

interface Open {
  relative: string;
  folder: string;
  depth: Depth;
  cached: CachedFolder;
}

function processorMs(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

function createFindings(roots: readonly string[]) {
  const guarded = new Set<string>();
  const masked = new Set<string>();
  const emptied = new Set<string>();
  const links: string[] = [];
  const loaded = new Map<string, string>();
  const linked = new Set<string>();
  let unfit: Unfit | undefined;
  const isInside = (file: string) => isWithinAny(roots, file);

  /** The target of a link counts; git's data and the editor's settings must not be behind a link. */
  const addLink = (kind: Kind | undefined, relative: string, place: string) => {
    const real = realPathOf(place);
    const leadsOut = real !== undefined && !isInside(real) && packages.has(fold(path.basename(relative)));
    if (leadsOut && isFolder(real)) linked.add(real);
    if (kind === undefined) return;
    if (kind !== 'secret') links.push(linkAs(place));
    if (kind === 'git' || kind === 'editor') unfit ??= { unfit: 'link', at: relative };
    else if (real === undefined) return;
    else if (kind === 'secret') (isFolder(real) ? emptied : masked).add(real);
    else if (isInside(real)) guarded.add(real);
  };

  return {
    /** Handles a repository without a `.git`; of a root only its parts are covered, as a root itself cannot be. */
    addRepository(folder: string, isRoot: boolean) {
      const places = isRoot ? gitDataNames.map((name) => path.join(folder, name)).filter(existsSync) : [folder];
      for (const place of places) guarded.add(place);
    },
    all: (): WorkspaceScan => ({
      guarded: [...guarded],
      links,
      masked: [...masked],
      emptied: [...emptied],
      loaded,
      linked: [...linked],
      ...unfit,
    }),
    add(seen: Seen, relative: string, place: string): void {
      switch (seen.what) {
        case 'unnameable':
          unfit ??= { unfit: 'name', at: relative };
          break;
        case 'link':
          addLink(seen.kind, relative, place);
          break;
        case 'git':
          guarded.add(place);
          if (seen.isFile) for (const data of gitDataOf(place)) guarded.add(data);
          break;
        case 'socket':
          masked.add(place);
          break;
        case 'secret':
          (seen.isFolder ? emptied : masked).add(place);
          break;
        case 'file':
          if (seen.isGuarded) guarded.add(place);
          if (seen.isLoaded) loaded.set(place, readEntry(place));
          break;
        case 'folder':
          if (seen.isGuarded) guarded.add(place);
      }
    },
  };
}

function readEntry(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.size} ${found.ino} ${found.mtimeMs} ${found.ctimeMs}`;
}

function linkAs(place: string): string {
  try {
    return `${place}\0${readlinkSync(place)}`;
  } catch {
    return `${place}\0`;
  }
}
