import { lstatSync } from 'node:fs';
import { chmod, readdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { shownAs } from './blocked.ts';
import type { BubblewrapPrograms } from './bubblewrap.ts';
import { gatherFacts, surveyOf } from './facts.ts';
import { fixedGitData, lookAtGitData } from './git-data.ts';
import { newVisit } from './hosts.ts';
import {
  inputOf,
  type Launch,
  type LaunchInput,
  launchOf,
  type NoSandbox,
  type SandboxDeps,
  SandboxUnusable,
  stateOf,
} from './launch.ts';
import { isWithin, type SandboxFacts, unfitRoot } from './mounts.ts';
import { createNetworks } from './networks.ts';
import { createPlaceholders, type Placeholder, removeLeftOver } from './placeholders.ts';
import { withNetwork } from './replaced.ts';
import { machineOf } from './seccomp.ts';
import { isOutput, type Survey } from './survey.ts';
import { tryOut } from './trial.ts';

export interface Sandbox {
  /** Undefined when commands can run in it now. Whether it holds at all is tried once, in earnest; the workspace anew. */
  unusable(): Promise<NoSandbox | undefined>;
  /** Rejects with `SandboxUnusable` when the workspace does not fit. */
  launch(input: LaunchInput): Promise<Launch>;
  /** Removes what commands of conversations kept that are not stored any more. */
  forget(isStored: (conversationId: string) => Promise<boolean>): Promise<void>;
  /** Whether the user said that commands of the conversation may write git's data in this folder; undefined: not yet. */
  mayWriteGit(conversationId: string, folder: string): boolean | undefined;
  allowGit(conversationId: string, folder: string, isAllowed: boolean): void;
  /** Ends what is kept between commands. */
  close(): void;
}

/** Commands in bubblewrap, where Linux lets us. Everything that could not be made sure of is a reason to ask instead. */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const machine = process.platform === 'linux' ? machineOf(process.arch) : undefined;
  const placeholders = createPlaceholders(deps.stateDir);
  const grants = createGrants();
  const ownFiles = createOwnFiles();
  const networks = deps.network && createNetworks({ ...deps.network, clock: deps.clock, log: deps.log });
  let tried: Promise<NoSandbox | BubblewrapPrograms> | undefined;
  /** Why the workspace did not fit when a command was to run in it last: looking through it at every question would take too long. */
  let unfit: NoSandbox | undefined;
  const programs = () => {
    tried ??= machine === undefined ? Promise.resolve('system') : tryOut(deps, networks);
    return tried;
  };
  const realRoots = async () => Promise.all(deps.roots().map((root) => realpath(root)));
  const factsFor = async (conversationId: string, gitWritable: readonly string[] = [], canDownload = false) => {
    const roots = await realRoots();
    const home = await realpath(deps.home);
    const apart = await Promise.all([...deps.editorData, deps.stateDir].map((folder) => realOr(folder)));
    if (roots.length === 0 || unfitRoot(roots, [home, ...apart]) !== undefined) return { unfit: 'home' as const };
    if ((await Promise.all(roots.map(isOfAnother))).some(Boolean)) return { unfit: 'owner' as const };
    const state = await stateOf(path.join(deps.stateDir, conversationId));
    return gatherFacts(inputOf(deps, { roots, home, state, gitWritable, canDownload, isOwn: ownFiles.has }));
  };
  return {
    async unusable() {
      const found = await programs();
      if (typeof found === 'string') return found;
      const roots = await realRoots();
      const apart = await Promise.all([deps.home, ...deps.editorData, deps.stateDir].map((folder) => realOr(folder)));
      if (roots.length === 0 || unfitRoot(roots, apart) !== undefined) return 'home';
      if ((await Promise.all(roots.map(isOfAnother))).some(Boolean)) return 'owner';
      // What was in the way may be gone.
      if (unfit !== undefined) {
        const facts = await factsFor('trial');
        unfit = 'unfit' in facts ? facts.unfit : undefined;
      }
      return unfit;
    },
    async launch({ file, args, cwd, level, conversationId, variables, ask }) {
      const found = await programs();
      if (typeof found === 'string') throw new SandboxUnusable(found);
      const ended = new AbortController();
      const visit = newVisit(ended.signal, ask);
      const entering = found.nsenter && level === 'on' ? networks?.enter(found, conversationId, visit) : undefined;
      // Awaited below; when it fails, the command has a network of its own.
      const entered = entering?.catch(() => undefined);
      const roots = await realRoots();
      const gitWritable = grants.gitOf(conversationId);
      const giveBack = await placeholders.take(missingIn(roots, gitWritable));
      const canDownload = level === 'network' || networks?.hostsOf(conversationId).hasAllowed() === true;
      const gitLook = lookAtGitData(gitWritable);
      let released: Promise<readonly string[]> | undefined;
      try {
        const facts = await factsFor(conversationId, gitWritable, canDownload);
        unfit = 'unfit' in facts ? facts.unfit : undefined;
        if ('unfit' in facts) throw new SandboxUnusable(facts.unfit);
        const network = level === 'network' || ((await entered)?.network ?? false);
        const secretsBefore = new Set(facts.secrets.filter((file) => !ownFiles.has(file)));
        return launchOf(deps, found, await withNetwork(facts, network), {
          ...{ file, args, cwd, network, variables, visit },
          async release() {
            ended.abort();
            (await entered)?.leave();
            released ??= giveBack().then(async () => {
              const after = await surveyOf(inputOf(deps, { ...facts }));
              ownFiles.add(after.masked.filter((file) => !secretsBefore.has(file)));
              const { links, open } = await gitLook.afterwards();
              for (const link of links) {
                const place = shownAs(link, facts);
                visit.blocked.set(place, { kind: 'link', path: place });
              }
              return [...newlyGuarded(after, facts, gitWritable), ...open.map((place) => shownAs(place, facts))];
            });
            return released;
          },
        });
      } catch (error) {
        (await entered)?.leave();
        await giveBack();
        throw error;
      }
    },
    async forget(isStored) {
      await removeLeftOver(deps.stateDir);
      const failures: unknown[] = [];
      for (const name of await readdir(deps.stateDir).catch(() => [])) {
        if (/^(?:made|trial)-/.test(name) || (await isStored(name))) continue;
        networks?.forget(name);
        grants.forget(name);
        await removeFolder(path.join(deps.stateDir, name)).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
    mayWriteGit: grants.mayWrite,
    allowGit: grants.allow,
    close: () => networks?.closeAll(),
  };
}

/** Also folders that commands closed, as package managers do with their caches: opened before, because a removal that fails goes on for a while. */
export async function removeFolder(folder: string): Promise<void> {
  await openFolders(folder);
  await rm(folder, { recursive: true, force: true });
}

/** Links are not followed. What cannot be opened, the removal tells; what is gone, another window has removed. */
async function openFolders(top: string): Promise<void> {
  const open = [top];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    await chmod(folder, 0o700).catch(() => undefined);
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (entry.isDirectory()) open.push(path.join(folder, entry.name));
    }
  }
}

