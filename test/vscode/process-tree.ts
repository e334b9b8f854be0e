import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Ends a process that was started with `detached: true` and everything below it; resolves when it is gone. What does not
 * end within `graceMs` is killed.
 */
export async function endProcessTree(child: ChildProcess, graceMs = 3000): Promise<void> {
  if (child.pid === undefined) return;
  // Asked for before the first signal: children of an ended process belong to someone else.
  const below = descendants(child.pid);
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    signalTree(child.pid, below, 'SIGTERM');
    const timer = setTimeout(() => signalTree(child.pid ?? 0, below, 'SIGKILL'), graceMs);
    await exited;
    clearTimeout(timer);
  }
  signalTree(child.pid, below, 'SIGKILL');
}

/** The same at once and without waiting, for a process `exit` handler. */
export function killProcessTree(child: ChildProcess): void {
  if (child.pid !== undefined) signalTree(child.pid, descendants(child.pid), 'SIGKILL');
}

function signalTree(pid: number, below: readonly number[], signal: NodeJS.Signals): void {
  if (pid <= 0) return;
  for (const target of [-pid, ...below]) {
    try {
      process.kill(target, signal);
    } catch (error) {
      // ESRCH says that it is gone already, which is what was asked for.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** Ids of all processes below `root`. Empty where there is no /proc; there the process group has to do. */
function descendants(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of listProcesses()) {
    const parent = parentOf(name);
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const found = new Set([root]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid, parent] of parents) {
      if (!found.has(parent) || found.has(pid)) continue;
      found.add(pid);
      grew = true;
    }
  }
  found.delete(root);
  return [...found];
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function parentOf(pid: string): number | undefined {
  try {
    // The second field is the name in parentheses and may hold anything, so count from its end.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
