import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Figure } from './figure.ts';
import type { Part } from './part.ts';
import { median, type Round } from './statistics.ts';

/** Files of a workspace, and what a command may cost above one without a sandbox, in milliseconds. */
const workspaces = [
  { files: 100, goal: 25 },
  { files: 10_000, goal: 25 },
  { files: 50_000, goal: 30 },
  { files: 150_000, goal: 50 },
] as const;

const commands = 15;
const noneIsProtected = () => false;

/** P24: `true` in the sandbox, from the look at the workspace before it to the one after it, beside bare bash. */
export const sandboxedCommands: Part = {
  ids: ['P24'],
  measure: async ({ rounds, progress }) => {
    const base = await realpath(await mkdtemp(path.join(tmpdir(), 'svc-bench-')));
    const figures: Figure[] = [];
    try {
      const rootOf = (files: number) => path.join(base, `of-${files}`);
      // All of them first: what was written just now is not relied on.
      for (const { files } of workspaces) await writeWorkspace(rootOf(files), files);
      for (const { files, goal } of workspaces) {
        const root = rootOf(files);
        const all: Round[] = [];
        for (let round = 1; round <= rounds; round++) {
          progress(`P24: ${files} files, round ${round} of ${rounds}`);
          all.push(await measureIn(base, root));
        }
        figures.push({
          id: 'P24',
          what: `\`true\` in the sandbox, in a workspace of ${files.toLocaleString('en')} files`,
          unit: 'ms',
          rounds: all,
          ours: 'sandboxed',
          comparisons: [
            { by: 'difference', anchor: 'bare bash', goal },
            { by: 'beside', anchor: 'bubblewrap alone' },
            { by: 'beside', anchor: 'the first command' },
          ],
        });
      }
    } finally {
      await rm(base, { recursive: true, force: true });
    }
    return figures;
  },
};

async function measureIn(base: string, root: string): Promise<Round> {
  const sandbox = createSandbox({
    ...{ stateDir: path.join(base, 'state'), home: base, editorData: [], clock: systemClock },
    ...{ roots: () => [root], readable: () => [], writable: () => [], protection: () => noneIsProtected },
    ...{ environment: { PATH: '/usr/bin:/bin' }, log: () => undefined },
  });
  const unusable = await sandbox.unusable();
  if (unusable !== undefined) throw new Error(`P24: no sandbox here (${unusable})`);
  const first = await timed(() => runSandboxed(sandbox, root));
  const spent: Record<string, number[]> = { sandboxed: [], 'bare bash': [], 'bubblewrap alone': [] };
  for (let index = 0; index < commands; index++) {
    spent.sandboxed?.push(await timed(() => runSandboxed(sandbox, root)));
    spent['bare bash']?.push(await timed(() => run('bash', ['-c', 'true'])));
    const alone = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'bash', '-c', 'true'];
    spent['bubblewrap alone']?.push(await timed(() => run('bwrap', alone)));
  }
  sandbox.close();
  return {
    'the first command': first,
    ...Object.fromEntries(Object.entries(spent).map(([who, times]) => [who, median(times)])),
  };
}

async function runSandboxed(sandbox: Sandbox, root: string): Promise<void> {
  const launch = await sandbox.launch({
    ...{ file: '/bin/bash', args: ['-c', 'true'], cwd: root, level: 'on', conversationId: 'bench', variables: {} },
  });
  const child = spawn(launch.file, launch.args, launch.options);
  const attended = launch.supervise(child);
  child.stdout?.resume();
  child.stderr?.resume();
  await once(child, 'close');
  if (!attended.hasEnded()) throw new Error('P24: the sandbox failed');
  await launch.release();
}

async function run(file: string, args: readonly string[]): Promise<void> {
  await once(spawn(file, args, { stdio: 'ignore' }), 'close');
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Ten files a folder; nine of ten folders are of packages, as in projects that have any. */
async function writeWorkspace(root: string, files: number): Promise<void> {
  await mkdir(path.join(root, '.git'), { recursive: true });
  for (let index = 0; index < files / 10; index++) {
    const [group, at] = [Math.floor(index / 30), index % 30];
    const parent = index % 10 === 0 ? `src/part${group}` : `node_modules/package${group}/lib`;
    const folder = path.join(root, parent, `folder${at}`);
    await mkdir(folder, { recursive: true });
    await Promise.all(Array.from({ length: 10 }, (_, file) => writeFile(path.join(folder, `file${file}.ts`), '')));
  }
}
