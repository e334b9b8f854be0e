import path from 'node:path';

/** `target` is in a root. */
export interface Borrowed {
  source: string;
  target: string;
}

/** Found on the disk, all paths absolute and real unless said otherwise. */
export interface SandboxPlan {
  /** The folders of the workspace: writable. */
  roots: readonly string[];
  home: string;
  /** Folders of the conversation that stand for the home folder and for temporary files; in `settings` commands write nothing. */
  state: { home: string; temp: string; settings: string };
  /** Folders that are covered with empty ones. */
  hidden: readonly string[];
  /** Shown again below what is hidden, read-only; `target` is the name by which programs know it, links and all. */
  tools: readonly { source: string; target: string }[];
  /** Folders of packages that stand in a root as well, where it has none. */
  borrowed: readonly Borrowed[];
  /** Folders besides the workspace that the user lets commands write. */
  writable: readonly string[];
  /** Read-only though inside of a root: git's data, editor settings, rules. Files and folders that exist. */
  guarded: readonly string[];
  /** Writable again though in something that is shown read-only, but for their fixed parts; what is inside of one comes after it. */
  reopened: readonly { folder: string; fixed: readonly string[] }[];
  /** Not seen and needed perhaps: tops of repositories that roots are in, and folders of packages that links lead to. */
  beyond: readonly string[];
  /** Links that have the names of such files: `path\0target`. */
  links: readonly string[];
  /** Files that programs of the editor load by themselves: by path, something that changes with them. Writable. */
  loaded: ReadonlyMap<string, string>;
  /** Files and sockets that nobody inside may open. */
  masked: readonly string[];
  /** All files of the workspace with names of secrets, covered or not. */
  secrets: readonly string[];
  /** Masked files that are seen as another one, without the secrets in them: by path, the file in their place. */
  filtered: ReadonlyMap<string, string>;
  /** Other files that others are seen in place of, also where they are hidden: by path, the file. */
  replaced: ReadonlyMap<string, string>;
  /** Besides 80 and 443, at which registries of the settings are. */
  registryPorts: readonly number[];
  /** Settings of a registry are hidden as a whole: nobody knows where packages should come from. */
  registriesHidden: boolean;
  /** Folders of secrets: seen empty. */
  emptied: readonly string[];
  /** Switches of the kernel, in `/proc`: read-only. Root owns them, and needs no further right to turn them. */
  switches: readonly string[];
}

/** Folders for temporary files, which the sandbox has for itself. */
export const tempFolders = ['/tmp', '/var/tmp'] as const;

/** bubblewrap itself: through its memory here, a program could make itself outlive it. */
const firstProcess = ['--tmpfs', '/proc/1', '--remount-ro', '/proc/1'];

/** Whether `inner` is `outer` or inside of it. Both absolute and normal. */
export function isWithin(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

/**
 * The mounts as arguments of bubblewrap. Later ones lie over earlier ones: all read-only, then holes, then what is shown in
 * them, then the workspace, then what is kept from writers and readers even there.
 */
export function mountArguments(plan: SandboxPlan): string[] {
  const { roots, home, state, tools, writable, guarded } = plan;
  // What lies over these anyway hides what is in them.
  const covered = [...tempFolders, home];
  const isCovered = (folder: string) => covered.some((outer) => isWithin(outer, folder));
  const shown = [...tools.map(({ target }) => target), ...writable];
  /** The editor's data in a folder that the user lets commands read. */
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
 * The folders of a root that what is kept from commands is in. A mount of their own keeps them where they are: with another
 * folder around it, a file would be one of another name at the next look, and something else could take its place.
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

/** The ones that are inside no other of them, each once. */
function outermost(folders: readonly string[]): string[] {
  const unique = [...new Set(folders)];
  return unique.filter((inner) => !unique.some((other) => other !== inner && isWithin(other, inner)));
}

/** Outer folders before what is inside of them. */
function byLength<T>(items: readonly T[], of: (item: T) => string): T[] {
  return items.toSorted((a, b) => of(a).length - of(b).length);
}

/** Why a workspace cannot be the writable part of a sandbox; undefined when it can. */
export function unfitRoot(roots: readonly string[], keptApart: readonly string[]): string | undefined {
  return roots.find((root) => root === '/' || keptApart.some((folder) => isWithin(root, folder)));
}

/** As a list for `PATH`, without what is relative: that would be looked for in whatever folder is current. */
export function pathEntries(list: string | undefined): string[] {
  return (list ?? '')
    .split(':')
    .filter((entry) => path.isAbsolute(entry))
    .map((entry) => path.normalize(entry).replace(/(?<=.)\/$/, ''));
}
