import { lstatSync } from 'node:fs';
import { mkdir, readdir, realpath, utimes } from 'node:fs/promises';
import path from 'node:path';
import { removeTree } from '../base/remove-tree.ts';
import { isOfProcess } from '../base/temporary.ts';
import { shownAs } from './blocked.ts';
import { type Aftermath, type NoSandbox, SandboxUnusable } from './launch.ts';
import { isWithin, isWithinAny } from './paths.ts';
import { removeLeftOver } from './placeholders.ts';
import { planSandbox, type SandboxPlan } from './plan/plan.ts';
import type { PlanInput, SandboxDeps } from './plan/plan-input.ts';
import type { SystemFacts } from './plan/system-facts.ts';
import { scanFor, type WorkspaceScan } from './scan/scan.ts';
import { createScanCache } from './scan/scan-cache.ts';
import { isOutput } from './scan/seen-entries.ts';
import { folderOwner } from './user-namespace.ts';

export interface CommandPlan {
  plan: SandboxPlan;
  aftermath(): Promise<Aftermath>;
}

export function createCommandPlans(deps: SandboxDeps, system: SystemFacts) {
  const ownFiles = createOwnFiles();
  const scanCache = createScanCache();
  /** Keeps why the workspace did not fit at the last command, because a scan for every question would take too long. */
  let unfit: NoSandbox | undefined;
  const placesOf = async (conversationId?: string) => {
    const roots = await existingFolders(deps.roots(conversationId));
    const [home = '', ...apart] = await Promise.all([deps.home, ...deps.editorData, deps.stateDir].map(realOr));
    const isUnfit = (root: string) => root === '/' || [home, ...apart].some((folder) => isWithin(root, folder));
    return roots.length === 0 || roots.some(isUnfit) ? undefined : { roots, home };
  };
  const planFor = async (
    conversationId: string,
    allowed: Pick<PlanInput, 'gitWritable' | 'canDownload' | 'uncovered' | 'shown'> = {},
  ): Promise<SandboxPlan | { unfit: NoSandbox }> => {
    const places = await placesOf(conversationId);
    if (places === undefined) return { unfit: 'home' };
    const owner = await folderOwner(places.roots);
    if (owner === 'several') return { unfit: 'owner' };
    const state = await stateOf(path.join(deps.stateDir, conversationId));
    const borrowed = (await deps.borrowed?.(conversationId)) ?? [];
    const kept = { isOwn: ownFiles.has, scanCache };
    return planSandbox({ deps, ...places, state, ...allowed, borrowed, owner, ...kept }, system);
  };
  return {
    async unusable(): Promise<NoSandbox | undefined> {
      if ((await placesOf()) === undefined) return 'home';
      // What was in the way may be gone.
      if (unfit !== undefined) {
        const plan = await planFor('trial');
        unfit = 'unfit' in plan ? plan.unfit : undefined;
      }
      return unfit;
    },
    async next(conversationId: string, allowed?: Parameters<typeof planFor>[1]): Promise<CommandPlan> {
      const plan = await planFor(conversationId, allowed);
      unfit = 'unfit' in plan ? plan.unfit : undefined;
      if ('unfit' in plan) throw new SandboxUnusable(plan.unfit);
      const secretsBefore = new Set(plan.scan.masked.filter((file) => !ownFiles.has(file)));
      return {
        plan,
        async aftermath() {
          const after = await scanFor({ ...plan, deps, scanCache });
          ownFiles.add(after.masked.filter((file) => !secretsBefore.has(file)));
          return aftermathOf(after, plan, allowed?.gitWritable);
        },
      };
    },
    async forget(isStored: (conversationId: string) => Promise<boolean>, onForget?: (conversationId: string) => void) {
      await removeLeftOver(deps.stateDir);
      const failures: unknown[] = [];
      for (const name of await readdir(deps.stateDir).catch(() => [])) {
        if (isOfProcess(name) || (await isStored(name))) continue;
        onForget?.(name);
        await removeTree(path.join(deps.stateDir, name)).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

export async function stateOf(folder: string): Promise<SandboxPlan['state']> {
  const make = async (name: string) => {
    const place = path.join(folder, name);
    await mkdir(place, { recursive: true, mode: 0o700 });
    // One that is in use is not swept.
    await utimes(place, Date.now() / 1000, Date.now() / 1000);
    return realpath(place);
  };
  return { home: await make('home'), temp: await make('tmp'), settings: await make('settings') };
}

/** A folder of the workspace may have been renamed or deleted; the others can be used all the same. */
export async function existingFolders(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => realpath(folder).catch(() => [])));
  return found.flat();
}

export async function realOr(folder: string): Promise<string> {
  return realpath(folder).catch(() => path.resolve(folder));
}

/**
 * Tracks files with names of secrets that appeared in build folders while a command ran. They are known by device and
 * inode, so that another file in the same place does not count.
 */
function createOwnFiles() {
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

function aftermathOf(after: WorkspaceScan, before: SandboxPlan, gitWritable: readonly string[] = []): Aftermath {
  const known = new Set([...before.guarded, ...before.scan.links, ...gitWritable]);
  const appeared = [...after.guarded, ...after.links].flatMap((place) =>
    known.has(place) ? [] : [place.split('\0', 1)[0] ?? ''],
  );
  const loaded = [...after.loaded].flatMap(([place, look]) => (before.scan.loaded.get(place) === look ? [] : [place]));
  const shown = (places: readonly string[]) =>
    [...new Set(places)].flatMap((place) => (isWithinAny(before.roots, place) ? [shownAs(place, before)] : []));
  return { appeared: shown(appeared), loaded: shown(loaded) };
}
