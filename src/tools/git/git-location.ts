import { existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '../../agent/tool.ts';
import { readRegular } from '../../base/read-regular.ts';

export interface GitLocation {
  /** The folder with the `.git`, all links followed. */
  top: string;
  gitDir: string;
  commonDir: string;
  /** Lists folders with data of the repository that nothing outside of its top says belong to it. */
  elsewhere: readonly string[];
}

export function findTop(folder: string): string | undefined {
  for (let current = folder; ; current = path.dirname(current)) {
    if (existsSync(path.join(current, '.git'))) return current;
    if (path.dirname(current) === current) return undefined;
  }
}

/**
 * Finds the data of a repository without asking git, which would obey its settings. A command may have written all
 * that is below the top, so data elsewhere count as the repository's only where their own folder names this top, or
 * the place that the caller moved it from.
 */
export async function locateGit(folder: string, movedFrom?: string): Promise<GitLocation> {
  const found = findTop(await realpath(folder));
  if (found === undefined) throw new ToolError('git could not answer: the folder is in no repository.');
  const top = await realpath(found);
  const gitDir = await gitDirOf(path.join(top, '.git'));
  const named = (await textOf(path.join(gitDir, 'commondir')))?.trim();
  const commonDir = named ? await realpath(path.resolve(gitDir, named)).catch(() => unreadable()) : gitDir;
  const places = [top];
  const elsewhere = new Set<string>();
  if (!isBelow(top, gitDir) && isBelow(commonDir, gitDir) && (await namesTop(gitDir, movedFrom ?? top)))
    places.push(commonDir);
  for (const dir of new Set([gitDir, commonDir])) {
    const reals = [...(await leadsTo(dir))];
    for (const real of reals) if (!places.some((place) => isBelow(place, real))) elsewhere.add(real);
  }
  return { top, gitDir, commonDir, elsewhere: [...elsewhere] };
}

async function gitDirOf(entry: string): Promise<string> {
  if ((await lstat(await realpath(entry))).isDirectory()) return realpath(entry);
  const [, target] = /^gitdir: (.+?)\r?\n?$/s.exec((await textOf(entry)) ?? '') ?? [];
  if (target === undefined) return unreadable();
  return realpath(path.resolve(path.dirname(entry), target)).catch(() => unreadable());
}

/** Says whether the data name this folder as their worktree, or as their submodule. */
async function namesTop(gitDir: string, top: string): Promise<boolean> {
  const worktree = (await textOf(path.join(gitDir, 'gitdir')))?.trim();
  if (worktree)
    return (await realFolder(path.resolve(gitDir, worktree))) === (await realFolder(path.join(top, '.git')));
  const config = (await textOf(path.join(gitDir, 'config'))) ?? '';
  const row = config.split('\n').find((line) => line.trim().startsWith('worktree = '));
  const submodule = row?.trim().slice('worktree = '.length).replaceAll('"', '');
  return submodule !== undefined && (await realpath(path.resolve(gitDir, submodule)).catch(() => '')) === top;
}

/** Follows links of the folders around a file that may be gone. */
async function realFolder(file: string): Promise<string> {
  const folder = path.dirname(file);
  const real = await realpath(folder).catch(async () =>
    path.join(await realpath(path.dirname(folder)).catch(() => ''), path.basename(folder)),
  );
  return path.join(real, path.basename(file));
}

/** Collects where links and alternates of git's data lead, the folder itself included. */
async function leadsTo(dir: string): Promise<ReadonlySet<string>> {
  const found = new Set([dir]);
  for (const part of ['', 'info']) for (const real of await linksIn(path.join(dir, part))) found.add(real);
  const objects = [path.join(dir, 'objects')];
  for (const folder of objects) {
    for (const part of ['', 'info', 'pack']) for (const real of await linksIn(path.join(folder, part))) found.add(real);
    const alternates = (await textOf(path.join(folder, 'info', 'alternates'))) ?? '';
    for (const line of alternates.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      // A quoted name is for git alone to read, so it counts as elsewhere.
      const real = line.startsWith('"') ? line : await realpath(path.resolve(folder, line)).catch(() => undefined);
      if (real === undefined || found.has(real)) continue;
      found.add(real);
      objects.push(real);
    }
  }
  return found;
}

async function linksIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => path.join(folder, name));
  return Promise.all(links.map((link) => realpath(link).catch(() => link)));
}

function isBelow(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

function textOf(file: string): Promise<string | undefined> {
  return readRegular(file).then(String, ({ code }) => (code === 'EFBIG' ? unreadable() : undefined));
}

function unreadable(): never {
  throw new ToolError("git could not answer: the folder's Git data cannot be read.");
}