/** Root has no more rights in the sandbox than anybody: in a folder of somebody else every write would fail. */
async function isOfAnother(root: string): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const { uid, gid, mode } = await stat(root);
  const isOpen = process.getgroups?.().includes(gid) ? 0o020 : 0o002;
  return uid !== 0 && (mode & isOpen) === 0;
}

export async function realOr(folder: string): Promise<string> {
  return realpath(folder).catch(() => path.resolve(folder));
}

/**
 * Made where they are missing: the editor obeys a new `.vscode` in a root at once, and git what leads to other settings.
 */
function missingIn(roots: readonly string[], gitWritable: readonly string[]): Placeholder[] {
  return [...roots.map((root) => ({ place: path.join(root, '.vscode') })), ...gitWritable.flatMap(fixedGitData)];
}

/** Answers of the user about git's data, for as long as the window lives. */
function createGrants() {
  const answers = new Map<string, Map<string, boolean>>();
  return {
    mayWrite: (conversationId: string, folder: string) => answers.get(conversationId)?.get(folder),
    gitOf: (conversationId: string) =>
      [...(answers.get(conversationId) ?? [])].flatMap(([folder, isAllowed]) => (isAllowed ? [folder] : [])),
    allow(conversationId: string, folder: string, isAllowed: boolean) {
      const own = answers.get(conversationId) ?? new Map<string, boolean>();
      answers.set(conversationId, own.set(folder, isAllowed));
    },
    forget: (conversationId: string) => void answers.delete(conversationId),
  };
}

/**
 * Files with names of secrets that appeared in folders of builds while a command ran. By their numbers on the disk: another file
 * that comes into the place of one is not known.
 */
export function createOwnFiles() {
  const numbers = new Map<string, string>();
  const numberOf = (file: string) => {
    const found = lstatSync(file, { throwIfNoEntry: false });
    return found?.isFile() && found.nlink === 1 ? `${found.dev}:${found.ino}:${found.birthtimeMs}` : undefined;
  };
  return {
    add(files: readonly string[]) {
      for (const file of files.filter(isOutput)) numbers.set(file, numberOf(file) ?? '');
    },
    has: (file: string): boolean => {
      const known = numbers.get(file);
      return known !== undefined && known !== '' && known === numberOf(file);
    },
  };
}

/** Relative to their roots; with several, a root's name comes first. */
export function newlyGuarded(after: Survey, before: SandboxFacts, gitWritable: readonly string[]): readonly string[] {
  const known = new Set([...before.guarded, ...before.links, ...gitWritable]);
  const places = [...after.guarded, ...after.links].flatMap((place) =>
    known.has(place) ? [] : [place.split('\0', 1)[0] ?? ''],
  );
  return [...new Set(places)].flatMap((place) => {
    const root = before.roots.find((folder) => isWithin(folder, place));
    if (root === undefined) return [];
    const isOnly = before.roots.length === 1;
    return [path.relative(isOnly ? root : path.dirname(root), place)];
  });
}
