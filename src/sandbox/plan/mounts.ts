import { isWithin, isWithinAny, outermost } from '../paths.ts';
import type { SandboxPlan } from './plan.ts';
import { tempFolders } from './system-facts.ts';

/**
 * One place as commands see it. A hidden folder is empty, but others may be mounted in it; a masked place is an empty
 * folder, or has the content of `source`.
 */
export type Mount =
  | { kind: 'read-write' | 'read-only'; place: string; source: string }
  | { kind: 'hidden'; place: string }
  | { kind: 'masked'; place: string; source?: string };

/**
 * Returns the mounts in their order. Later ones cover earlier ones: first the whole machine read-only, then hidden
 * folders, then what is shown in them, then the workspace, and last what is kept from writers and readers even there.
 */
export function mountsOf(plan: SandboxPlan): Mount[] {
  const { roots, home, state, tools, writable } = plan;
  const shown = [...tools.map(({ target }) => target), ...writable];
  const hiddenAgain = outermost(
    plan.hidden.filter((folder) => shown.some((outer) => outer !== folder && isWithin(outer, folder))),
  );
  // The mounts of the temporary folders and of home, which come later, hide these.
  const hidden = outermost(
    plan.hidden.filter((folder) => !isWithinAny([...tempFolders, home], folder) && !hiddenAgain.includes(folder)),
  );
  const emptied = outermost(plan.emptied);
  const guarded = outermost(plan.guarded).filter((inner) => !isWithinAny(emptied, inner));
  const held = plan.held.filter((folder) => !isWithinAny([...guarded, ...emptied], folder));
  return [
    // `/proc/1` is bubblewrap; a program that writes its memory could outlive it.
    { kind: 'masked', place: '/proc/1' },
    ...plan.switches.map(readOnly),
    ...hidden.map(hide),
    ...tempFolders.map((place) => ({ kind: 'read-write' as const, place, source: state.temp })),
    { kind: 'read-write', place: home, source: state.home },
    ...outerFirst(tools.map(({ source, target }) => ({ kind: 'read-only' as const, place: target, source }))),
    ...outerFirst(writable.map(readWrite)),
    ...hiddenAgain.map(hide),
    ...outerFirst([...new Set([...roots, ...held])].map(readWrite)),
    ...outerFirst(guarded.map(readOnly)),
    ...plan.reopened.flatMap(({ folder, fixed }) => [readWrite(folder), ...fixed.map(readOnly)]),
    // From here on nothing is writable: what is mounted at another place than its own comes last.
    ...plan.borrowed.map(({ source, target }) => ({ kind: 'read-only' as const, place: target, source })),
    ...emptied.map((place) => ({ kind: 'masked' as const, place })),
    ...plan.masked
      .filter((file) => !isWithinAny(emptied, file))
      .map((place) => ({ kind: 'masked' as const, place, source: plan.filtered.get(place) ?? '/dev/null' })),
    ...[...plan.replaced].map(([place, source]) => ({ kind: 'masked' as const, place, source })),
  ];
}

function readWrite(place: string): Mount {
  return { kind: 'read-write', place, source: place };
}

function readOnly(place: string): Mount {
  return { kind: 'read-only', place, source: place };
}

function hide(place: string): Mount {
  return { kind: 'hidden', place };
}

function outerFirst(mounts: readonly Mount[]): Mount[] {
  return mounts.toSorted((a, b) => a.place.length - b.place.length);
}
