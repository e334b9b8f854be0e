import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { mountArguments, type SandboxPlan, tempFolders } from './mounts.ts';
import { networkOf, type SharedNetwork } from './networks.ts';

export interface SandboxedCommand {
  file: string;
  args: readonly string[];
  cwd: string;
  network: boolean | SharedNetwork;
}

/** Programs are never taken from `PATH`, because a project may have added a folder of its own there. */
const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

export function systemProgram(name: string): string | undefined {
  return folders
    .map((folder) => `${folder}/${name}`)
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

const descriptors = { filter: 3, status: 4, begin: 5, users: 6 } as const;

/** Other open descriptors of this process are closed, because they would be open in the sandbox too. */
const closeOthers = `for f in /proc/self/fd/*; do n=\${f##*/}; case $n in [0-${descriptors.users}]) ;; *) eval "exec $n>&-" ;; esac; done; exec "$@"`;

/**
 * Runs in the sandbox and waits for the begin signal; without it nothing runs, even when the sender is gone. Then it
 * sets the limits that no mount can set. As root there is no limit on the number of processes.
 */
const withinBounds =
  'read -r word <&5 && [ "$word" = begin ] || exit 125; exec 5<&- 6<&-; { ulimit -u 4096 || ulimit -p 4096; ulimit -c 0; echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; exec "$@" 2>&1';

export interface BubblewrapPrograms {
  bwrap: string;
  bash: string;
  /**
   * Without `--disable-userns` (bubblewrap 0.8), a program may create namespaces of its own, with more rights in
   * them.
   */
  canDisableNamespaces: boolean;
  nsenter?: string;
  /** For root in a workspace of somebody else, this is an open descriptor of a namespace that maps both. */
  userSpace?: number;
}

const fileRights = ['CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_CHOWN'];

export function bubblewrapLine(
  { bwrap, bash, canDisableNamespaces, nsenter, userSpace }: BubblewrapPrograms,
  plan: SandboxPlan,
  { file, args, cwd, network }: SandboxedCommand,
): { file: string; args: string[] } {
  const shared = typeof network === 'object' ? network : undefined;
  // Root may enter a network from its own namespace.
  const into = userSpace === undefined ? ['-U', '-n'] : ['-n'];
  const users =
    userSpace === undefined
      ? ['--unshare-user', ...(canDisableNamespaces ? ['--disable-userns'] : [])]
      : ['--userns', String(descriptors.users)];
  const line = [
    ...(shared && nsenter ? [nsenter, '--preserve-credentials', ...into, '-t', String(shared.pid), '--'] : []),
    bwrap,
    ...users,
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === false ? ['--unshare-net'] : []),
    ...['--cap-drop', 'ALL', ...(userSpace === undefined ? [] : fileRights.flatMap((right) => ['--cap-add', right]))],
    ...['--die-with-parent', '--new-session'],
    ...['--seccomp', String(descriptors.filter), '--json-status-fd', String(descriptors.status)],
    ...mountArguments(plan),
    ...['--chdir', cwd, '--', '/bin/sh', '-c', withinBounds, 'sh', file, ...args],
  ];
  return { file: bash, args: ['-p', '-c', closeOthers, 'bash', ...line] };
}

export interface SandboxRun {
  hasEnded(): boolean;
  hasBegun(): boolean;
}

const pollMs = 2;
const maxSetupMs = 3000;

export interface AttendListener {
  network?: SharedNetwork;
  onBegin?(): void;
  onFailed(why: string): void;
}

/**
 * Attends a started bubblewrap: gives it the filter, and lets the command begin once every mount is where it was
 * meant to be. A program of an earlier command can move folders between the check and the mount; then the command
 * never begins.
 */
