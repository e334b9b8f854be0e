import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { isSecretPath } from '../files/file-class.ts';
import type { Protection } from '../files/protection.ts';
import { aliasesOf } from './aliases.ts';
import { plainMountPath } from './bubblewrap.ts';
import { cachesOf } from './caches.ts';
import { committedOf } from './committed.ts';
import { fixedBeyond, fixedGitData, gitBeyond, gitSettingsFor, nearestGit } from './git-data.ts';
import { type Borrowed, heldFolders, isWithin, pathEntries, type SandboxPlan, tempFolders } from './mounts.ts';
import { keepOnce, passSettings } from './pass-settings.ts';
import { isFolder, realPathOf } from './scan/hooks.ts';
import { scanRoots, type WorkspaceScan } from './scan/scan.ts';
import type { ScanCache } from './scan/scan-cache.ts';
import type { Owner } from './user-space.ts';

export interface PlanInput {
  roots: readonly string[];
  home: string;
  state: SandboxPlan['state'];
  editorData: readonly string[];
  /** The user lets commands read and write these; secrets in what is read stay covered. */
  readable: readonly string[];
  writable: readonly string[];
  searchPath: string | undefined;
  npmSettings: string | undefined;
  isProtected: Protection;
  /** Commands may write this git data: folders `.git` in the roots, or what `gitBeyond` finds. */
  gitWritable: readonly string[];
  shown?: readonly string[];
  borrowed?: readonly Borrowed[];
  uncovered?: readonly string[];
  canDownload: boolean;
  isOwn(file: string): boolean;
  owner?: Owner | undefined;
  scanCache: ScanCache;
  clock: Pick<Clock, 'now' | 'epochMs'>;
}

export interface SystemFacts {
  hiddenFolders(input: PlanInput): string[];
  maskedFiles(input: PlanInput): string[];
  switches(): string[];
}

/** These belong to the system; all other folders in `/` hold somebody's work and are hidden. */
const systemFolders = new Set(
  'bin boot dev etc gnu lib lib32 lib64 libx32 lost+found nix opt proc sbin snap sys usr var'.split(' '),
);

/** More mounts make bubblewrap slow, and mean that the list of names does not fit this workspace. */
const maxMounts = 800;

export async function scanOf(input: PlanInput): Promise<WorkspaceScan> {
  return scanRoots({ ...input, gitSettings: ['/etc/gitconfig', ...gitSettingsOf(input.home)] });
}

function gitSettingsOf(home: string): string[] {
  return [path.join(home, '.config/git/config'), path.join(home, '.gitconfig')];
}

export async function planSandbox(
  input: PlanInput,
  system: SystemFacts = linux,
): Promise<SandboxPlan | { unfit: NonNullable<WorkspaceScan['unfit']> }> {
  const { roots, home } = input;
  const found = await scanOf(input);
  if (found.unfit !== undefined) return { unfit: found.unfit };
  const readable = input.readable.flatMap((target) => {
    const source = realPathOf(target);
    return source === undefined ? [] : [{ source, target }];
  });
  const hidden = system.hiddenFolders(input);
  const isHidden = (file: string) => isHiddenFrom({ hidden }, file);
  const isAway = (place: string) => isHidden(place) || isWithin(home, place);
  const tops = new Set([
    ...(input.shown ?? []),
    ...readable.map(({ source }) => source).filter((place) => isFolder(place) && isAway(place)),
  ]);
  // Without a complete scan of it, nothing of it is shown.
  const shown = (await Promise.all([...tops].map((top) => scanBeyond(input, top)))).filter(
    ({ unfit }) => unfit === undefined,
  );
  const borrowed = await Promise.all(
    (input.borrowed ?? []).map(async (each) => ({ ...each, scan: await scanBeyond(input, each.source) })),
  );
  const lent = borrowed.filter(({ scan: { unfit } }) => unfit === undefined);
  const inTargets = (of: (found: WorkspaceScan) => readonly string[]) =>
    lent.flatMap(({ source, target, scan }) => of(scan).map((place) => target + place.slice(source.length)));
  const isWalked = (place: string) => !tops.has(place) || shown.some(({ top }) => top === place);
  const scan = withGrants({ ...found, ...(await withoutCommitted(input, found)) }, input);
  const isSeen = (file: string) =>
    !isHidden(file) || [...roots, ...shown.map(({ top }) => top)].some((folder) => isWithin(folder, file));
  const emptied = [
    ...[...scan.emptied, ...shown.flatMap((each) => each.emptied)].filter(isSeen),
    ...inTargets((found) => found.emptied),
  ];
  const isInside = (place: string) => roots.some((root) => isWithin(root, place));
  const guarded = scan.guarded.filter(isInside);
  // The data of a worktree whose repository is elsewhere.
  const outside = [
    scan.guarded,
    ...shown.map(({ top, guarded: found }) => found.filter((place) => !isWithin(top, place))),
  ]
    .flat()
    .filter((place) => !isInside(place));
  const tools = [
    ...toolFolders(input, isHidden),
    ...cachesOf(home, input.canDownload),
    ...[...outside, ...shown.map(({ top }) => top)].map((place) => ({ source: place, target: place })),
    ...readable.filter(({ source }) => isWalked(source)),
  ];
  const writable = input.writable.filter(existsSync);
  const shownAgain = [...tools, ...writable.map((place) => ({ source: place, target: place }))].flatMap((shown) => {
    const source = realPathOf(shown.source);
    return source === undefined ? [] : [{ ...shown, source }];
  });
  const namesOf = (file: string) => [
    ...(isSeen(file) ? [file] : []),
    ...shownAgain.flatMap(({ source, target }) => (isWithin(source, file) ? [target + file.slice(source.length)] : [])),
  ];
  const masked = [
    ...new Set([
      ...[...scan.masked, ...shown.flatMap((each) => each.masked), ...system.maskedFiles(input)].flatMap(namesOf),
      ...inTargets((found) => found.masked),
    ]),
  ];
  const held = heldFolders({ roots, borrowed: lent, guarded, masked, emptied });
  if (guarded.length + masked.length + emptied.length + held.length > maxMounts) return { unfit: 'large' };
  const settings = await passSettings({ ...input, masked });
  await keepOnce(path.join(input.state.home, '.gitconfig'), gitSettingsFor(gitSettingsOf(home)));
  return {
    roots,
    home,
    state: input.state,
    hidden,
    tools,
    borrowed: lent.map(({ source, target }) => ({ source, target })),
    writable,
    guarded,
    links: scan.links,
    loaded: scan.loaded,
    reopened: gitBeyond(input).flatMap((each) =>
      input.gitWritable.includes(each.folder)
        ? fixedBeyond(each).map(({ folder, fixed }) => ({ folder, fixed: fixed.map(({ place }) => place) }))
        : [],
    ),
    beyond: beyondOf(input, scan.linked).filter(
      (place) => isAway(place) && !shown.some(({ top }) => isWithin(top, place)),
    ),
    secrets: found.masked,
    masked,
    ...settings,
    emptied,
    switches: system.switches(),
  };
}

