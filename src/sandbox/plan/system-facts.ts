import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isSecretPath } from '../../files/file-class.ts';
import { isFolder, isWithinAny, namesIn, plainMountPath, realPathOf, textOf } from '../paths.ts';
import type { Owner } from '../user-namespace.ts';
import { aliasesOf } from './aliases.ts';
import type { PlanInput } from './plan-input.ts';

export interface SystemFacts {
  hiddenFolders(input: PlanInput): string[];
  maskedFiles(input: PlanInput): string[];
  /** Switches of the kernel are read-only, because root owns them and needs no further right to change them. */
  switches(): string[];
}

export const tempFolders = ['/tmp', '/var/tmp'] as const;

export const linuxFacts: SystemFacts = {
  hiddenFolders,
  maskedFiles: ({ owner }) => [...sockets(owner), ...systemSecrets()],
  switches,
};

const macFolders = [
  ...['/Users', '/Volumes', '/private/var/root'],
  ...['/private/tmp', '/private/var/tmp', '/private/var/folders'],
];

/**
 * Sockets need no list, because a profile allows none. Permissions protect files of the system, because root gets no
 * sandbox here.
 */
export const macFacts: SystemFacts = {
  hiddenFolders({ deps, home, roots }) {
    const data = deps.editorData.flatMap((folder) => realPathOf(folder) ?? []);
    const isApart = (folder: string) => folder !== home && !isWithinAny(roots, folder);
    return [...new Set([...macFolders, ...data.filter(isApart)])].filter(existsSync);
  },
  maskedFiles: () => [],
  switches: () => [],
};

/** These belong to the system; all other folders in `/` hold somebody's work and are hidden. */
const systemFolders = new Set(
  'bin boot dev etc gnu lib lib32 lib64 libx32 lost+found nix opt proc sbin snap sys usr var'.split(' '),
);

function hiddenFolders({ deps, home, roots }: PlanInput): string[] {
  const top = readdirSync('/', { withFileTypes: true }).flatMap((entry) => {
    const place = `/${entry.name}`;
    if (systemFolders.has(entry.name) || tempFolders.some((temp) => temp === place)) return [];
    if (entry.isDirectory()) return [place];
    // On some systems `/home` is a link into `/var`.
    const real = /^(?:home|root|mnt|media|run|srv)$/.test(entry.name) ? realPathOf(place) : undefined;
    return real !== undefined && isFolder(real) ? [real] : [];
  });
  const data = deps.editorData.flatMap((folder) => realPathOf(folder) ?? []);
  const aliases = aliasesOf([home, ...data, ...roots], textOf('/proc/self/mountinfo').split('\n'));
  const more = ['/var/run', ...data, ...aliases].flatMap((folder) => {
    const real = realPathOf(folder);
    const isApart = real !== undefined && isFolder(real) && real !== home && !isWithinAny(roots, real);
    return isApart ? [real] : [];
  });
  return [...new Set([...top, ...more])];
}

/**
 * Returns the kernel's switches that root could write: bubblewrap itself covers only switches that need no right to be
 * written, and reads only the folder itself. A pattern in `/proc/sys` that names a program to run at the next crash
 * would stay open.
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

/** Returns every named socket, because a read-only mount keeps nobody from connecting. */
function sockets(owner: Owner | undefined): string[] {
  const named = textOf('/proc/net/unix').matchAll(/ (\/.*)$/gm);
  const mounted = textOf('/proc/self/mountinfo').split('\n');
  const places = [
    ...[...named].map(([, place = '']) => place),
    ...mounted.map((line) => plainMountPath(line.split(' ')[4] ?? '')),
  ];
  return [...new Set(places)]
    .flatMap((place) => realPathOf(place) ?? [])
    .filter((place) => lstatSync(place, { throwIfNoEntry: false })?.isSocket() === true && isReachable(place, owner));
}

/**
 * Returns whether commands could reach the place. Permissions hold root back in the sandbox like everybody else: what
 * is in a closed folder of another user can neither be reached nor covered.
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
  return ['/etc', '/etc/ssh', '/etc/ssl/private', '/etc/security']
    .flatMap((folder) => namesIn(folder).map((name) => path.join(folder, name)))
    .filter((name) => isSecretPath(name) && lstatSync(name, { throwIfNoEntry: false })?.isFile() === true);
}