export function attend(
  child: ChildProcess,
  filter: Buffer,
  plan: SandboxPlan,
  { network, onBegin, onFailed }: AttendListener,
): SandboxRun {
  const pipes: readonly unknown[] = child.stdio;
  const filterPipe = pipes[descriptors.filter] as Writable;
  const statusPipe = pipes[descriptors.status] as Readable;
  const beginPipe = pipes[descriptors.begin] as Writable;
  let status = '';
  let isOver = false;
  let isPlaced = false;
  let hasBegun = false;
  // It may end before it has read.
  for (const pipe of [filterPipe, beginPipe]) pipe.on('error', () => undefined);
  filterPipe.end(filter);
  statusPipe.setEncoding('utf8');
  statusPipe.on('data', (text: string) => {
    status += text;
    const pid = /"child-pid":\s*(\d+)/.exec(status)?.[1];
    if (pid === undefined || isPlaced) return;
    isPlaced = true;
    void whenMounted(Number(pid), plan, () => isOver).then((misplaced) => {
      const why = misplaced ?? networkFault(Number(pid), network);
      if (why === undefined) {
        hasBegun = true;
        onBegin?.();
        beginPipe.end('begin\n');
        return;
      }
      if (!isOver) onFailed(why);
      child.kill('SIGKILL');
    });
  });
  child.once('exit', () => {
    isOver = true;
  });
  return { hasEnded: () => status.includes('"exit-code":'), hasBegun: () => hasBegun };
}

/** The process that keeps the network may have ended, and its number may have been reused. */
function networkFault(pid: number, network: SharedNetwork | undefined): string | undefined {
  if (network === undefined) return undefined;
  try {
    const found = networkOf(pid);
    return found === network.place && found !== networkOf('self') ? undefined : 'another network than planned';
  } catch {
    return 'a network that cannot be looked at';
  }
}

async function whenMounted(pid: number, plan: SandboxPlan, isOver: () => boolean): Promise<string | undefined> {
  const wanted = expectedMounts(mountArguments(plan), mountsOf('self'));
  let wrong: string | undefined;
  const until = performance.now() + maxSetupMs;
  while (performance.now() < until && !isOver()) {
    const mounts = mountsOf(pid);
    wrong = wanted.find(({ target, source }) => {
      const found = mounts.get(target);
      return found === undefined || (source !== undefined && found !== source);
    })?.target;
    if (wrong === undefined) return undefined;
    await delay(pollMs);
  }
  return `no mount as planned at ${wrong}`;
}

interface ExpectedMount {
  target: string;
  source?: string;
}

function expectedMounts(args: readonly string[], here: ReadonlyMap<string, string>): ExpectedMount[] {
  const expected = new Map<string, ExpectedMount>();
  for (let at = 0; at < args.length; ) {
    const [option = '', first = '', second = ''] = args.slice(at, at + 3);
    const isBind = option === '--bind' || option === '--ro-bind';
    const target = isBind ? second : first;
    if (option !== '--remount-ro')
      expected.set(target, isBind ? { target, source: sourceOf(first, here) } : { target });
    at += isBind ? 3 : 2;
  }
  // What is mounted over all of it, and where another name may stand for the folder.
  for (const place of ['/', '/dev', '/proc', ...tempFolders]) expected.delete(place);
  return [...expected.values()];
}

function sourceOf(place: string, here: ReadonlyMap<string, string>): string | undefined {
  for (let folder = place; ; folder = path.dirname(folder)) {
    const found = here.get(folder);
    if (found !== undefined) return joinSource(found, place.slice(folder === '/' ? 0 : folder.length));
    if (folder === '/') return undefined;
  }
}

function joinSource(source: string, rest: string): string {
  return rest === '' ? source : `${source.replace(/ \/$/, ' ')}${rest}`;
}

function mountsOf(pid: number | 'self'): Map<string, string> {
  const mounts = new Map<string, string>();
  try {
    for (const line of readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n')) {
      const [, , device = '', root = '', target] = line.split(' ');
      if (target !== undefined) mounts.set(plainMountPath(target), `${device} ${plainMountPath(root)}`);
    }
  } catch {
    // Gone already.
  }
  return mounts;
}

export function plainMountPath(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
