import path from 'node:path';

export interface Borrowed {
  source: string;
  target: string;
}

/** All paths were found on the disk and are absolute and real unless stated otherwise. */
export interface SandboxPlan {
  roots: readonly string[];
  home: string;
  /**
   * These folders of the conversation replace the home folder and the one for temporary files; commands cannot write
   * into `settings`.
   */
  state: { home: string; temp: string; settings: string };
  hidden: readonly string[];
  /**
   * These are shown again below what is hidden, read-only. `target` is the name by which programs know the folder,
   * with its links.
   */
  tools: readonly { source: string; target: string }[];
  borrowed: readonly Borrowed[];
  writable: readonly string[];
  /**
   * These files and folders exist and are read-only although they are inside of a root: git's data, editor settings,
   * rules.
   */
  guarded: readonly string[];
  /**
   * These are writable although they are in something read-only, except for their fixed parts; inner ones come after
   * outer ones.
   */
  reopened: readonly { folder: string; fixed: readonly string[] }[];
  /**
   * These are hidden but perhaps needed: tops of repositories that roots are in, and folders of packages that links
   * lead to.
   */
  beyond: readonly string[];
  links: readonly string[];
  /**
   * Maps files that programs of the editor load by themselves to a value that changes with them; they are writable.
   */
  loaded: ReadonlyMap<string, string>;
  masked: readonly string[];
  secrets: readonly string[];
  /** Maps masked files to the copies without secrets that are shown in their place. */
  filtered: ReadonlyMap<string, string>;
  /** Maps other files, hidden or not, to the ones that are shown in their place. */
  replaced: ReadonlyMap<string, string>;
  registryPorts: readonly number[];
  /**
   * Is true when settings of a registry are hidden as a whole, so that nobody knows where packages should come from.
   */
  registriesHidden: boolean;
  emptied: readonly string[];
  /**
   * Switches of the kernel in `/proc` are read-only, because root owns them and needs no further right to change
   * them.
   */
  switches: readonly string[];
}

export const tempFolders = ['/tmp', '/var/tmp'] as const;

/** This covers bubblewrap itself: through its memory, a program could survive it. */
const firstProcess = ['--tmpfs', '/proc/1', '--remount-ro', '/proc/1'];

/** Returns whether `inner` is `outer` or inside of it. Both must be absolute and normalized. */
export function isWithin(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

/**
 * Returns the mounts as arguments of bubblewrap. Later mounts cover earlier ones: first everything read-only, then
 * hidden folders, then what is shown in them, then the workspace, and last what is kept from writers and readers even
 * there.
 */
export function mountArguments(plan: SandboxPlan): string[] {
  const { roots, home, state, tools, writable, guarded } = plan;
  // What lies over these anyway hides what is in them.
  const covered = [...tempFolders, home];
  const isCovered = (folder: string) => covered.some((outer) => isWithin(outer, folder));
  const shown = [...tools.map(({ target }) => target), ...writable];
  const shownAgain = outermost(
    plan.hidden.filter((folder) => shown.some((outer) => outer !== folder && isWithin(outer, folder))),
  );
  const hidden = outermost(plan.hidden.filter((folder) => !isCovered(folder) && !shownAgain.includes(folder)));
  const emptied = outermost(plan.emptied);
  const isEmptied = (inner: string) => emptied.some((outer) => isWithin(outer, inner));
  const outer = outermost(guarded).filter((inner) => !isEmptied(inner));
  const bind = (folder: string) => ['--bind', folder, folder];
  const held = heldFolders(plan).filter((folder) => ![...outer, ...emptied].some((inner) => isWithin(inner, folder)));
  const readOnly = (inner: string) => ['--ro-bind', inner, inner];
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...firstProcess],
    ...plan.switches.flatMap(readOnly),
    ...hidden.flatMap((folder) => ['--tmpfs', folder]),
    ...tempFolders.flatMap((folder) => ['--bind', state.temp, folder]),
    ...['--bind', state.home, home],
    ...byLength(tools, ({ target }) => target).flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...byLength(writable, (folder) => folder).flatMap(bind),
    ...shownAgain.flatMap((folder) => ['--tmpfs', folder]),
    ...byLength([...new Set([...roots, ...held])], (folder) => folder).flatMap(bind),
    ...plan.borrowed.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...byLength(outer, (inner) => inner).flatMap(readOnly),
    ...plan.reopened.flatMap(({ folder, fixed }) => [...bind(folder), ...fixed.flatMap(readOnly)]),
    ...emptied.flatMap((folder) => ['--tmpfs', folder, '--remount-ro', folder]),
    ...plan.masked
      .filter((file) => !isEmptied(file))
      .flatMap((file) => ['--ro-bind', plan.filtered.get(file) ?? '/dev/null', file]),
    ...[...plan.replaced].flatMap(([place, file]) => ['--ro-bind', file, place]),
    // Last: until here, bubblewrap makes the folders in them that others are mounted on.
    ...[...hidden, ...shownAgain].flatMap((folder) => ['--remount-ro', folder]),
  ];
}

/**
 * Returns the folders of a root that contain something kept from commands. A mount of its own keeps each where it is:
 * if a folder around it could be renamed, the next scan would find the file under another name, and something else
 * could replace it.
 */
export function heldFolders({
  roots,
  borrowed,
  guarded,
  masked,
  emptied,
}: Pick<SandboxPlan, 'roots' | 'borrowed' | 'guarded' | 'masked' | 'emptied'>): string[] {
  const held = new Set<string>();
  for (const place of [...roots, ...guarded, ...masked, ...emptied]) {
    for (const root of roots) {
      if (!isWithin(root, place) || place === root) continue;
      for (let folder = path.dirname(place); folder !== root; folder = path.dirname(folder)) held.add(folder);
    }
  }
  const isBorrowed = (folder: string) => borrowed.some(({ target }) => isWithin(target, folder));
  return [...held].filter((folder) => !roots.includes(folder) && !isBorrowed(folder));
}

function outermost(folders: readonly string[]): string[] {
  const unique = [...new Set(folders)];
  return unique.filter((inner) => !unique.some((other) => other !== inner && isWithin(other, inner)));
}

function byLength<T>(items: readonly T[], of: (item: T) => string): T[] {
  return items.toSorted((a, b) => of(a).length - of(b).length);
}

export function unfitRoot(roots: readonly string[], keptApart: readonly string[]): string | undefined {
  return roots.find((root) => root === '/' || keptApart.some((folder) => isWithin(root, folder)));
}

/** Splits a `PATH` without its relative entries, which would be searched in whatever folder is current. */
export function pathEntries(list: string | undefined): string[] {
  return (list ?? '')
    .split(':')
    .filter((entry) => path.isAbsolute(entry))
    .map((entry) => path.normalize(entry).replace(/(?<=.)\/$/, ''));
}
