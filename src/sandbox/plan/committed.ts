import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import path from 'node:path';
import { readRegular, usualBytes } from '../../base/read-regular.ts';
import { systemProgram } from '../bubblewrap.ts';
import { isFolder, isWithin } from '../paths.ts';

export interface CommittedInput {
  roots: readonly string[];
  files: readonly string[];
}

const maxFiles = 400;
const maxMs = 2000;

/**
 * Finds files whose exact content is in the last commit of a repository inside of a root: `git show` prints it to
 * every command anyway. Whatever cannot be determined counts as not committed.
 */
export async function committedOf({ roots, files }: CommittedInput): Promise<ReadonlySet<string>> {
  const byTop = Map.groupBy(files, (file) => topOf(file, roots));
  const found = new Set<string>();
  for (const [top, inside] of byTop) {
    if (top === undefined || inside.length > maxFiles) continue;
    const committed = await blobsOf(top, inside);
    for (const file of inside) {
      const id = committed.get(path.relative(top, file));
      if (id !== undefined && (await hasContent(file, id))) found.add(file);
    }
  }
  return found;
}

function topOf(file: string, roots: readonly string[]): string | undefined {
  const root = roots.find((each) => isWithin(each, file));
  if (root === undefined) return undefined;
  for (let folder = path.dirname(file); isWithin(root, folder); folder = path.dirname(folder)) {
    // In a work tree whose data is elsewhere, commands may not see it.
    if (isFolder(path.join(folder, '.git'))) return folder;
  }
  return undefined;
}

async function blobsOf(top: string, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = files.map((file) => path.relative(top, file));
  const text = await askGit(path.join(top, '.git'), ['--literal-pathspecs', 'ls-tree', '-z', 'HEAD', '--', ...names]);
  const rows = (text ?? '').split('\0').flatMap((row) => {
    const [, id = '', name = ''] = /^100(?:644|755) blob ([\da-f]{40}|[\da-f]{64})\t(.+)$/s.exec(row) ?? [];
    return id === '' ? [] : [[name, id] as const];
  });
  return new Map(rows);
}

/**
 * Returns what git prints of its data in the folder; undefined when it fails. It connects to nothing and starts no
 * other program.
 */
export async function askGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  const git = systemProgram('git');
  if (git === undefined) return undefined;
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };
  const child = spawn(git, [`--git-dir=${folder}`, ...args], {
    ...{ cwd: '/', env: { ...env, GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent' } },
    ...{ stdio: ['ignore', 'pipe', 'ignore'], timeout: maxMs, killSignal: 'SIGKILL' },
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  return code === 0 ? text : undefined;
}

async function hasContent(file: string, id: string): Promise<boolean> {
  const bytes = await readRegular(file, usualBytes, constants.O_NOFOLLOW).catch(() => undefined);
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1');
  return bytes !== undefined && hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === id;
}