const linux: SystemFacts = {
  hiddenFolders,
  maskedFiles: ({ owner }) => [...sockets(owner), ...systemSecrets()],
  switches,
};

async function scanBeyond(input: PlanInput, top: string) {
  const found = await scanOf({ ...input, roots: [top] });
  const isOutside = (place: string) => !input.roots.some((root) => isWithin(root, place));
  return { ...found, top, masked: found.masked.filter(isOutside), emptied: found.emptied.filter(isOutside) };
}

function beyondOf({ roots, home, editorData, state }: PlanInput, linked: readonly string[]): string[] {
  const apart = [home, state.home, ...editorData];
  const tops = roots.flatMap((root) => topAround(root) ?? []);
  return [...new Set([...tops, ...linked])].filter(
    (place) => place !== '/' && !apart.some((folder) => isWithin(place, folder)) && !isSecretPath(`${place}/x`),
  );
}

function topAround(root: string): string | undefined {
  const git = nearestGit(root);
  return git === undefined || path.dirname(git) === root ? undefined : path.dirname(git);
}

function withGrants(scan: WorkspaceScan, { roots, gitWritable, uncovered = [] }: PlanInput): WorkspaceScan {
  const isOpen = (place: string) =>
    gitWritable.includes(place) && roots.some((root) => isWithin(root, place)) && isFolder(place);
  const isCovered = (place: string) => !uncovered.includes(place);
  const guarded = scan.guarded.flatMap((place) =>
    isOpen(place) ? fixedGitData(place).map((part) => part.place) : [place],
  );
  return {
    ...scan,
    guarded: guarded.filter(isCovered),
    masked: scan.masked.filter(isCovered),
    emptied: scan.emptied.filter(isCovered),
  };
}

async function withoutCommitted({ roots, isProtected, isOwn }: PlanInput, { masked: found, guarded }: WorkspaceScan) {
  const masked = found.filter((file) => !isOwn(file));
  const files = masked.filter((file) => lstatSync(file, { throwIfNoEntry: false })?.isFile() === true);
  const committed = await committedOf({ roots, files });
  const kept = [...committed].filter((file) =>
    roots.some((root) => isWithin(root, file) && isProtected(path.relative(root, file))),
  );
  return { masked: masked.filter((file) => !committed.has(file)), guarded: [...guarded, ...kept] };
}

/**
 * Needed as root: bubblewrap itself covers only switches that need no right to be written, and reads only the folder
 * itself. A pattern in `/proc/sys` that names a program to run at the next crash would stay open.
 */
