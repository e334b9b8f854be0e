import { lstat, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../agent/tool.ts';
import { isGitPath, isSecretPath } from './file-class.ts';
import type { Place, Workspace, WorkspaceRoot } from './workspace.ts';

export class OutsideError extends ToolError {
  readonly path: string;

  constructor(path: string, way = 'Only what is inside can be used; the user can attach other files.') {
    super(`"${path}" is outside the workspace. ${way}`);
    this.path = path;
  }
}

/**
 * Every path that a model wrote and that is read without consent must pass here. It checks the text and then where it
 * really leads. Throws `ToolError` for everything outside the workspace, everything that may hold secrets, and
 * everything that cannot be resolved. Where the user can be asked, `read-place.ts` is used.
 */
export async function resolvePlace(workspace: Workspace, typed: string): Promise<Place> {
  return (await resolveText(workspace, typed)).place;
}

/**
 * Does the same as `resolvePlace` and also returns the path that was judged. That path is what must be opened,
 * because a folder on the way may become a link.
 */
export async function resolveText(workspace: Workspace, typed: string): Promise<CheckedPlace> {
  const { place, real } = await locatePlace(workspace, typed);
  refuseProtected(place.path, typed);
  refuseProtected(real.path, typed);
  const checked = await pathOnDisk(real);
  const stats = checked === undefined ? undefined : await lstat(checked).catch(() => undefined);
  // Whoever opens a pipe waits until somebody writes into it, and the editor has few threads that can wait.
  if (stats && !stats.isFile() && !stats.isDirectory()) throw new ToolError(`${shown(typed)} is no regular file.`);
  return { place, checked };
}

export interface CheckedPlace {
  place: Place;
  checked: string | undefined;
}

/**
 * Expects a place without links on its way, as `locatePlace` and `realPlaceOf` return it. Returns its absolute path,
 * or undefined without a local disk.
 */
export async function pathOnDisk({ root, path: relative }: Place): Promise<string | undefined> {
  const { name, fsPath } = root;
  return fsPath && path.join(await realRoot({ name, fsPath }), relative);
}

/** `isGuessed` is true where nothing has the path as typed, and this place was found by the end of it. */
export interface LocatedPlace {
  place: Place;
  real: Place;
  isGuessed: boolean;
}

/**
 * Checks what holds for readers and writers alike: `place` as it was named and `real`, where it leads with all links
 * followed, are both inside the same root. It does not check for secrets. Throws as `resolvePlace` does.
 */
export async function locatePlace(workspace: Workspace, typed: string): Promise<LocatedPlace> {
  const roots = workspace.roots();
  const meant = asAbsolute(roots, meantPath(typed));
  const inside = await belowRealRoot(roots, meant);
  const guessed = inside === undefined ? await belowGuessedRoot(roots, meant) : undefined;
  const place = await asOnDisk(await withoutRepeatedName(roots, locate(roots, inside ?? guessed ?? meant)));
  const real = await realPlaceOf(place);
  if (real === undefined) throw outside(typed);
  return { place, real, isGuessed: guessed !== undefined };
}

/**
 * Returns the place with each name as the folder has it, where it has one that looks the same: composed or decomposed
 * letters, other blanks, quotes or hyphens. Names that are there as typed stay.
 */
async function asOnDisk(place: Place): Promise<Place> {
  const { fsPath } = place.root;
  if (fsPath === undefined || place.path === '' || (await exists(path.join(fsPath, place.path)))) return place;
  let there = '';
  for (const name of place.path.split('/')) {
    const folder = path.join(fsPath, there);
    const isThere = await exists(path.join(folder, name));
    const names = isThere ? [name] : await readdir(folder).catch((): string[] => []);
    const alike = names.filter((other) => asSeen(other) === asSeen(name));
    there = path.posix.join(there, alike.length === 1 ? (alike[0] ?? name) : name);
  }
  return { ...place, path: there };
}

function asSeen(name: string): string {
  const letters = name
    .normalize('NFC')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[‐‑]/g, '-');
  return letters.replace(/[‘’ʼ′]/g, "'").replace(/[“”„″]/g, '"');
}

/** Follows all links; undefined when the target is outside of its root or cannot be determined. */
export async function realPlaceOf(place: Place): Promise<Place | undefined> {
  const { root } = place;
  if (root.fsPath === undefined) return place;
  const real = await realRelativePath({ name: root.name, fsPath: root.fsPath }, place.path);
  return real === undefined ? undefined : { root, path: real };
}

/**
 * Returns where a path that `locatePlace` found to be outside really leads on this disk: absolute, with all links
 * followed. Returns undefined when that cannot be determined: other machines, home folders, virtual workspaces, links
 * to nothing.
 */
