/**
 * Stands in for `sandbox-exec` on Linux: does with the mounts of bubblewrap what the rules of a profile say, as far as mounts
 * can, in their order. `node stand-in.ts -p PROFILE COMMAND…`; `network-outbound` to addresses leaves the network as it is.
 */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { parse, type Term } from './profile-reader.ts';

const [, , , profile = '', ...command] = process.argv;
const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

function cover(decision: Term | undefined, operations: string, place: string): string[] {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (decision === 'allow') return [operations.includes('file-write*') ? '--bind' : '--ro-bind', place, place];
  if (!operations.includes('file-read*')) return ['--ro-bind', place, place];
  // Can be gone through, and not be looked into.
  return found.isDirectory() ? ['--perms', '0111', '--tmpfs', place] : ['--ro-bind', '/dev/null', place];
}

for (const rule of parse(profile)) {
  const [decision, ...rest] = rule as readonly Term[];
  const operations = rest.filter((term) => typeof term === 'string').join(' ');
  if (!/file-read\*|file-write\*/.test(operations)) continue;
  for (const filter of rest.filter((term) => typeof term !== 'string')) {
    const [name, value] = filter as readonly string[];
    if (name === 'subpath' && value !== undefined) mounts.push(...cover(decision, operations, value));
    // The folder of the editor's settings, which is not there.
    const root = name === 'regex' ? /^\^(\/[^[\]]+)\/\[\.\]/.exec(value ?? '')?.[1] : undefined;
    if (root !== undefined) mounts.push('--tmpfs', `${root}/.vscode`, '--remount-ro', `${root}/.vscode`);
  }
}
const isAlone = !profile.includes('(remote ip');
const child = spawn(
  'bwrap',
  [
    ...mounts,
    ...(isAlone ? ['--unshare-net'] : []),
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    '--chdir',
    process.cwd(),
    '--',
    ...command,
  ],
  { stdio: ['inherit', 'inherit', 'inherit', 'inherit'] },
);
child.once('exit', (code, signal) => {
  if (signal === null) process.exitCode = code ?? 1;
  else process.kill(process.pid, 'SIGKILL');
});
