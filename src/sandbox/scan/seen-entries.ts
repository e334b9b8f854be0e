import { type Dirent, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { classifyFile, fold, isSecretPath } from '../../files/file-class.ts';
import type { Protection } from '../../files/protection.ts';

export type Depth = 'all' | 'secrets' | 'git';

export type Kind = 'git' | 'editor' | 'secret' | 'settings' | 'other';

export type Seen = { name: string } & (
  | { what: 'git'; isFile: boolean }
  | { what: 'socket' }
  | { what: 'secret'; isFolder: boolean }
  | { what: 'file'; isGuarded: boolean; isLoaded: boolean }
  | { what: 'folder'; isGuarded: boolean; below: Depth }
  | { what: 'link'; kind?: Kind }
  /** The name is not valid UTF-8, so neither the entry nor its content can be covered. */
  | { what: 'unnameable' }
);

/** Nobody obeys settings and rules in folders of packages, and there are thousands. */
export const packages: ReadonlySet<string> = new Set(
  'node_modules .venv venv site-packages bower_components .tox .yarn .pnpm-store'.split(' '),
);

const environments = /^(?:\.?venv|site-packages)$/i;

export function isRepository(entries: readonly Dirent[]): boolean {
  return ['HEAD', 'objects', 'refs'].every((wanted) => entries.some(({ name }) => name === wanted));
}

export function seenIn(
  entries: readonly Dirent[],
  { relative, folder, depth }: { relative: string; folder: string; depth: Depth },
  isProtected: Protection,
): Seen[] {
  return entries.flatMap((entry) => {
    const inner = relative === '' ? entry.name : `${relative}/${entry.name}`;
    const seen = seenAs(entry, { relative: inner, folder, depth }, isProtected);
    return seen === undefined ? [] : [{ name: entry.name, ...seen }];
  });
}

type Unnamed<T> = T extends unknown ? Omit<T, 'name'> : never;

function seenAs(
  entry: Dirent,
  { relative, folder, depth }: { relative: string; folder: string; depth: Depth },
  isProtected: Protection,
): Unnamed<Seen> | undefined {
  const { name } = entry;
  if (name.includes('\uFFFD') && !isText(folder, name)) {
    const kind = depth === 'git' ? undefined : kindOf(relative, entry.isSymbolicLink() ? 'link' : 'file', isProtected);
    return entry.isDirectory() || entry.isSocket() || kind !== undefined ? { what: 'unnameable' } : undefined;
  }
  const isGit = fold(name) === '.git';
  if (entry.isSymbolicLink()) {
    if (depth !== 'all' && !isGit) return undefined;
    const kind = kindOf(relative, 'link', isProtected);
    if (kind !== undefined) return { what: 'link', kind };
    return packages.has(fold(name)) ? { what: 'link' } : undefined;
  }
  if (isGit) return depth === 'secrets' ? undefined : { what: 'git', isFile: entry.isFile() };
  if (entry.isSocket()) return { what: 'socket' };
  const isFolder = entry.isDirectory();
  if (depth === 'git') {
    if (isFolder) return { what: 'folder', isGuarded: false, below: 'git' };
    // An environment says at its top which interpreter it is, and what that loads.
    const isLoaded = environments.test(path.basename(folder)) && foundAs(relative, 'file', isProtected) === 'runs';
    return isLoaded ? { what: 'file', isGuarded: false, isLoaded } : undefined;
  }
  const found = foundAs(relative, isFolder ? 'folder' : 'file', isProtected);
  const kind = found === 'runs' ? undefined : found;
  if (kind === 'secret') return { what: 'secret', isFolder };
  const isGuarded = kind !== undefined && depth === 'all' && !(kind === 'settings' && isOutput(relative));
  if (!isFolder) {
    const isLoaded = depth === 'all' && found === 'runs' && !isOutput(relative);
    return isGuarded || isLoaded ? { what: 'file', isGuarded, isLoaded } : undefined;
  }
  const inside = kind === undefined ? depth : 'secrets';
  return { what: 'folder', isGuarded, below: packages.has(fold(name)) ? 'git' : inside };
}

const outputs = new Set(['dist', 'build', 'out', 'target', 'coverage', '.next', '.output', 'bin', 'obj']);

export function isOutput(place: string): boolean {
  return place
    .split('/')
    .slice(0, -1)
    .some((name) => outputs.has(fold(name)));
}

function isText(folder: string, name: string): boolean {
  const likeIt = readdirSync(folder, { encoding: 'buffer' }).filter((bytes) => bytes.toString() === name);
  return likeIt.length === 1 && likeIt.every((bytes) => bytes.equals(Buffer.from(name)));
}

function kindOf(relative: string, what: 'file' | 'folder' | 'link', isProtected: Protection): Kind | undefined {
  // What a link will lead to is not known yet.
  const asked = what === 'link' ? (['folder', 'file'] as const) : [what];
  return asked.map((one) => foundAs(relative, one, isProtected)).find((kind) => kind !== undefined && kind !== 'runs');
}

function foundAs(relative: string, what: 'file' | 'folder', isProtected: Protection): Kind | 'runs' | undefined {
  // The names of files say nothing about a folder: `config` is one of git's files and many people's folder.
  const asked = what === 'folder' ? `${relative}/x` : relative;
  if (isSecretPath(asked)) return 'secret';
  if (isProtected(relative)) return 'other';
  const found = classifyFile(asked);
  if (found.kind === 'denied') return 'git';
  if (found.kind === 'ordinary') return undefined;
  if (found.because === 'editor') return 'editor';
  if (found.because === 'git' && what === 'file' && ['config', 'head'].includes(fold(path.basename(relative)))) {
    return 'settings';
  }
  return found.because === 'runs' ? 'runs' : 'other';
}

const maxReadings = 20;

export function entriesOf(folder: string): Dirent[] {
  for (let reading = 1; ; reading++) {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      // Gone, or not ours to read: then it is not the command's either.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(folder)) return [];
      if (reading === maxReadings) throw error;
    }
  }
}
