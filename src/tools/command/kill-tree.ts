import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Clock } from '../../base/clock.ts';

const runFile = promisify(execFile);
const pollMs = 50;

interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** Absent where the system does not say. */
  session?: number;
  /** With the pid it names one process for good: pids are used again. */
  started: string;
}

export interface KillOptions {
  /** From SIGTERM to SIGKILL. */
  graceMs?: number;
  /** Spares the process itself: an interactive shell ignores SIGTERM and ends with its terminal. */
  keepRoot?: boolean;
  /** Where the system lets us look (Linux), every process with this value of `runMark` belongs to the tree. */
  mark?: string;
}

/**
 * A variable in the environment of every command. A program can leave its session and its parents behind, but what it
 * was started with stays on it.
 */
export const runMark = 'SVC_RUN';

/** After SIGKILL only the system itself can be slow. */
const reapMs = 1000;

/**
 * Ends the process, everything below it and everything in its session and process groups: SIGTERM, and SIGKILL for what is
 * still there after `graceMs`. Resolves when all is gone; a process that is gone already is no error.
 */
export async function killTree(
  rootPid: number,
  clock: Clock,
  { graceMs = 3000, keepRoot = false, mark }: KillOptions = {},
): Promise<void> {
  if (process.platform === 'win32') return killWindowsTree(rootPid);
  const never = new AbortController().signal;
  const members = new Map<string, ProcessEntry>();
  const deadline = clock.now() + graceMs;
  for (;;) {
    const alive = await listProcesses();
    const marked = mark === undefined ? [] : await withMark(alive, mark);
    const fresh = treeOf(rootPid, alive, [...members.values(), ...marked]).filter(
      (entry) => !members.has(keyOf(entry)) && !(keepRoot && entry.pid === rootPid),
    );
    for (const entry of fresh) members.set(keyOf(entry), entry);
    const left = alive.filter((entry) => members.has(keyOf(entry)));
    const now = clock.now();
    if (left.length === 0 || now >= deadline + reapMs) return;
    if (now >= deadline) signal(left, 'SIGKILL');
    else signal(fresh, 'SIGTERM');
    await clock.sleep(pollMs, never);
  }
}

/** Whether anything below the process still runs. False where the system cannot be asked. */
export async function hasChildren(pid: number): Promise<boolean> {
  if (process.platform === 'win32') return false;
  return (await listProcesses()).some((entry) => entry.parent === pid);
}

function treeOf(rootPid: number, alive: readonly ProcessEntry[], known: readonly ProcessEntry[]): ProcessEntry[] {
  const pids = new Set([rootPid]);
  const groups = new Set<number>();
  // What was found before keeps its children even when it has ended and they belong to nobody now.
  for (const entry of known) pids.add(entry.pid);
  const root = alive.find((entry) => entry.pid === rootPid);
  const session = root?.session === rootPid ? rootPid : undefined;
  const found = new Set<ProcessEntry>();
  for (let grew = true; grew; ) {
    grew = false;
    for (const entry of alive) {
      const belongs =
        pids.has(entry.pid) ||
        pids.has(entry.parent) ||
        groups.has(entry.group) ||
        (session !== undefined && entry.session === session);
      if (!belongs || found.has(entry) || entry.pid === process.pid) continue;
      found.add(entry);
      pids.add(entry.pid);
      // Only groups that began inside the tree: the root may share its group with whoever started it.
      if (pids.has(entry.group)) groups.add(entry.group);
      grew = true;
    }
  }
  return [...found];
}

function signal(entries: readonly ProcessEntry[], name: NodeJS.Signals): void {
  for (const { pid } of entries) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // ESRCH: gone already, which is what was asked for. EPERM: it changed its user and is out of reach.
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    }
  }
}

function keyOf({ pid, started }: ProcessEntry): string {
  return `${pid}@${started}`;
}

async function listProcesses(): Promise<ProcessEntry[]> {
  return process.platform === 'linux' ? listFromProc() : listFromPs();
}

async function listFromProc(): Promise<ProcessEntry[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(
    names.map(async (name): Promise<ProcessEntry | undefined> => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined);
      if (stat === undefined) return undefined;
      // The second field is the name in parentheses and may hold anything, so count from its end.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has ended; only its parent has not looked yet.
      if (fields[0] === 'Z') return undefined;
      const [parent, group, session] = fields.slice(1, 4).map(Number);
      return { pid: Number(name), parent: parent ?? 0, group: group ?? 0, session, started: fields[19] ?? '' };
    }),
  );
  return entries.filter((entry) => entry !== undefined);
}

async function withMark(alive: readonly ProcessEntry[], mark: string): Promise<ProcessEntry[]> {
  if (process.platform !== 'linux') return [];
  const marked = await Promise.all(
    alive.map(async (entry) => {
      // Not ours to read, or gone: not ours to end either.
      const environment = await readFile(`/proc/${entry.pid}/environ`, 'latin1').catch(() => '');
      return environment.split('\0').includes(`${runMark}=${mark}`);
    }),
  );
  return alive.filter((_, index) => marked[index]);
}

async function listFromPs(): Promise<ProcessEntry[]> {
  const { stdout } = await runFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (match === null || match[4]?.startsWith('Z')) return [];
    return [{ pid: Number(match[1]), parent: Number(match[2]), group: Number(match[3]), started: match[5] ?? '' }];
  });
}

/** Windows has no SIGTERM for programs without a window; `taskkill` walks the tree itself. */
async function killWindowsTree(rootPid: number): Promise<void> {
  const taskkill = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
  await runFile(taskkill, ['/PID', String(rootPid), '/T', '/F']).catch((error: unknown) => {
    // 128: there is no such process any more.
    if (!(error instanceof Error && 'code' in error && error.code === 128)) throw error;
  });
}
