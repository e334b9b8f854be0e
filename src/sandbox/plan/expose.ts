import { existsSync } from 'node:fs';
import path from 'node:path';
import { isSecretPath } from '../../files/file-class.ts';
import { cachesOf } from '../caches.ts';
import { nearestGit } from '../git-data.ts';
import { isFolder, isWithin, isWithinAny, pathEntries, realPathOf } from '../paths.ts';
import { scanFor, type WorkspaceScan } from '../scan/scan.ts';
import type { PlanInput, Shown } from './plan-input.ts';
import { type SystemFacts, tempFolders } from './system-facts.ts';

export interface Exposed {
  hidden: readonly string[];
  /**
   * Lists tools that are shown again below what is hidden, read-only. `target` is the name by which programs know the
   * folder, with its links.
   */
  tools: readonly Shown[];
  borrowed: readonly Shown[];
  writable: readonly string[];
  /**
   * Lists what is hidden but perhaps needed: tops of repositories that roots are in, and folders of packages that links
   * lead to.
   */
  beyond: readonly string[];
  secretsBeyond: Pick<WorkspaceScan, 'masked' | 'emptied'>;
}

export async function expose(input: PlanInput, found: WorkspaceScan, system: SystemFacts): Promise<Exposed> {
  const { deps, roots, home } = input;
  const hidden = system.hiddenFolders(input);
  const isHidden = (file: string) => isHiddenFrom({ hidden }, file);
  const isAway = (place: string) => isHidden(place) || isWithin(home, place);
  const readable = deps.readable().flatMap(shownAs);
  const folders = new Set([
    ...(input.shown ?? []),
    ...readable.map(({ source }) => source).filter((place) => isFolder(place) && isAway(place)),
  ]);
  const shown = await scanned(input, [...folders].map(asItself));
  const borrowed = await scanned(input, input.borrowed ?? []);
  const isShown = (place: string) => shown.some(({ source }) => source === place);
  // The data of a worktree whose repository is elsewhere.
  const gitData = [
    ...found.guarded,
    ...shown.flatMap(({ source, scan }) => scan.guarded.filter((place) => !isWithin(source, place))),
  ].filter((place) => !isWithinAny(roots, place));
  return {
    hidden,
    tools: [
      ...toolFolders(input, isHidden),
      ...cachesOf(home, input.canDownload === true),
      ...[...gitData, ...shown.map(({ source }) => source)].map(asItself),
      ...readable.filter(({ source }) => !folders.has(source) || isShown(source)),
    ],
    borrowed: borrowed.map(({ source, target }) => ({ source, target })),
    writable: deps.writable().filter(existsSync),
    beyond: beyondOf(input, found.linked).filter(
      (place) => isAway(place) && !shown.some(({ source }) => isWithin(source, place)),
    ),
    secretsBeyond: {
      masked: [...shown, ...borrowed].flatMap(({ masked }) => masked),
      emptied: [...shown, ...borrowed].flatMap(({ emptied }) => emptied),
    },
  };
}

function asItself(place: string): Shown {
  return { source: place, target: place };
}

export function shownAs(target: string): Shown[] {
  const source = realPathOf(target);
  return source === undefined ? [] : [{ source, target }];
}

/**
 * Scans the shown folders for secrets, and leaves out a folder that could not be read to its end. The secrets have the
 * names that commands see.
 */
async function scanned(input: PlanInput, places: readonly Shown[]) {
  const all = await Promise.all(
    places.map(async ({ source, target }) => {
      const scan = await scanFor({ ...input, roots: [source] });
      const seen = (secrets: readonly string[]) =>
        secrets.filter((place) => !isWithinAny(input.roots, place)).map((place) => target + place.slice(source.length));
      return { source, target, scan, masked: seen(scan.masked), emptied: seen(scan.emptied) };
    }),
  );
  return all.filter(({ scan }) => scan.unfit === undefined);
}

function beyondOf({ deps, roots, home, state }: PlanInput, linked: readonly string[]): string[] {
  const apart = [home, state.home, ...deps.editorData];
  const tops = roots.flatMap((root) => topAround(root) ?? []);
  return [...new Set([...tops, ...linked])].filter(
    (place) => place !== '/' && !apart.some((folder) => isWithin(place, folder)) && !isSecretPath(`${place}/x`),
  );
}

function topAround(root: string): string | undefined {
  const git = nearestGit(root);
  return git === undefined || path.dirname(git) === root ? undefined : path.dirname(git);
}

/** Version managers hold programs and libraries, but no settings and no passwords. */
const toolsInHome = [
  ...['.nvm', '.fnm', '.volta', '.pyenv', '.rbenv', '.asdf', '.rustup', '.sdkman/candidates', '.nix-profile'],
  ...['.cache/ms-playwright', '.cache/Cypress'],
  ...['fnm', 'pnpm', 'uv/python', 'uv/tools', 'pipx/venvs', 'mise/installs', 'mise/shims'].map(
    (name) => `.local/share/${name}`,
  ),
];

function toolFolders({ deps, home, roots }: PlanInput, isHidden: (file: string) => boolean): Shown[] {
  const wanted = [
    ...pathEntries(deps.environment.PATH).flatMap((entry) => {
      const parent = path.dirname(entry);
      if (path.basename(entry) !== 'bin' || parent === home) return [entry];
      return [entry, ...['lib', 'lib64', 'libexec', 'Cellar', 'opt'].map((name) => path.join(parent, name))];
    }),
    ...toolsInHome.map((name) => path.join(home, name)),
  ];
  const holdsMore = (folder: string) => [home, ...roots].some((kept) => isWithin(folder, kept));
  return [...new Set(wanted)].flatMap(shownAs).flatMap(({ source, target }) => {
    if (!isFolder(source) || holdsMore(source) || holdsMore(target)) return [];
    if (!isHidden(target) && !isHidden(source)) return [];
    if (isSecretPath(`${source}/x`) || isWithinAny(roots, target)) return [];
    return source === target ? [{ source, target }] : [asItself(source), { source, target }];
  });
}

export function isHiddenFrom({ hidden }: Pick<Exposed, 'hidden'>, file: string): boolean {
  return isWithinAny([...hidden, ...tempFolders], file);
}
