import path from 'node:path';
import { isWithin, isWithinAny } from '../paths.ts';
import type { SandboxPlan } from '../plan/plan.ts';

/**
 * Returns a profile for `sandbox-exec` of macOS from the same plan as the mounts of bubblewrap. What no rule names is
 * denied, and of several rules the last that matches decides. Paths are absolute with links resolved; the result is
 * undefined when one of them cannot be written safely. Unlike a mount, a rule can forbid what does not exist yet, but
 * it cannot show another file in the place of one: settings whose secrets could be left out are hidden as a whole.
 */
export function seatbeltProfile(plan: SandboxPlan, { network }: { network: boolean }): string | undefined {
  const { roots, home, state, tools, writable, guarded } = plan;
  const hidden = [...plan.hidden, home, ...tempFolders];
  const shown = tools.flatMap(({ source, target }) => [source, target]);
  const open = [state.home, state.temp, ...writable, ...roots];
  const hiddenAgain = plan.hidden.filter((folder) =>
    [...shown, ...writable].some((outer) => outer !== folder && isWithin(outer, folder)),
  );
  const closed = [...plan.masked, ...plan.emptied];
  const held = [...roots, ...[...guarded, ...closed].flatMap((place) => foldersAround(place, open))];
  if (![...hidden, ...shown, ...open, ...guarded, ...closed].every(isNameable)) return undefined;
  return [
    ...base,
    rule('deny', 'file-read*', hidden.map(subpath)),
    // Programs read the metadata of every folder above the one that they work in.
    rule('allow', 'file-read-metadata', [...shown, ...open].flatMap(foldersAbove).map(literal)),
    rule('allow', 'file-read*', shown.map(subpath)),
    rule('allow', 'file-read* file-write* file-link', open.map(subpath)),
    rule('allow', 'network-bind network-inbound network-outbound', [subpath(state.temp)]),
    rule('deny', 'file-read* file-write* file-link', hiddenAgain.map(subpath)),
    rule('deny', 'file-write* file-link', [...guarded.map(subpath), ...roots.map(editorFolder)]),
    rule('deny', 'file-read* file-write* file-link', closed.map(subpath)),
    // With another folder around it, a file would be one of another name, and something else could take its place.
    rule('deny', 'file-write-unlink', held.map(literal)),
    ...(network ? throughNetwork : []),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Everybody on this machine writes there; commands have a folder of their own, which `TMPDIR` names. */
const tempFolders = ['/private/tmp', '/private/var/tmp', '/private/var/folders'];

const terminals =
  '(literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/(ttys[0-9]+|ptmx)$")';
const names = (...services: string[]) => services.map((service) => `(global-name "${service}")`).join(' ');

const base = [
  '(version 1)',
  '(deny default)',
  '(allow process-exec process-fork)',
  '(allow process-info* signal (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow pseudo-tty)',
  `(allow file-write-data file-ioctl ${terminals})`,
  '(allow ipc-posix-sem)',
  '(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center"))',
  `(allow mach-lookup ${names(
    'com.apple.system.opendirectoryd.libinfo',
    'com.apple.system.opendirectoryd.membership',
    'com.apple.system.notification_center',
    'com.apple.bsd.dirhelper',
  )})`,
  '(allow file-read*)',
];

/** Only addresses are allowed: a named socket may lead to a program with more rights. A service resolves names. */
const throughNetwork = [
  '(allow system-socket)',
  '(allow network-outbound (remote ip "*:*") (literal "/private/var/run/mDNSResponder"))',
  '(allow network-bind network-inbound (local ip "*:*"))',
  `(allow mach-lookup ${names('com.apple.SystemConfiguration.configd', 'com.apple.trustd.agent', 'com.apple.dnssd.service')})`,
];

function rule(decision: 'allow' | 'deny', operations: string, filters: readonly string[]): string {
  const unique = [...new Set(filters)];
  return unique.length === 0 ? '' : `(${decision} ${operations}\n  ${unique.join('\n  ')})`;
}

/** Returns whether a profile can name the place, because Apple does not document how quotes are escaped. */
function isNameable(place: string): boolean {
  return !/[\p{Cc}"\\\uFFFD]/u.test(place);
}

function literal(place: string): string {
  return `(literal "${place}")`;
}

function subpath(place: string): string {
  return `(subpath "${place}")`;
}

/**
 * Writes a pattern for the editor's folder in a root that matches it also while it is missing, and ignores case, as
 * most volumes do.
 */
function editorFolder(root: string): string {
  const anyCase = [...'vscode'].map((letter) => `[${letter}${letter.toUpperCase()}]`).join('');
  const plain = root.replaceAll(/[$.*+?(){}|[\]^]/g, (sign) => (sign === '^' || sign === ']' ? '.' : `[${sign}]`));
  return `(regex #"^${plain}/[.]${anyCase}(/|$)")`;
}

function foldersAbove(place: string): string[] {
  const found: string[] = [];
  let folder = place;
  while (folder !== '/') {
    folder = path.posix.dirname(folder);
    found.push(folder);
  }
  return found;
}

function foldersAround(place: string, open: readonly string[]): string[] {
  return foldersAbove(place).filter((folder) => isWithinAny(open, folder));
}