export async function locateOutside(workspace: Workspace, typed: string): Promise<string | undefined> {
  const absolute = absolutePath(workspace.roots(), meantPath(typed));
  if (absolute === undefined) return undefined;
  // Throws for names that other systems read as something else.
  normalise(absolute.slice(path.parse(absolute).root.length), typed);
  return realAbsolutePath(absolute);
}

function meantPath(typed: string): string {
  // A path is one line; a blank at its end may be meant, so it is kept, and refused later as an unsafe name.
  const line = typed.split(/[\r\n]/).find((each) => each.trim() !== '') ?? typed;
  const isOne = line.length > 0 && typed.trim() === line.trim();
  const [, , quoted = isOne ? line : typed] = /^(["'`])(.+)\1$/.exec(typed.trim()) ?? [];
  if (!quoted.startsWith('file:///')) return quoted.replace(/^@\//, '');
  try {
    return fileURLToPath(quoted);
  } catch {
    return quoted;
  }
}

/** Expands `~/`, or adds a missing first slash, where the result is in an open folder; returns other paths unchanged. */
function asAbsolute(roots: readonly WorkspaceRoot[], typed: string): string {
  if (path.isAbsolute(typed)) return typed;
  const absolute = /^~[\\/]/.test(typed) ? path.join(homedir(), typed.slice(2)) : `/${typed}`;
  return roots.some(({ fsPath }) => fsPath && isInside(path.relative(fsPath, absolute))) ? absolute : typed;
}

/**
 * Returns the place below an open folder that a path names by the folder's real path, as compilers print it where the
 * folder was opened through a link or a mapped drive; undefined for every other path.
 */
async function belowRealRoot(roots: readonly WorkspaceRoot[], typed: string): Promise<string | undefined> {
  if (!path.isAbsolute(typed) || roots.some(({ fsPath }) => fsPath && isInside(path.relative(fsPath, typed))))
    return undefined;
  for (const { fsPath } of roots) {
    const real = fsPath === undefined ? undefined : await realpath(fsPath).catch(() => undefined);
    if (fsPath === undefined || real === undefined) continue;
    const relative = path.relative(real, path.normalize(typed));
    if (isInside(relative)) return path.join(fsPath, relative);
  }
  return undefined;
}

const maxGuessedDepth = 40;

/**
 * Returns the place in the workspace that ends like an absolute path which is nowhere on the disk: models write paths
 * of the containers that they were taught in, or take the workspace for the root of the disk. Where nothing has that
 * end, one folder alone, or the workspace folder's own name at the end, is the workspace. A new file is never made that
 * way. Returns undefined for every other path.
 */
async function belowGuessedRoot(roots: readonly WorkspaceRoot[], typed: string): Promise<string | undefined> {
  const parts = typed
    .split(/[\\/]+/)
    .slice(1)
    .filter((part) => part !== '');
  const isName = /^[\w@.+-]*$/.test(typed.split(/[\\/]/)[0] ?? '') && !typed.startsWith('...');
  if (
    (!path.isAbsolute(typed) && isName) ||
    parts.includes('..') ||
    parts.length > maxGuessedDepth ||
    (await exists(typed))
  )
    return undefined;
  const found: string[] = [];
  for (const { name, fsPath } of roots) {
    if (fsPath === undefined) continue;
    if (isInside(path.relative(fsPath, typed))) return undefined;
    const isFolder = typed.startsWith('/') && (parts.at(-1) === name || !/[/.]/.test(parts.join('/')));
    const ends = parts.map((_part, first) => path.join(fsPath, ...parts.slice(first)));
    for (const place of [...ends, ...(isFolder ? [fsPath] : [])]) {
      if (!(await exists(place))) continue;
      found.push(place);
      break;
    }
  }
  return found.length === 1 ? found[0] : undefined;
}

function absolutePath(roots: readonly WorkspaceRoot[], typed: string): string | undefined {
  if (/^[\\/]{2}|^~(?:[\\/]|$)/.test(typed)) return undefined;
  if (path.isAbsolute(typed)) return path.normalize(typed);
  if (/^[A-Za-z]:/.test(typed)) return undefined;
  const parts = typed.split(/[\\/]+/);
  const [only, ...others] = roots;
  if (others.length === 0) return only?.fsPath === undefined ? undefined : path.join(only.fsPath, ...parts);
  const named = roots.find(({ name }) => name === parts[0]);
  return named?.fsPath === undefined ? undefined : path.join(named.fsPath, ...parts.slice(1));
}

function locate(roots: readonly WorkspaceRoot[], typed: string): Place {
  if (roots.length === 0) throw new ToolError('No folder is open, so there is nothing to read.');
  if (/\p{Cc}/u.test(typed)) throw new ToolError('The path holds control characters.');
  // `\\server`, `\\?\` and `//server` leave the disk.
  if (/^[\\/]{2}|^~(?:[\\/]|$)/.test(typed)) throw outside(typed);
  const absolute = typed.startsWith('/') || /^[A-Za-z]:/.test(typed);
  return absolute ? locateAbsolute(roots, typed) : locateRelative(roots, typed);
}

function locateAbsolute(roots: readonly WorkspaceRoot[], typed: string): Place {
  for (const root of roots) {
    if (root.fsPath === undefined || !path.isAbsolute(typed)) continue;
    const relative = path.relative(root.fsPath, typed);
    if (isInside(relative)) return { root, path: normalise(relative, typed) };
  }
  throw outside(typed);
}

function locateRelative(roots: readonly WorkspaceRoot[], typed: string): Place {
  const [first, ...others] = roots;
  const normalised = normalise(typed, typed);
  if (first !== undefined && others.length === 0) return { root: first, path: normalised };
  const [name = '', ...rest] = normalised.split('/');
  const root = roots.find((candidate) => candidate.name === name);
  if (root !== undefined) return { root, path: rest.join('/') };
  const names = roots.map((candidate) => candidate.name).join(', ');
  throw new ToolError(`"${shown(typed)}" does not name its workspace folder. Begin the path with one of: ${names}.`);
}

/**
 * Returns parts separated by `/`, without `.` and `..`. Throws for what leads out and for what other systems read as
 * something else.
 */
function normalise(relative: string, typed: string): string {
  const parts: string[] = [];
  for (const part of relative.split(/[\\/]+/)) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.pop() === undefined) throw outside(typed);
      continue;
    }
    if (isUnsafeName(part)) throw new ToolError(`"${shown(typed)}" is not a path that means the same on every system.`);
    parts.push(part);
  }
  return parts.join('/');
}

