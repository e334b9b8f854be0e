import { lstatSync } from 'node:fs';
import { chmod, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { isOfProcess } from '../base/temporary.ts';
import { type Grant, shownAs } from './blocked.ts';
import type { BubblewrapPrograms } from './bubblewrap.ts';
import { newCommandSession } from './egress-policy.ts';
import { fixedBeyond, fixedGitData, gitBeyond, readGitData } from './git-data.ts';
import {
  type Aftermath,
  inputOf,
  type Launch,
  type LaunchInput,
  launchOf,
  type NoSandbox,
  type SandboxDeps,
  SandboxUnusable,
  stateOf,
} from './launch.ts';
import { isWithin, type SandboxPlan, unfitRoot } from './mounts.ts';
import { createNetworks } from './networks.ts';
import { createPlaceholders, type Placeholder, removeLeftOver } from './placeholders.ts';
import { type PlanInput, planSandbox, scanOf } from './plan.ts';
import { withNetwork } from './replaced.ts';
import type { WorkspaceScan } from './scan/scan.ts';
import { createScanCache } from './scan/scan-cache.ts';
import { isOutput } from './scan/seen-entries.ts';
import { machineOf } from './seccomp.ts';
import { createTrials, tryOut } from './trial.ts';
import { foreignOwner } from './user-space.ts';

export interface Sandbox {
  /**
   * Resolves with undefined when commands can run in it now. Whether it works at all is tried once for real, and the
   * workspace is checked every time.
   */
  unusable(): Promise<NoSandbox | undefined>;
  launch(input: LaunchInput): Promise<Launch>;
  /** Removes what commands kept for conversations that are not stored any more. */
  forget(isStored: (conversationId: string) => Promise<boolean>): Promise<void>;
  /**
   * Returns the user's decision in the conversation; undefined when there is none. An uncovered file is decided anew
   * each time.
   */
  granted(conversationId: string, given: Grant): boolean | undefined;
  grant(conversationId: string, given: Grant, isAllowed: boolean): void;
  close(): void;
}

/**
 * Runs commands in bubblewrap where Linux allows it. Everything that cannot be verified is a reason to ask instead.
 */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const machine = process.platform === 'linux' ? machineOf(process.arch) : undefined;
  const placeholders = createPlaceholders(deps.stateDir);
  const grants = createGrants();
  const ownFiles = createOwnFiles();
  const scanCache = createScanCache();
  const networks = deps.network && createNetworks({ ...deps.network, clock: deps.clock, log: deps.log });
  /**
   * Keeps why the workspace did not fit at the last command, because a scan for every question would take too long.
   */
  let unfit: NoSandbox | undefined;
  const trials = createTrials((owner) => tryOut(deps, networks, owner));
  const programs = async (roots: readonly string[]): Promise<NoSandbox | BubblewrapPrograms> => {
    if (machine === undefined) return 'system';
    const owner = await foreignOwner(roots);
    return owner === 'several' ? 'owner' : trials.found(owner);
  };
  const realRoots = (conversationId?: string) => foldersThere(deps.roots(conversationId));
  const planFor = async (
    conversationId: string,
    extra: Pick<PlanInput, 'gitWritable' | 'canDownload' | 'uncovered' | 'shown'> = {
      gitWritable: [],
      canDownload: false,
    },
  ) => {
    const roots = await realRoots(conversationId);
    const home = await realpath(deps.home);
    const apart = await Promise.all([...deps.editorData, deps.stateDir].map((folder) => realOr(folder)));
    if (roots.length === 0 || unfitRoot(roots, [home, ...apart]) !== undefined) return { unfit: 'home' as const };
    const owner = await foreignOwner(roots);
    if (owner === 'several') return { unfit: 'owner' as const };
    const state = await stateOf(path.join(deps.stateDir, conversationId));
    const borrowed = (await deps.borrowed?.(conversationId)) ?? [];
    return planSandbox(
      inputOf(deps, { roots, home, state, ...extra, borrowed, isOwn: ownFiles.has, owner, scanCache }),
    );
  };
  return {
    async unusable() {
      const roots = await realRoots();
      const found = await programs(roots);
      if (typeof found === 'string') return found;
      const apart = await Promise.all([deps.home, ...deps.editorData, deps.stateDir].map((folder) => realOr(folder)));
      if (roots.length === 0 || unfitRoot(roots, apart) !== undefined) return 'home';
      // What was in the way may be gone.
      if (unfit !== undefined) {
        const plan = await planFor('trial');
        unfit = 'unfit' in plan ? plan.unfit : undefined;
      }
      return unfit;
    },
    async launch({ file, args, cwd, level, conversationId, variables, ask, onBlocked, uncovered }) {
      const roots = await realRoots(conversationId);
      const found = await programs(roots);
      if (typeof found === 'string') throw new SandboxUnusable(found);
      const ended = new AbortController();
      const session = newCommandSession(ended.signal, { ...(ask && { ask }), ...(onBlocked && { onBlocked }) });
      const entering =
        found.nsenter && level === 'on'
          ? networks?.enter(found, conversationId, { session, ports: grants.portsOf(conversationId) })
          : undefined;
      // Awaited below; when it fails, the command has a network of its own.
      const entered = entering?.catch(() => undefined);
      const gitWritable = grants.gitOf(conversationId);
      const beyond = gitBeyond({ roots, home: await realOr(deps.home) }).filter(({ folder }) =>
        gitWritable.includes(folder),
      );
      const giveBack = await placeholders.take([
        ...missingIn(roots, gitWritable),
        ...beyond.flatMap((each) => fixedBeyond(each).flatMap(({ fixed }) => fixed)),
      ]);
      const canDownload = level === 'network' || networks?.egressPolicyOf(conversationId).hasAllowed() === true;
      const gitDataState = await readGitData(
        gitWritable,
        beyond.flatMap(({ own }) => own ?? []),
      );
      let released: Promise<Aftermath> | undefined;
      try {
        const plan = await planFor(conversationId, {
          ...{ gitWritable, canDownload, shown: grants.foldersOf(conversationId) },
          ...(uncovered && { uncovered }),
        });
        unfit = 'unfit' in plan ? plan.unfit : undefined;
        if ('unfit' in plan) throw new SandboxUnusable(plan.unfit);
        const network = level === 'network' || ((await entered)?.network ?? false);
        await (await entered)?.open(plan.registryPorts);
        const secretsBefore = new Set(plan.secrets.filter((file) => !ownFiles.has(file)));
        return launchOf(deps, found, await withNetwork(plan, network), {
          ...{ file, args, cwd, network, variables, session, canDownload },
          async release() {
            ended.abort();
            (await entered)?.leave();
            released ??= giveBack().then(async () => {
              const after = await scanOf(inputOf(deps, { ...plan, scanCache }));
              ownFiles.add(after.masked.filter((file) => !secretsBefore.has(file)));
              const { links, open, lost } = await gitDataState.afterwards();
              for (const link of links) {
                const place = shownAs(link, plan);
                session.blocked.set(place, { kind: 'link', path: place });
              }
              const { appeared, loaded } = aftermathOf(after, plan, gitWritable);
              return { appeared: [...appeared, ...open.map((place) => shownAs(place, plan))], loaded, lost };
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
        if (isOfProcess(name) || (await isStored(name))) continue;
        networks?.forget(name);
        grants.forget(name);
        await removeFolder(path.join(deps.stateDir, name)).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
    granted: grants.of,
    grant: grants.set,
    close() {
      networks?.closeAll();
      trials.close();
    },
  };
}

/**
 * Also removes folders that commands closed, as package managers do with their caches. Folders are opened first,
 * because a removal that fails goes on for a while.
 */
export async function removeFolder(folder: string): Promise<void> {
  await openFolders(folder);
  await rm(folder, { recursive: true, force: true });
}

async function openFolders(top: string): Promise<void> {
  const open = [top];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    await chmod(folder, 0o700).catch(() => undefined);
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (entry.isDirectory()) open.push(path.join(folder, entry.name));
    }
  }
}

/** A folder of the workspace may have been renamed or deleted; the others can be used all the same. */
export async function foldersThere(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => realpath(folder).catch(() => [])));
  return found.flat();
}

export async function realOr(folder: string): Promise<string> {
  return realpath(folder).catch(() => path.resolve(folder));
}

/**
 * These are created where they are missing: the editor obeys a new `.vscode` in a root at once, and git obeys what
 * leads to other settings.
 */
function missingIn(roots: readonly string[], gitWritable: readonly string[]): Placeholder[] {
  const inside = gitWritable.filter((folder) => roots.some((root) => isWithin(root, folder)));
  return [...roots.map((root) => ({ place: path.join(root, '.vscode') })), ...inside.flatMap(fixedGitData)];
}

function createGrants() {
  const answers = new Map<string, Map<string, { given: Grant; isAllowed: boolean }>>();
  const allowed = (conversationId: string) =>
    [...(answers.get(conversationId)?.values() ?? [])].flatMap(({ given, isAllowed }) => (isAllowed ? [given] : []));
  return {
    of: (conversationId: string, given: Grant) => answers.get(conversationId)?.get(JSON.stringify(given))?.isAllowed,
    set(conversationId: string, given: Grant, isAllowed: boolean) {
      if (given.kind === 'file' && isAllowed) return;
      const own = answers.get(conversationId) ?? new Map();
      answers.set(conversationId, own.set(JSON.stringify(given), { given, isAllowed }));
    },
    gitOf: (conversationId: string) =>
      allowed(conversationId).flatMap((given) => (given.kind === 'git' ? [given.place] : [])),
    foldersOf: (conversationId: string) =>
      allowed(conversationId).flatMap((given) => (given.kind === 'folder' ? [given.place] : [])),
    portsOf: (conversationId: string) =>
      allowed(conversationId).flatMap((given) => (given.kind === 'port' ? [given.port] : [])),
    forget: (conversationId: string) => void answers.delete(conversationId),
  };
}

/**
 * Tracks files with names of secrets that appeared in build folders while a command ran. They are known by device and
 * inode, so that another file in the same place does not count.
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

export function aftermathOf(after: WorkspaceScan, before: SandboxPlan, gitWritable: readonly string[]): Aftermath {
  const known = new Set([...before.guarded, ...before.links, ...gitWritable]);
  const appeared = [...after.guarded, ...after.links].flatMap((place) =>
    known.has(place) ? [] : [place.split('\0', 1)[0] ?? ''],
  );
  const loaded = [...after.loaded].flatMap(([place, look]) => (before.loaded.get(place) === look ? [] : [place]));
  const shown = (places: readonly string[]) =>
    [...new Set(places)].flatMap((place) =>
      before.roots.some((root) => isWithin(root, place)) ? [shownAs(place, before)] : [],
    );
  return { appeared: shown(appeared), loaded: shown(loaded) };
}
