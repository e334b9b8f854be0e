import { lstatSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { isFolder, isWithin, isWithinAny, realPathOf, textOf } from './paths.ts';
import type { Placeholder } from './placeholders.ts';
import { askGit } from './plan/committed.ts';
import { parseGitConfig } from './scan/hooks.ts';
import { entriesOf } from './scan/seen-entries.ts';

/**
 * Returns parts of git's data that lead elsewhere or name programs; they stay read-only even where the rest may be
 * written. A file `commondir` would move settings and hooks to another folder; with the content `.` it states that
 * there is none.
 */
export function fixedGitData(folder: string): Placeholder[] {
  const part = (name: string, text?: string) => ({
    place: path.join(folder, name),
    ...(text !== undefined && { text }),
  });
  return [
    part('config', ''),
    part('config.worktree', ''),
    part('commondir', '.\n'),
    ...['hooks', 'info', 'modules', 'worktrees'].map((name) => part(name)),
  ];
}

function fixedWorktreeData(folder: string): Placeholder[] {
  const inFolder = (name: string) => path.join(folder, name);
  return [
    ...['commondir', 'gitdir', 'info', 'modules'].map((name) => ({ place: inFolder(name) })),
    { place: inFolder('config.worktree'), text: '' },
  ];
}

export interface GitBeyond {
  folder: string;
  own?: string;
}

/**
 * All paths are absolute with links resolved. A repository of the home folder itself does not count, because its
 * files are hidden.
 */
export function gitBeyond({ roots, home }: { roots: readonly string[]; home: string }): GitBeyond[] {
  return roots.flatMap((root) => {
    const place = nearestGit(root);
    if (place === undefined) return [];
    const [own, shared] = gitDataOf(place);
    const found = own === undefined || shared === undefined ? { folder: place } : { folder: shared, own };
    const { folder } = found;
    const isInside = isWithinAny(roots, folder) || isWithin(path.dirname(place), home);
    return !isInside && realPathOf(folder) === folder && isFolder(folder) ? [found] : [];
  });
}

export function fixedBeyond({ folder, own }: GitBeyond): { folder: string; fixed: Placeholder[] }[] {
  const shared = { folder, fixed: fixedGitData(folder) };
  return own === undefined ? [shared] : [shared, { folder: own, fixed: fixedWorktreeData(own) }];
}

export function gitDataAround(place: string, among: readonly GitBeyond[]): string | undefined {
  return among.find((each) => {
    const innermost = fixedBeyond(each).findLast(({ folder }) => isWithin(folder, place));
    return innermost?.fixed.some((part) => isWithin(part.place, place)) === false;
  })?.folder;
}

export function nearestGit(root: string): string | undefined {
  for (let folder = root; folder !== '/'; folder = path.dirname(folder)) {
    const place = path.join(folder, '.git');
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) return place;
  }
  return undefined;
}

/**
 * Returns where the `.git` file of a worktree or a submodule leads, the worktree's own data first and then what all
 * worktrees share. Anybody who writes into the workspace can write such a file, so a place outside counts only when
 * git's data there leads back to this very file.
 */
export function gitDataOf(gitFile: string): string[] {
  const text = textOf(gitFile);
  const named = text.startsWith('gitdir:') ? text.slice('gitdir:'.length).trim() : '';
  const data = named === '' ? undefined : realPathOf(path.resolve(path.dirname(gitFile), named));
  if (data === undefined || !isFolder(data)) return [];
  const back = textOf(path.join(data, 'gitdir')).trim();
  const common = textOf(path.join(data, 'commondir')).trim();
  const shared = common && realPathOf(path.resolve(data, common));
  if (back === '' || realPathOf(path.resolve(data, back)) !== gitFile) return [];
  if (!shared || path.dirname(data) !== path.join(shared, 'worktrees')) return [];
  return [data, shared];
}

const maxEntries = 50_000;

/**
 * Finds links in git's data, because git outside of the sandbox would write through one that replaces its log or a
 * message.
 */
export function linksInGitData(folder: string): string[] {
  const links: string[] = [];
  const open = [{ place: folder, depth: 0 }];
  let count = 0;
  for (let next = open.pop(); next !== undefined && count < maxEntries; next = open.pop()) {
    for (const entry of entriesOf(next.place)) {
      count++;
      const place = path.join(next.place, entry.name);
      if (entry.isSymbolicLink()) links.push(place);
      const isObjects = next.depth > 0 && path.relative(folder, place).startsWith('objects/');
      if (entry.isDirectory() && !isObjects) open.push({ place, depth: next.depth + 1 });
    }
  }
  return links;
}

export interface GitDataState {
  /**
   * Must run after a command: removes links that are new. Resolves with these, with what is open and may name
   * programs, and with branches and tags that are gone or moved to another history, as `main 1a2b3c…`, so that
   * everything can be recovered.
   */
  afterwards(): Promise<{ links: string[]; open: string[]; lost: string[] }>;
}

/** Must be read before a command that may write the data in these folders and that of their worktrees. */
export async function readGitData(folders: readonly string[], worktrees: readonly string[]): Promise<GitDataState> {
  const known = new Set(folders.flatMap(linksInGitData));
  const openIn = () =>
    [...folders, ...worktrees]
      .flatMap((folder) => ['rebase-merge', 'rebase-apply'].map((name) => path.join(folder, name)))
      .filter((place) => lstatSync(place, { throwIfNoEntry: false }) !== undefined);
  const wasOpen = new Set(openIn());
  const before = await Promise.all(folders.map(async (folder) => ({ folder, refs: await refsOf(folder) })));
  return {
    async afterwards() {
      const links = folders.flatMap(linksInGitData).filter((link) => !known.has(link));
      for (const link of links) await unlink(link).catch(() => undefined);
      const lost = await Promise.all(before.map(({ folder, refs }) => lostOf(folder, refs)));
      return { links, open: openIn().filter((place) => !wasOpen.has(place)), lost: lost.flat() };
    },
  };
}

async function refsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await askGit(folder, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags']);
  const rows = (text ?? '').split('\n').flatMap((row) => {
    const [id = '', name = ''] = row.split(' ');
    return name === '' ? [] : [[name, id] as const];
  });
  return new Map(rows);
}

async function lostOf(folder: string, before: ReadonlyMap<string, string>): Promise<string[]> {
  const after = await refsOf(folder);
  const lost: string[] = [];
  for (const [name, id] of before) {
    const now = after.get(name);
    if (now === id || (now && (await askGit(folder, ['merge-base', '--is-ancestor', id, now])) !== undefined)) continue;
    lost.push(`${name.replace(/^refs\/(?:heads|tags)\//, '')} ${id}`);
  }
  return lost;
}

export function userGitSettings(home: string): string[] {
  return [path.join(home, '.config/git/config'), path.join(home, '.gitconfig')];
}

/**
 * Reduces the user's git settings to what commands may see: who commits, how lines end, and that every folder is
 * theirs.
 */
export function gitSettingsFor(files: readonly string[]): string {
  const found = new Map<string, string>();
  for (const { section, name, value } of files.flatMap((file) => parseGitConfig(textOf(file)))) {
    const key = `${section}.${name}`;
    if (['user.name', 'user.email', 'core.autocrlf', 'init.defaultbranch'].includes(key)) found.set(key, value);
  }
  const lines = [...found].map(([key, value]) => {
    const [section = '', name = ''] = key.split('.');
    return `[${section}]\n\t${name} = "${value.replaceAll(/["\\]/g, '\\$&').replaceAll(/[\n\0]/g, ' ')}"\n`;
  });
  return `${lines.join('')}[safe]\n\tdirectory = *\n`;
}