function isUnsafeName(name: string): boolean {
  return (
    /[:<>"|?*]/.test(name) ||
    /[. ]$/.test(name) ||
    /~\d+(?:\.|$)/.test(name) ||
    /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i.test(name)
  );
}

async function withoutRepeatedName(roots: readonly WorkspaceRoot[], place: Place): Promise<Place> {
  const { root } = place;
  const [name, ...rest] = place.path.split('/');
  if (roots.length !== 1 || name !== root.name || root.fsPath === undefined) return place;
  return (await exists(path.join(root.fsPath, name))) ? place : { root, path: rest.join('/') };
}

type RootOnDisk = Pick<WorkspaceRoot, 'name'> & { fsPath: string };

export async function realRoot({ name, fsPath }: RootOnDisk): Promise<string> {
  try {
    return await realpath(fsPath);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ToolError(
      `The workspace folder ${name}/ is gone: deleted, renamed, or its drive is not there. Tell the user.`,
    );
  }
}

async function realRelativePath(root: RootOnDisk, relative: string): Promise<string | undefined> {
  const rootPath = await realRoot(root);
  const real = await realAbsolutePath(path.join(root.fsPath, relative));
  if (real === undefined) return undefined;
  const inside = path.relative(rootPath, real);
  return isInside(inside) ? inside.split(path.sep).join('/') : undefined;
}

async function realAbsolutePath(absolute: string): Promise<string | undefined> {
  let existing = absolute;
  let rest = '';
  for (;;) {
    const real = await realPathOf(existing);
    if (real === 'unresolvable') return undefined;
    if (real !== 'missing') return path.join(real.path, rest);
    const parent = path.dirname(existing);
    if (parent === existing) return undefined;
    rest = path.join(path.basename(existing), rest);
    existing = parent;
  }
}

async function realPathOf(absolute: string): Promise<{ path: string } | 'missing' | 'unresolvable'> {
  try {
    return { path: await realpath(absolute) };
  } catch (error) {
    // A link to nothing is there and yet has no real path: what it names could appear at any moment.
    return isMissing(error) && !(await exists(absolute)) ? 'missing' : 'unresolvable';
  }
}

async function exists(absolute: string): Promise<boolean> {
  try {
    await lstat(absolute);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    return true;
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function isInside(relative: string): boolean {
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Throws for git's own data, which not even consent opens. */
export function refuseGit(path: string, typed: string): void {
  if (isGitPath(path)) throw new ToolError(`"${shown(typed)}" is git's own data and is not read.`);
}

function refuseProtected(relative: string, typed: string): void {
  refuseGit(relative, typed);
  if (isSecretPath(relative)) {
    throw new ToolError(`"${shown(typed)}" may hold secrets and is not read. The user can attach it to a message.`);
  }
}

function outside(typed: string): OutsideError {
  return new OutsideError(shown(typed));
}

function shown(typed: string): string {
  return typed.length <= 200 ? typed : `${typed.slice(0, 200)}…`;
}
