import { lstatSync } from 'node:fs';
import path from 'node:path';
import { fixedBeyond, fixedGitData, gitBeyond } from '../git-data.ts';
import { type PassedSettings, passSettings } from '../pass-settings.ts';
import { isFolder, isWithin, isWithinAny } from '../paths.ts';
import type { WorkspaceScan } from '../scan/scan.ts';
import { committedOf } from './committed.ts';
import { type Exposed, isHiddenFrom, shownAs } from './expose.ts';
import type { PlanInput } from './plan-input.ts';
import type { SystemFacts } from './system-facts.ts';

export interface Covered extends PassedSettings {
  /**
   * Lists files and folders that exist and are read-only although they are inside of a root: git's data, editor
   * settings, rules.
   */
  guarded: readonly string[];
  /**
   * Lists what is writable although it is in something read-only, except for its fixed parts; inner ones come after
   * outer ones.
   */
  reopened: readonly { folder: string; fixed: readonly string[] }[];
  masked: readonly string[];
  emptied: readonly string[];
  /**
   * These folders of a root contain something kept from commands. A mount of its own keeps each where it is: if a
   * folder around it could be renamed, the next scan would find the file under another name, and something else could
   * replace it.
   */
  held: readonly string[];
  switches: readonly string[];
}

export async function cover(
  input: PlanInput,
  found: WorkspaceScan,
  exposed: Exposed,
  system: SystemFacts,
): Promise<Covered> {
  const { roots, gitWritable = [], uncovered = [], isOwn = () => false } = input;
  const isInside = (place: string) => isWithinAny(roots, place);
  const isCovered = (place: string) => !uncovered.includes(place);
  const isOpen = (place: string) => gitWritable.includes(place) && isFolder(place);
  const secrets = found.masked.filter((file) => !isOwn(file));
  const committed = await committedOf({ roots, files: secrets.filter(isFile) });
  const kept = [...committed].filter((file) =>
    roots.some((root) => isWithin(root, file) && input.deps.protection()(path.relative(root, file))),
  );
  const guarded = [...found.guarded, ...kept]
    .filter(isInside)
    .flatMap((place) => (isOpen(place) ? fixedGitData(place).map((part) => part.place) : [place]))
    .filter(isCovered);
  const namesOf = allNames(exposed, isInside);
  const { secretsBeyond } = exposed;
  const masked = [
    ...secrets.filter((file) => !committed.has(file) && isCovered(file)),
    ...secretsBeyond.masked,
    ...system.maskedFiles(input),
  ].flatMap(namesOf);
  const emptied = [...found.emptied.filter(isCovered), ...secretsBeyond.emptied].flatMap(namesOf);
  const places = { guarded, masked: [...new Set(masked)], emptied: [...new Set(emptied)] };
  return {
    ...places,
    reopened: gitBeyond(input)
      .filter(({ folder }) => gitWritable.includes(folder))
      .flatMap(fixedBeyond)
      .map(({ folder, fixed }) => ({ folder, fixed: fixed.map(({ place }) => place) })),
    held: heldFolders([...roots, ...guarded, ...masked, ...emptied], roots, exposed),
    switches: system.switches(),
    ...(await passSettings(input, places.masked)),
  };
}

function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function allNames({ hidden, tools, writable }: Exposed, isInside: (place: string) => boolean) {
  const again = [...tools, ...writable.flatMap(shownAs)].flatMap((shown) =>
    shownAs(shown.source).map(({ source }) => ({ source, target: shown.target })),
  );
  return (place: string) => [
    ...(!isHiddenFrom({ hidden }, place) || isInside(place) ? [place] : []),
    ...again.flatMap(({ source, target }) => (isWithin(source, place) ? [target + place.slice(source.length)] : [])),
  ];
}

function heldFolders(places: readonly string[], roots: readonly string[], { borrowed }: Exposed): string[] {
  const held = new Set<string>();
  for (const place of places) {
    for (const root of roots) {
      if (!isWithin(root, place) || place === root) continue;
      for (let folder = path.dirname(place); folder !== root; folder = path.dirname(folder)) held.add(folder);
    }
  }
  const isBorrowed = (folder: string) => borrowed.some(({ target }) => isWithin(target, folder));
  return [...held].filter((folder) => !roots.includes(folder) && !isBorrowed(folder));
}
