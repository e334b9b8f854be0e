import { lstatSync } from 'node:fs';
import path from 'node:path';
import { classifyFile } from '../files/file-class.ts';
import { closedRegistry } from './environment.ts';
import { fixedGitData, type GitBeyond, gitBeyond, gitDataAround } from './git-data.ts';
import { isWithin, isWithinAny, textOf } from './paths.ts';
import type { SandboxPlan } from './plan/plan.ts';
import { tempFolders } from './plan/system-facts.ts';

/** Names what the sandbox kept from a command. Paths are relative to their root, and absolute outside of it. */
export type Blocked =
  | { kind: 'network'; host: string; port?: number; refused?: boolean }
  /** `grant` is what would have to be allowed; it is absent where that is more than one file or folder. */
  | { kind: 'write' | 'read' | 'move'; path: string; grant?: Grant }
  | { kind: 'port'; port: number; grant?: Grant }
  | { kind: 'link'; path: string }
  | { kind: 'registry' };

/**
 * Is allowed by the user in one click; places are absolute. `git` covers git's data in the folder, `port` is one of
 * this machine, `file` may also be a folder, and `folder` is outside of the workspace and read-only.
 */
export type Grant =
  | { kind: 'git'; place: string }
  | { kind: 'port'; port: number }
  | { kind: 'file'; place: string }
  | { kind: 'folder'; place: string };

export interface BlockedInput {
  output: string;
  line: string;
  cwd: string;
  network: boolean | 'shared';
  plan: Pick<
    SandboxPlan,
    | 'roots'
    | 'borrowed'
    | 'guarded'
    | 'masked'
    | 'emptied'
    | 'held'
    | 'writable'
    | 'home'
    | 'tools'
    | 'replaced'
    | 'reopened'
    | 'beyond'
  >;
  listening?(): ReadonlySet<number>;
}

const maxReported = 5;
const maxLineLength = 2000;

/**
 * Compares what was printed with what is known of the sandbox. It reports only what the sandbox kept away for
 * certain: names of other machines where there is no network, and paths that it covers. Exit codes do not count,
 * because programs end with any.
 */
export function blockedIn(input: BlockedInput): Blocked[] {
  const found = new Map<string, Blocked>();
  for (const line of input.output.split('\n')) {
    if (found.size >= maxReported) break;
    if (line.length > maxLineLength) continue;
    const blocked =
      registryIn(line) ?? portBlockedIn(line, input) ?? hostBlockedIn(line, input.network) ?? pathIn(line, input);
    if (blocked !== undefined) found.set(blockedText(blocked), blocked);
  }
  const rest = found.size > 0 ? [...found.values()] : stashIn(input);
  return [...rest, ...beyondIn(input)];
}

const missing =
  /not a git repository|cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|ModuleNotFoundError|command not found|could not resolve "/i;

function beyondIn({ output, plan }: BlockedInput): Blocked[] {
  if (plan.beyond.length === 0 || !missing.test(output)) return [];
  return plan.beyond.map((place) => ({ kind: 'read', path: place, grant: { kind: 'folder', place } }));
}

export function blockedText(blocked: Blocked): string {
  if (blocked.kind === 'registry') return 'registry';
  if (blocked.kind === 'port') return `127.0.0.1:${blocked.port}`;
  if (blocked.kind !== 'network') return `${blocked.kind} ${blocked.path}`;
  return blocked.port === undefined ? blocked.host : `${blocked.host}:${blocked.port}`;
}

function registryIn(line: string): Blocked | undefined {
  return line.includes(new URL(closedRegistry).hostname) ? { kind: 'registry' } : undefined;
}

