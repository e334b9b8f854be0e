import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createWorktrees, type Worktrees } from '../../../../src/features/worktrees/core/worktrees.ts';
import { openGitProgram } from '../../../../src/tools/git/git-program.ts';
import { gitIn, gitPath } from '../../../support/git-in.ts';
import { makeTempDir, withTempDir } from '../../../support/temp-dir.ts';
import { hashOf } from '../git/histories.ts';

const run = promisify(execFile);
export const { signal } = new AbortController();

/** Everything of a repository that is its user's: files, index, branches, stashes, and what is checked out. */
export async function pictureOf(repository: string): Promise<string> {
  const git = gitIn(repository);
  const facts = [
    await git('ls-files', '--stage', '-z'),
    await git('for-each-ref'),
    await git('status', '--porcelain', '-z'),
    await git('stash', 'list'),
    await git('rev-parse', '--symbolic-full-name', 'HEAD'),
  ];
  return [await hashOf(repository), ...facts.map(({ stdout }) => stdout)].join('\n');
}

/** As git itself would store what is in the folder, in an index of its own. */
export async function storedBy(folder: string): Promise<string> {
  const dir = await makeTempDir();
  const options = { cwd: folder, env: { ...process.env, GIT_INDEX_FILE: path.join(dir.path, 'index') } };
  await run('git', ['read-tree', 'HEAD'], options);
  await run('git', ['add', '-A'], options);
  const { stdout } = await run('git', ['write-tree'], options);
  await dir.remove();
  return stdout.trim();
}

export async function withRepository(
  use: (made: { repository: string; dir: string; worktrees: Worktrees }) => Promise<void>,
): Promise<void> {
  await withTempDir(async (folder) => {
    const repository = path.join(folder, 'website');
    await mkdir(repository);
    const dir = path.join(folder, 'storage', 'worktrees');
    const openGit = (where: string, _signal: AbortSignal, known?: { movedFrom: string }) =>
      openGitProgram(gitPath, where, signal, known);
    await use({ repository, dir, worktrees: createWorktrees({ dir, openGit }) });
  });
}

export async function commitOf(repository: string, files: Readonly<Record<string, string>>) {
  const git = gitIn(repository);
  await git('init');
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(repository, name), text);
  await git('add', '-A');
  await git('commit', '-m', 'First');
  return git;
}
