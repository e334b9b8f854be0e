import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Source, sources } from './sources.ts';

/**
 * `node test/bench/trajectories/fetch.ts FOLDER [--mirrors DIR]`: copies the recordings into a folder. A repository that
 * lies as `DIR/owner+name/repo` is not fetched from GitHub.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { mirrors: { type: 'string' } }, allowPositionals: true });
  const [folder] = positionals;
  if (folder === undefined) throw new Error('name the folder that takes the recordings');
  await mkdir(folder, { recursive: true });
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'recordings-'));
  try {
    for (const source of sources) await copy(source, folder, temporary, values.mirrors);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function copy(source: Source, folder: string, temporary: string, mirrors: string | undefined): Promise<void> {
  const { repository, commit, agent, files } = source;
  const mirror = mirrors === undefined ? '' : path.join(mirrors, repository.replace('/', '+'), 'repo');
  const gitDir = existsSync(mirror) ? mirror : path.join(temporary, repository.replace('/', '+'));
  if (gitDir !== mirror) git(['clone', '--bare', '--quiet', `https://github.com/${repository}.git`, gitDir]);
  const blobs = blobsOf(gitDir, commit);
  const wanted =
    files instanceof RegExp
      ? [...blobs.keys()].filter((file) => files.test(file)).map((file) => [nameOf(file), file] as const)
      : Object.entries(files);
  for (const [name, file] of wanted) {
    const largest = (blobs.get(file) ?? []).sort((a, b) => b.size - a.size)[0];
    if (largest === undefined) throw new Error(`${repository} has no ${file}`);
    const bytes = git(['--git-dir', gitDir, 'cat-file', 'blob', largest.id]);
    await writeFile(path.join(folder, `${name}.${agent.toLowerCase().replaceAll(' ', '-')}.json`), bytes);
  }
  process.stderr.write(`${repository}: ${wanted.length} recordings\n`);
}

/** `…/deepseek_chat_dev/pylint-dev__astroid-1333/x.traj.json` is `astroid-1333-dev`. */
function nameOf(file: string): string {
  const [, run = '', task = ''] = /([^/]+)\/[^/]*__([^/]+)\/[^/]+$/.exec(file) ?? [];
  return `${task}-${run.replace(/^.*?_chat_/, '').replace('_1-100', '')}`;
}

/** Every version of every path in the history of a commit. */
function blobsOf(gitDir: string, commit: string): Map<string, { id: string; size: number }[]> {
  const listed = git(['--git-dir', gitDir, 'rev-list', commit, '--objects', '--missing=allow-any']).toString();
  const named = listed.split('\n').filter((line) => line.includes(' ') && /\.jsonl?$/.test(line));
  const format = '--batch-check=%(objectname) %(objecttype) %(objectsize) %(rest)';
  const sized = git(['--git-dir', gitDir, 'cat-file', format], named.join('\n')).toString();
  const blobs = new Map<string, { id: string; size: number }[]>();
  for (const line of sized.split('\n')) {
    const [, id, size, file] = /^(\w+) blob (\d+) (.*)$/.exec(line) ?? [];
    if (id === undefined || file === undefined) continue;
    blobs.set(file, [...(blobs.get(file) ?? []), { id, size: Number(size) }]);
  }
  return blobs;
}

function git(args: readonly string[], input?: string): Buffer {
  return execFileSync('git', args, { maxBuffer: 2 ** 30, ...(input !== undefined && { input }) });
}

await main();
