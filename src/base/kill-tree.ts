import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Clock } from './clock.ts';

const runFile = promisify(execFile);
const pollMs = 50;

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session?: number;
  /**
   * The start and the pid name one process for good, because pids are used again. On Windows it is in milliseconds
   * since 1970.
   */
  started: string;
}

export interface KillOptions {
  graceMs?: number;
  keepRoot?: boolean;
  mark?: string;
  startedMs?: number;
}

/**
 * This variable is in the environment of every command. A program can leave its session and its parents behind, but
 * what it was started with stays on it.
 */
export const runMark = 'SVC_RUN';

const reapMs = 1000;

/**
 * Ends the process, everything below it and everything in its session and process groups with SIGTERM, and with
 * SIGKILL what is still there after `graceMs`. Resolves when all is gone; a process that is gone already is no error.
 */
export async function killTree(
  rootPid: number,
  clock: Clock,
  { graceMs = 3000, keepRoot = false, mark, startedMs }: KillOptions = {},
): Promise<void> {
  const never = new AbortController().signal;
  const members = new Map<string, ProcessEntry>();
  const deadline = clock.now() + graceMs;
  for (;;) {
    const alive = await listProcesses().catch((error: unknown) => {
      if (process.platform !== 'win32') throw error;
      return undefined;
    });
    if (alive === undefined) return killByTaskkill(rootPid, clock);
    const marked = mark === undefined ? [] : await withMark(alive, mark);
    const candidates = process.platform === 'win32' ? notOlder(rootPid, alive, startedMs) : alive;
    const fresh = treeOf(rootPid, candidates, [...members.values(), ...marked]).filter(
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

/** Returns the pids of what a command left running in its process group, or elsewhere with its mark. */
export async function leftRunning(rootPid: number, mark: string): Promise<number[]> {
  if (process.platform === 'win32') return [];
  const alive = await listProcesses();
  const marked = new Set(await withMark(alive, mark));
  return alive.flatMap((entry) => (entry.group === rootPid || marked.has(entry) ? [entry.pid] : []));
}

export async function hasChildren(pid: number): Promise<boolean> {
  if (process.platform === 'win32') return false;
  return (await listProcesses()).some((entry) => entry.parent === pid);
}

const clockDriftMs = 1000;

/**
 * Windows never changes a parent, so the children of an earlier process with the same pid seem to belong to this one;
 * they are older. Without a start time only the process itself is certain.
 */
export function notOlder(rootPid: number, alive: readonly ProcessEntry[], startedMs?: number): ProcessEntry[] {
  const root = alive.find(({ pid }) => pid === rootPid);
  const from = startedMs ?? (root === undefined ? Number.POSITIVE_INFINITY : Number(root.started));
  return alive.filter((entry) => entry === root || Number(entry.started) >= from - clockDriftMs);
}

export function treeOf(
  rootPid: number,
  alive: readonly ProcessEntry[],
  known: readonly ProcessEntry[],
): ProcessEntry[] {
  // What was found before keeps its children and its group even when it has ended: what it started in its last
  // moment belongs to nobody.
  const pids = new Set([rootPid, ...known.map(({ pid }) => pid)]);
  const groups = new Set(known.map(({ group }) => group).filter((group) => pids.has(group)));
  const root = [...alive, ...known].find(({ pid }) => pid === rootPid);
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
  if (process.platform === 'win32') return listFromCim();
  return process.platform === 'linux' ? listFromProc() : listFromPs();
}

async function listFromCim(): Promise<ProcessEntry[]> {
  const folder = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0`;
  const line = `Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, ([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds() }`;
  const { stdout } = await runFile(`${folder}\\powershell.exe`, ['-NoProfile', '-NonInteractive', '-Command', line], {
    maxBuffer: 16 * 1024 * 1024,
    windowsHide: true,
  });
  return parseCim(stdout);
}

export function parseCim(stdout: string): ProcessEntry[] {
  const entries = stdout.split(/\r?\n/).flatMap((line) => {
    const match = /^(\d+) (\d+) (\d+)$/.exec(line.trim());
    if (match === null) return [];
    const pid = Number(match[1]);
    return [{ pid, parent: Number(match[2]), group: pid, started: match[3] ?? '' }];
  });
  // The one that asked is always among them.
  if (entries.length === 0) throw new Error('The processes could not be listed.');
  return entries;
}

async function listFromProc(): Promise<ProcessEntry[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(
    names.map(async (name): Promise<ProcessEntry | undefined> => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined);
      if (stat === undefined) return undefined;
      // The second field is the name in parentheses and may hold anything, so count from its end.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has ended; only its parent has not read its status yet.
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

async function killByTaskkill(rootPid: number, clock: Clock): Promise<void> {
  const taskkill = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
  const failure = await runFile(taskkill, ['/PID', String(rootPid), '/T', '/F'], { windowsHide: true }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const deadline = clock.now() + reapMs;
  const never = new AbortController().signal;
  while (isAlive(rootPid) && clock.now() < deadline) await clock.sleep(pollMs, never);
  if (isAlive(rootPid)) throw failure ?? new Error('The process goes on.');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