function switches(): string[] {
  // Excluded by name: processes that end during the scan must not count.
  return readdirSync('/proc').flatMap((name) => {
    if (/^\d+$/.test(name) || name === 'sysvipc') return [];
    const place = `/proc/${name}`;
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink()) return [];
    return found.isDirectory() || (found.mode & 0o222) !== 0 ? [place] : [];
  });
}

function hiddenFolders({ home, editorData, roots }: PlanInput): string[] {
  const top = readdirSync('/', { withFileTypes: true }).flatMap((entry) => {
    const place = `/${entry.name}`;
    if (systemFolders.has(entry.name) || tempFolders.some((temp) => temp === place)) return [];
    if (entry.isDirectory()) return [place];
    // On some systems `/home` is a link into `/var`.
    const real = /^(?:home|root|mnt|media|run|srv)$/.test(entry.name) ? realPathOf(place) : undefined;
    return real !== undefined && isFolder(real) ? [real] : [];
  });
  const data = editorData.flatMap((folder) => realPathOf(folder) ?? []);
  const aliases = aliasesOf([home, ...data, ...roots], linesOf('/proc/self/mountinfo'));
  const more = ['/var/run', ...data, ...aliases].flatMap((folder) => {
    const real = realPathOf(folder);
    const isApart =
      real !== undefined && isFolder(real) && real !== home && !roots.some((root) => isWithin(root, real));
    return isApart ? [real] : [];
  });
  return [...new Set([...top, ...more])];
}

/** Version managers hold programs and libraries, but no settings and no passwords. */
const toolsInHome = [
  ...['.nvm', '.fnm', '.volta', '.pyenv', '.rbenv', '.asdf', '.rustup', '.sdkman/candidates', '.nix-profile'],
  ...['.cache/ms-playwright', '.cache/Cypress'],
  ...['fnm', 'pnpm', 'uv/python', 'uv/tools', 'pipx/venvs', 'mise/installs', 'mise/shims'].map(
    (name) => `.local/share/${name}`,
  ),
];

function toolFolders({ home, roots, searchPath }: PlanInput, isHidden: (file: string) => boolean) {
  const wanted = [
    ...pathEntries(searchPath).flatMap((entry) => {
      const parent = path.dirname(entry);
      if (path.basename(entry) !== 'bin' || parent === home) return [entry];
      return [entry, ...['lib', 'lib64', 'libexec', 'Cellar', 'opt'].map((name) => path.join(parent, name))];
    }),
    ...toolsInHome.map((name) => path.join(home, name)),
  ];
  const holdsMore = (folder: string) => [home, ...roots].some((kept) => isWithin(folder, kept));
  return [...new Set(wanted)].flatMap((target) => {
    const source = realPathOf(target);
    if (source === undefined || !isFolder(source) || holdsMore(source) || holdsMore(target)) return [];
    if (!isHidden(target) && !isHidden(source)) return [];
    if (isSecretPath(`${source}/x`) || roots.some((root) => isWithin(root, target))) return [];
    return source === target
      ? [{ source, target }]
      : [
          { source, target: source },
          { source, target },
        ];
  });
}

/** Each named socket is covered, because a read-only mount keeps nobody from connecting. */
function sockets(owner: Owner | undefined): string[] {
  const named = linesOf('/proc/net/unix').flatMap((line) => / (\/.*)$/.exec(line)?.[1] ?? []);
  const mounted = linesOf('/proc/self/mountinfo').map((line) => plainMountPath(line.split(' ')[4] ?? ''));
  const places = [...new Set([...named, ...mounted])].flatMap((place) => realPathOf(place) ?? []);
  return places.filter(
    (place) => lstatSync(place, { throwIfNoEntry: false })?.isSocket() === true && isReachable(place, owner),
  );
}

/**
 * In the sandbox, permissions hold root back like everybody else: what is in a closed folder of another user can
 * neither be reached nor covered.
 */
function isReachable(place: string, owner: Owner | undefined): boolean {
  if (process.getuid?.() !== 0) return true;
  for (let folder = path.dirname(place); folder !== '/'; folder = path.dirname(folder)) {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return false;
    // Root's own could be opened, and those that it has rights over.
    if (found.uid === 0 || found.uid === owner?.uid) continue;
    const isOpen = process.getgroups?.().includes(found.gid) ? 0o010 : 0o001;
    if ((found.mode & isOpen) === 0) return false;
  }
  return true;
}

function systemSecrets(): string[] {
  const names = ['/etc', '/etc/ssh', '/etc/ssl/private', '/etc/security'].flatMap((folder) => {
    try {
      return readdirSync(folder).map((name) => path.join(folder, name));
    } catch {
      return [];
    }
  });
  return names.filter((name) => isSecretPath(name) && lstatSync(name, { throwIfNoEntry: false })?.isFile() === true);
}

export function isHiddenFrom({ hidden }: Pick<SandboxPlan, 'hidden'>, file: string): boolean {
  return [...hidden, ...tempFolders].some((folder) => isWithin(folder, file));
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
