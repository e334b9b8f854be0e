import { type Dirent, existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { classifyFile, fold, isSecretPath } from '../../files/file-class.ts';
import { loadedNames } from '../../files/file-table.ts';
import { findHooks, realPathOf, textOf } from './hooks.ts';
import { isWithin, type SandboxFacts } from './mounts.ts';

export interface SurveyInput {
  /** Absolute, links resolved. */
  roots: readonly string[];
  /** The user's own list, for paths relative to a root. */
  isProtected(relative: string): boolean;
  home: string;
  /** Files that may name a folder of hooks for all repositories. */
  gitSettings: readonly string[];
  nowMs(): number;
}

/** Kept from commands inside of the roots; with `unfit`, only the part that was found, and why the rest cannot be told. */
export type Survey = Pick<SandboxFacts, 'guarded' | 'links' | 'masked' | 'emptied' | 'loaded'> &
  Partial<Unfit> & {
    /** Folders of packages outside of the roots that links lead to. */
    linked: readonly string[];
  };

interface Unfit {
  unfit: 'link' | 'large' | 'name';
  at?: string;
}

/** Time that the walk itself takes, and with what it waits for: other programs may keep the machine busy. */
const mostMs = { own: 2000, all: 10_000 };
/** The walk blocks everything else in this process for so long at most. */
const sliceMs = 12;

/** Folders of packages: nobody obeys the settings and rules in there, and there are thousands. */
const packages = new Set([
  'node_modules',
  '.venv',
  'venv',
  'site-packages',
  'bower_components',
  '.tox',
  '.yarn',
  '.pnpm-store',
]);

const gitDataNames = [
  'HEAD',
  'config',
  'hooks',
  'info',
  'logs',
  'modules',
  'objects',
  'packed-refs',
  'refs',
  'worktrees',
];

/** By its entries, as git's data may have any name. */
function isRepository(entries: readonly Dirent[]): boolean {
  return ['HEAD', 'objects', 'refs'].every((wanted) => entries.some(({ name }) => name === wanted));
}

/** How the inside of a folder counts. */
type Depth = 'all' | 'secrets' | 'git';

/**
 * Finds, at any depth, git's data, what the editor, git or assistants obey, and what may hold secrets. Links are not
 * followed; where one stands for such a file, what it leads to counts. Everything is looked up anew before each command.
 */
export async function surveyRoots(input: SurveyInput): Promise<Survey> {
  const started = input.nowMs();
  const usedMs = processorMs();
  const found = createFindings(input);
  let sliceStarted = started;
  for (const root of input.roots) {
    const open: { relative: string; depth: Depth }[] = [{ relative: '', depth: 'all' }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { relative, depth } = next;
      const entries = entriesOf(path.join(root, relative));
      if (isRepository(entries)) {
        found.addRepository(path.join(root, relative), relative === '');
        if (relative !== '') continue;
      }
      for (const entry of entries) {
        const inner = relative === '' ? entry.name : `${relative}/${entry.name}`;
        const below = found.add(root, inner, entry, depth);
        if (below !== undefined) open.push({ relative: inner, depth: below });
      }
      const now = input.nowMs();
      if (now - started > mostMs.all || (now - started > mostMs.own && usedMs() > mostMs.own))
        return { ...found.all(), unfit: 'large' };
      if (now - sliceStarted > sliceMs) {
        await nextTurn();
        sliceStarted = input.nowMs();
      }
    }
  }
  const repositories = found.all().guarded.filter((place) => fold(path.basename(place)) === '.git');
  const { places, behind } = findHooks({ ...input, repositories });
  const { guarded, ...all } = found.all();
  const isBehind = all.unfit === undefined && behind !== undefined;
  return { ...all, ...(isBehind && { unfit: 'link', at: behind }), guarded: [...new Set([...guarded, ...places])] };
}

/** Counts what this process uses from the call on. */
function processorMs(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

function createFindings({ roots, isProtected }: SurveyInput) {
  const guarded = new Set<string>();
  const masked = new Set<string>();
  const emptied = new Set<string>();
  const links: string[] = [];
  const loaded = new Map<string, string>();
  const linked = new Set<string>();
  let unfit: Unfit | undefined;
  const isInside = (file: string) => roots.some((root) => isWithin(root, file));

  /** The target of a link counts; behind git's data or the editor's settings there must be no link. */
  const addLink = (root: string, relative: string) => {
    const real = realPathOf(path.join(root, relative));
    const kind = kindOf(relative, 'link', isProtected);
    const leadsOut = real !== undefined && !isInside(real) && packages.has(fold(path.basename(relative)));
    if (leadsOut && isFolder(real)) linked.add(real);
    if (kind === undefined) return;
    if (kind !== 'secret') links.push(linkAs(path.join(root, relative)));
    if (kind === 'git' || kind === 'editor') unfit ??= { unfit: 'link', at: relative };
    else if (real === undefined) return;
    else if (kind === 'secret') (isFolder(real) ? emptied : masked).add(real);
    else if (isInside(real)) guarded.add(real);
  };

  return {
    /** Without a `.git`; a root cannot be covered as a whole. */
    addRepository(folder: string, isRoot: boolean) {
      const places = isRoot ? gitDataNames.map((name) => path.join(folder, name)).filter(existsSync) : [folder];
      for (const place of places) guarded.add(place);
    },
    all: (): Survey => ({
      guarded: [...guarded],
      links,
      masked: [...masked],
      emptied: [...emptied],
      loaded,
      linked: [...linked],
      ...unfit,
    }),
    /** How the inside of the entry is to be looked at; undefined when there is none or it is settled. */
    add(root: string, relative: string, entry: Dirent, depth: Depth): Depth | undefined {
      const absolute = path.join(root, relative);
      if (entry.name.includes('\uFFFD') && !isText(path.dirname(absolute), entry.name)) {
        // By the name that is known here, neither it nor what is in it can be covered.
        const kind =
          depth === 'git' ? undefined : kindOf(relative, entry.isSymbolicLink() ? 'link' : 'file', isProtected);
        if (entry.isDirectory() || entry.isSocket() || kind !== undefined) unfit ??= { unfit: 'name', at: relative };
        return undefined;
      }
      if (entry.isSymbolicLink()) {
        if (depth === 'all' || fold(entry.name) === '.git') addLink(root, relative);
        return undefined;
      }
      if (fold(entry.name) === '.git') {
        if (depth === 'secrets') return undefined;
        guarded.add(absolute);
        if (entry.isFile()) for (const place of gitDataOf(absolute)) guarded.add(place);
        return undefined;
      }
      if (entry.isSocket()) {
        masked.add(absolute);
        return undefined;
      }
      const isDirectory = entry.isDirectory();
      if (depth === 'git') return isDirectory ? 'git' : undefined;
      const kind = kindOf(relative, isDirectory ? 'folder' : 'file', isProtected);
      if (kind === 'secret') {
        (isDirectory ? emptied : masked).add(absolute);
        return undefined;
      }
      if (kind !== undefined && depth === 'all' && !(kind === 'settings' && isOutput(relative))) guarded.add(absolute);
      if (!isDirectory) {
        if (depth === 'all' && loadedNames.test(entry.name) && !isOutput(relative))
          loaded.set(absolute, lookOf(absolute));
        return undefined;
      }
      if (packages.has(fold(entry.name))) return 'git';
      return kind === undefined ? depth : 'secrets';
    },
  };
}

/** Another one after each write. */
function lookOf(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.size} ${found.ino} ${found.mtimeMs} ${found.ctimeMs}`;
}

const outputs = new Set(['dist', 'build', 'out', 'target', 'coverage', '.next', '.output', 'bin', 'obj']);

/** Whether it is in a folder that builds write and remove, by the name of the folder. */
export function isOutput(place: string): boolean {
  return place
    .split('/')
    .slice(0, -1)
    .some((name) => outputs.has(fold(name)));
}

/** Whether exactly this is the name on the disk, and not one whose bytes are no UTF-8. */
function isText(folder: string, name: string): boolean {
  const likeIt = readdirSync(folder, { encoding: 'buffer' }).filter((bytes) => bytes.toString() === name);
  return likeIt.length === 1 && likeIt.every((bytes) => bytes.equals(Buffer.from(name)));
}

function linkAs(place: string): string {
  try {
    return `${place}\0${readlinkSync(place)}`;
  } catch {
    return `${place}\0`;
  }
}

/** `settings`: by its name alone a part of a repository; of a real one the whole folder counts. */
type Kind = 'git' | 'editor' | 'secret' | 'settings' | 'other';

/** Why an entry is kept from commands: from writers, or, when it may hold secrets, from readers too. */
function kindOf(
  relative: string,
  what: 'file' | 'folder' | 'link',
  isProtected: (relative: string) => boolean,
): Kind | undefined {
  if (what !== 'link') return kindAs(relative, what, isProtected);
  // Nobody can tell yet what it will lead to.
  return kindAs(relative, 'folder', isProtected) ?? kindAs(relative, 'file', isProtected);
}

function kindAs(
  relative: string,
  what: 'file' | 'folder',
  isProtected: (relative: string) => boolean,
): Kind | undefined {
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
  return found.because === 'runs' ? undefined : 'other';
}

/**
 * Where the `.git` file of a worktree or a submodule leads. Anybody who writes into the workspace can write such a file:
 * a place outside counts only when git's data there leads back to this very file.
 */
function gitDataOf(gitFile: string): string[] {
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

/** So often at most: where the file system does not say what an entry is, one that is gone meanwhile ends the reading. */
const mostReadings = 20;

function entriesOf(folder: string): Dirent[] {
  for (let reading = 1; ; reading++) {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      // Gone, or not ours to read: then it is not the command's either.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(folder)) return [];
      if (reading === mostReadings) throw error;
    }
  }
}

export function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
