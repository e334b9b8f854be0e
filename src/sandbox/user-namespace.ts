import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { systemProgram } from './bubblewrap.ts';

export interface Owner {
  uid: number;
  gid: number;
}

/**
 * Where root works in folders of another user that it could not write by their mode, returns that user; `several` for
 * more than one; otherwise undefined, also for anybody but root.
 */
export async function folderOwner(roots: readonly string[]): Promise<Owner | 'several' | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owners = new Map<string, Owner>();
  for (const root of roots) {
    const { uid, gid, mode } = await stat(root);
    const isOpen = process.getgroups?.().includes(gid) ? 0o020 : 0o002;
    if (uid !== 0 && (mode & isOpen) === 0) owners.set(`${uid}:${gid}`, { uid, gid });
  }
  return owners.size > 1 ? 'several' : owners.values().next().value;
}

const maxMs = 5000;

/**
 * Creates a user namespace that maps only root and the owner, so rights in it are rights over files of these two. No
 * further namespace can be created in it. It lasts as long as the returned descriptor.
 */
export async function openUserNamespace({ uid, gid }: Owner): Promise<number | undefined> {
  const unshare = systemProgram('unshare');
  const nsenter = systemProgram('nsenter');
  if (unshare === undefined || nsenter === undefined) return undefined;
  const options = { cwd: '/', env: {}, timeout: maxMs, killSignal: 'SIGKILL' } as const;
  const keeper = spawn(unshare, ['--user', '--', '/bin/sh', '-c', 'echo; read -r _'], {
    ...options,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = endOf(keeper);
  const { pid } = keeper;
  try {
    await Promise.race([once(keeper.stdout, 'data'), ended]);
    if (pid === undefined) return undefined;
    const both = (id: number) => `0 0 1\n${id === 0 ? '' : `${id} ${id} 1\n`}`;
    await writeFile(`/proc/${pid}/uid_map`, both(uid));
    await writeFile(`/proc/${pid}/gid_map`, both(gid));
    const closing = ['-U', '-t', String(pid), '--', '/bin/sh', '-c', 'echo 0 >/proc/sys/user/max_user_namespaces'];
    if ((await endOf(spawn(nsenter, closing, { ...options, stdio: 'ignore' }))) !== 0) return undefined;
    return openSync(`/proc/${pid}/ns/user`, 'r');
  } catch {
    return undefined;
  } finally {
    keeper.kill('SIGKILL');
  }
}

export function closeUserNamespace(space: number | undefined): void {
  if (space !== undefined) closeSync(space);
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
}
