import type { ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { networkOf, type SharedNetwork } from './networks.ts';
import { isWithin } from './paths.ts';
import { mountPoints, whenMounted } from './plan/check.ts';
import type { Mount } from './plan/mounts.ts';

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
  /** Without `--disable-userns` (bubblewrap 0.8), a program may create namespaces with more rights in them. */
  canDisableNamespaces: boolean;
  /** Before 0.12, bubblewrap makes a missing place of a mount wherever a link leads, outside of the sandbox too. */
  canCloseMachine: boolean;
  nsenter?: string;
  /** For root in a workspace of somebody else, this is an open descriptor of a namespace that maps both. */
  userSpace?: number;
}

const fileRights = ['CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_CHOWN'];

export function bubblewrapLine(
  { bwrap, bash, canDisableNamespaces, canCloseMachine, nsenter, userSpace }: BubblewrapPrograms,
  mounts: readonly Mount[],
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
    ...mountArguments(mounts, canCloseMachine),
    ...['--chdir', cwd, '--', '/bin/sh', '-c', withinBounds, 'sh', file, ...args],
  ];
  return { file: bash, args: ['-p', '-c', closeOthers, 'bash', ...line] };
}

/** While bubblewrap mounts, the machine is at this place; closed, it can be written no more. */
export const machine = '/../oldroot';

function mountArguments(mounts: readonly Mount[], canCloseMachine: boolean): string[] {
  const writable = mounts.flatMap((mount) => (mount.kind === 'read-write' ? [mount.place, mount.source] : []));
  const points = mountPoints().filter((point) => point !== '/' && writable.some((place) => isWithin(place, point)));
  const closing = canCloseMachine ? [machine, ...points.map((point) => machine + point)] : [];
  const lastWritable = mounts.findLastIndex(({ kind }) => kind === 'read-write');
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...mounts.flatMap((mount, at) => {
      const { kind, place } = mount;
      if (kind === 'hidden') return ['--tmpfs', place];
      if (mount.source === undefined) return ['--tmpfs', place, '--remount-ro', place];
      const bound = [kind === 'read-write' ? '--bind' : '--ro-bind', mount.source, place];
      return at === lastWritable ? [...bound, ...closing.flatMap((each) => ['--remount-ro', each])] : bound;
    }),
    // Last: until here, bubblewrap makes the folders in them that others are mounted on.
    ...mounts.flatMap(({ kind, place }) => (kind === 'hidden' ? ['--remount-ro', place] : [])),
  ];
}

export interface SandboxRun {
  hasEnded(): boolean;
  hasBegun(): boolean;
}

export interface SuperviseListener {
  network?: SharedNetwork;
  onBegin?(): void;
  onFailed(why: string): void;
}

/**
 * Supervises a started bubblewrap: gives it the filter, and lets the command begin once every mount is where it was
 * meant to be. A program of an earlier command can move folders between the check and the mount; then the command
 * never begins.
 */
export function supervise(
  child: ChildProcess,
  filter: Buffer,
  mounts: readonly Mount[],
  { network, onBegin, onFailed }: SuperviseListener,
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
    void whenMounted(Number(pid), mounts, () => isOver).then((misplaced) => {
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