const unreached = [
  /\b(?:EAI_AGAIN|ENOTFOUND)\s+([\w.-]+)/,
  /[Cc]ould not resolve (?:host(?:name)?:?|proxy:)\s+([\w.-]+)/,
  /\blookup ([\w.-]+)(?: on [\w.:[\]]+)?: /,
  /unable to resolve host address ['‘"]?([\w.-]+)/,
  /[Tt]emporary failure resolving ['‘"]([\w.-]+)/,
  /\bhost='([\w.-]+)', port=\d{1,5}\): Max retries/,
  /Failed to connect to ([\w.-]+) port/,
  /\bconnect (?:ENETUNREACH|EHOSTUNREACH) ([\d.]+)/,
];

function hostBlockedIn(line: string, network: BlockedInput['network']): Blocked | undefined {
  if (network === true) return undefined;
  const found = hostIn(line);
  return network === 'shared' && found?.kind === 'network' && !/^[\d.]+$/.test(found.host) ? undefined : found;
}

function hostIn(line: string): Blocked | undefined {
  for (const sign of unreached) {
    const host = sign.exec(line)?.[1]?.replace(/[.-]$/, '').toLowerCase();
    if (host === undefined || !isElsewhere(host)) continue;
    const port = portIn(line, host);
    return { kind: 'network', host, port };
  }
  return undefined;
}

function isElsewhere(host: string): boolean {
  return host.includes('.') && !/(?:^|\.)(?:invalid|test|local|localhost|example)$|^127\.|^0\./.test(host);
}

const notConnected = /refused|failed to connect|could(?: not|n't) connect/i;
const ownPort = /(?:127\.0\.0\.1|\blocalhost|::1\]?)["')]*(?: \([^)]{1,60}\))?(?:[:/]|,? port[ =:]{1,2})(\d{2,5})\b/;

function portBlockedIn(line: string, { network, listening = listeningHere }: BlockedInput): Blocked | undefined {
  if (network === true || !notConnected.test(line)) return undefined;
  const port = Number(ownPort.exec(line)?.[1] ?? 0);
  if (port === 0 || !listening().has(port)) return undefined;
  return { kind: 'port', port, ...(network === 'shared' && { grant: { kind: 'port', port } }) };
}

function listeningHere(): ReadonlySet<number> {
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => textOf(file).split('\n'));
  return new Set(
    rows.flatMap((row) => /:([\dA-F]{4}) \S+ 0A /.exec(row)?.[1] ?? []).map((hex) => Number.parseInt(hex, 16)),
  );
}

function portIn(line: string, host: string): number | undefined {
  const named = /\bport[= ](\d{1,5})\b/.exec(line)?.[1];
  if (named !== undefined) return Number(named);
  const at = line.indexOf(host);
  const after = /^:(\d{1,5})\b/.exec(line.slice(at + host.length))?.[1];
  if (after !== undefined) return Number(after);
  if (line.includes(`https://${host}`)) return 443;
  return line.includes(`http://${host}`) ? 80 : undefined;
}

const readOnly = /read-only file system|\bEROFS\b/i;
const closed = /permission denied|\bEACCES\b|operation not permitted|\bEPERM\b/i;
const busy = /resource busy|\bEBUSY\b|cross-device|\bEXDEV\b/i;

function pathIn(line: string, { cwd, plan }: BlockedInput): Blocked | undefined {
  const isReadOnly = readOnly.test(line);
  const isBusy = busy.test(line);
  if (!isReadOnly && !isBusy && !closed.test(line)) return undefined;
  const places = candidatesIn(line).map((candidate) => path.resolve(cwd, candidate));
  for (const place of places) {
    const kind = coveredKind(place, plan, { isReadOnly, isBusy });
    if (kind === undefined) continue;
    const grant = grantOf(kind, place, plan);
    return { kind, path: shownAs(place, plan), ...(grant && { grant }) };
  }
  // Programs name themselves first.
  const outside = isReadOnly ? places.findLast((place) => isReadOnlyPlace(place, plan)) : undefined;
  if (outside === undefined) return undefined;
  const repository = gitDataAround(outside, closedBeyond(plan));
  return { kind: 'write', path: outside, ...(repository && { grant: { kind: 'git', place: repository } }) };
}

/** Hooks, other data of git, sockets, and what the user protects are never granted. */
function grantOf(kind: 'write' | 'read' | 'move', place: string, plan: BlockedInput['plan']): Grant | undefined {
  const repository = kind === 'write' ? repositoryOf(place, plan) : undefined;
  if (repository !== undefined) return { kind: 'git', place: repository };
  const secret = [...plan.masked, ...plan.emptied].find((each) => isWithin(each, place));
  const isPlain = secret !== undefined && lstatSync(secret, { throwIfNoEntry: false })?.isSocket() === false;
  const cover = secret ?? plan.guarded.find((each) => isWithin(each, place));
  const root = plan.roots.find((each) => cover !== undefined && cover !== each && isWithin(each, cover));
  if (cover === undefined || root === undefined) return undefined;
  return isPlain || (secret === undefined && isObeyed(path.relative(root, cover)))
    ? { kind: 'file', place: cover }
    : undefined;
}

function isObeyed(relative: string): boolean {
  return [relative, `${relative}/x`].some((name) => {
    const found = classifyFile(name);
    return found.kind === 'sensitive' && ['editor', 'rules', 'server'].includes(found.because);
  });
}

function repositoryOf(place: string, { roots, guarded }: BlockedInput['plan']): string | undefined {
  return guarded.find(
    (folder) =>
      path.basename(folder) === '.git' &&
      isWithin(folder, place) &&
      isWithinAny(roots, folder) &&
      !fixedGitData(folder).some((part) => isWithin(part.place, place)),
  );
}

function closedBeyond(plan: BlockedInput['plan']): GitBeyond[] {
  return gitBeyond(plan).filter((each) => !plan.reopened.some(({ folder }) => folder === each.folder));
}

function stashIn({ output, line, cwd, plan }: BlockedInput): Blocked[] {
  if (output.trim() !== '' || !/\bgit\s(?:-[cC]\s+\S+\s+)?stash\b(?!\s+(?:list|show))/.test(line)) return [];
  const beyond = closedBeyond(plan);
  const dataOf = (place: string) => gitDataAround(place, beyond) ?? repositoryOf(place, plan);
  const folders = [
    ...beyond.map(({ folder, own }) => own ?? folder),
    ...ancestorsOf(cwd).map((folder) => path.join(folder, '.git')),
  ];
  const isFile = (place: string) => lstatSync(place, { throwIfNoEntry: false })?.isFile() === true;
  const found = folders
    .filter((folder) => !isFile(folder))
    .map((folder) => path.join(folder, 'index.lock'))
    .find((place) => dataOf(place) !== undefined);
  const repository = found && dataOf(found);
  return found && repository
    ? [{ kind: 'write', path: shownAs(found, plan), grant: { kind: 'git', place: repository } }]
    : [];
}

function ancestorsOf(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}

function candidatesIn(line: string): string[] {
  const quoted = [...line.matchAll(/['"`‘“]([^'"`‘’“”]{1,400})['"`’”]/g)].map(([, inner = '']) => inner);
  const words = line.split(/[\s:,;()'"`‘’“”]+/).filter((word) => /[./\w]/.test(word));
  return [...quoted, ...words];
}

function coveredKind(
  place: string,
  plan: BlockedInput['plan'],
  { isReadOnly, isBusy }: { isReadOnly: boolean; isBusy: boolean },
): 'write' | 'read' | 'move' | undefined {
  const { guarded, masked, emptied, held } = plan;
  if (masked.includes(place) || isWithinAny(emptied, place)) return isBusy ? 'move' : isReadOnly ? 'write' : 'read';
  if (isWithinAny(guarded, place)) return isBusy ? 'move' : 'write';
  return isBusy && held.includes(place) ? 'move' : undefined;
}

function isReadOnlyPlace(
  place: string,
  { roots, borrowed, writable, home, tools, replaced }: BlockedInput['plan'],
): boolean {
  if (replaced.has(place) || borrowed.some(({ target }) => isWithin(target, place))) return true;
  if (isWithinAny(roots, place)) return false;
  if (tools.some(({ target }) => isWithin(target, place))) return true;
  return !isWithinAny([...writable, home, ...tempFolders, '/proc', '/dev'], place);
}

export function shownAs(place: string, { roots }: Pick<SandboxPlan, 'roots'>): string {
  const root = roots.find((each) => isWithin(each, place));
  if (root === undefined) return place;
  return path.relative(roots.length === 1 ? root : path.dirname(root), place) || '.';
}
