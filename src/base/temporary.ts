import { readlinkSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dayMs } from './clock.ts';
import { isAlive } from './is-alive.ts';

const prefix = 'svc-';
// Nothing that is in use stays as it is for so long.
const unusedMs = 2 * dayMs;

export function nameOfThis(kind: string): string {
  // Process numbers are unique only within one PID namespace.
  return `${kind}-${spaceOfProcesses()}-${process.pid}`;
}

/** Makes a folder that this process alone uses, and that a later window removes when this one was killed. */
export function makeTemporary(kind: string): Promise<string> {
  return mkdtemp(path.join(tmpdir(), `${prefix}${nameOfThis(kind)}-`));
}

export async function sweepTemporary(): Promise<void> {
  for (const file of await leftBehind(tmpdir(), prefix)) await rm(file, { recursive: true, force: true });
}

export function isOfProcess(name: string): boolean {
  return /^[a-z]+-\d+-\d+(?:-\w+)?$/.test(name);
}

export async function leftBehind(dir: string, before = ''): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(dir).catch(() => [])) {
    if (!name.startsWith(before) || !isOfProcess(name.slice(before.length))) continue;
    const [, space = '', pid = ''] = name.slice(before.length).split('-');
    const stat = await lstat(path.join(dir, name)).catch(() => undefined);
    if (stat === undefined || (process.getuid !== undefined && stat.uid !== process.getuid())) continue;
    const isGone = space === spaceOfProcesses() ? !isAlive(Number(pid)) : Date.now() - stat.mtimeMs > unusedMs;
    if (isGone) found.push(path.join(dir, name));
  }
  return found;
}

function spaceOfProcesses(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '0';
  }
}
