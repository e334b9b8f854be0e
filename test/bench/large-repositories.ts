import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beginPlan, collectSplit, openSplit } from '../../src/features/git/core/split-plan.ts';
import { createSplitRepository } from '../../src/features/git/core/split-repository.ts';
import { createWorktrees } from '../../src/features/worktrees/core/worktrees.ts';
import { openGitProgram } from '../../src/tools/git/git-program.ts';
import { gitIn } from '../support/git-in.ts';
import { withTempDir } from '../support/temp-dir.ts';
import type { Figure } from './figure.ts';
import { timed } from './longest-block.ts';
import type { Part } from './part.ts';
import type { Round } from './statistics.ts';

const gitPath = '/usr/bin/git';
const hunks = 10;

/** P29 and P31: the first group of a split is staged, and a worktree is added and removed, beside Git itself. */
export const largeRepositories: Part = {
  ids: ['P29', 'P31'],
  measure: async ({ rounds, progress }, wanted) => {
    const figures: Figure[] = [];
    if (wanted.has('P29')) for (const files of [1, 300]) figures.push(await staging(files, rounds, progress));
    if (wanted.has('P31')) for (const files of [8000, 80_000]) figures.push(...(await trees(files, rounds, progress)));
    return figures;
  },
};

async function staging(files: number, rounds: number, progress: (text: string) => void): Promise<Figure> {
  const found: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    progress(`P29: ${files} files, round ${round + 1} of ${rounds}`);
    await withTempDir(async (folder) => {
      const git = gitIn(folder);
      const textOf = (file: number, mark: string) =>
        Array.from({ length: hunks * 10 }, (_, at) => `line ${file} ${at}${at % 10 === 5 ? mark : ''}\n`).join('');
      const write = async (mark: string) => {
        for (let file = 0; file < files; file++) await writeFile(path.join(folder, `f${file}.ts`), textOf(file, mark));
      };
      await git('init');
      await write('');
      await git('add', '-A');
      await git('commit', '-m', 'Before');
      await write(' changed');
      const alone = await timed(() => git('add', '-A'));
      await git('reset', '-q');
      const program = await openGitProgram(gitPath, folder, new AbortController().signal);
      const repository = createSplitRepository(program, folder);
      const material = await collectSplit(repository, async () => false);
      const all = material.units.map((_, unit) => unit);
      const groups = [0, 1].map((half) => ({ message: 'm', units: all.filter((unit) => unit % 2 === half) }));
      const split = await openSplit(repository, beginPlan(material, groups, await repository.flags()));
      const { ms } = await timed(() => split.stage(0));
      found.push({ ours: ms, 'git add of all': alone.ms });
    });
  }
  const what = `half of ${(files * hunks).toLocaleString('en')} hunks in ${files === 1 ? 'one file' : `${files} files`} staged`;
  return figure('P29', what, found, [
    { by: 'alone', goal: 300 },
    { by: 'ratio', anchor: 'git add of all' },
  ]);
}

async function trees(files: number, rounds: number, progress: (text: string) => void): Promise<Figure[]> {
  return withTempDir(async (dir) => {
    progress(`P31: writing ${files} files`);
    const repository = path.join(dir, 'repository');
    for (let folder = 0; folder < files / 100; folder++) {
      const place = path.join(repository, `d${folder % 40}`, `e${folder}`);
      await mkdir(place, { recursive: true });
      const names = Array.from({ length: 100 }, (_, file) => path.join(place, `f${file}.txt`));
      await Promise.all(names.map((name) => writeFile(name, `${name}\n`)));
    }
    const git = gitIn(repository);
    await git('init');
    await git('add', '-A');
    await git('commit', '-q', '-m', 'All');
    const worktrees = createWorktrees({
      dir: path.join(dir, 'worktrees'),
      openGit: (folder, signal, known) => openGitProgram(gitPath, folder, signal, known),
    });
    const { signal } = new AbortController();
    const [added, removed, blocks]: [Round[], Round[], Round[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      progress(`P31: ${files} files, round ${round + 1} of ${rounds}`);
      const theirs = path.join(dir, `git-${round}`);
      const gitAdds = await timed(() => git('worktree', 'add', '--detach', '--quiet', theirs));
      let folder = '';
      const weAdd = await timed(async () => {
        folder = await worktrees.add({ repository, name: `svc-${round}` }, signal);
      });
      const gitRemoves = await timed(() => git('worktree', 'remove', theirs));
      const weRemove = await timed(() => worktrees.remove(folder, signal));
      added.push({ ours: weAdd.ms, git: gitAdds.ms });
      removed.push({ ours: weRemove.ms, git: gitRemoves.ms });
      blocks.push({ ours: Math.max(weAdd.block, weRemove.block) });
    }
    const what = (done: string) => `a worktree of ${files.toLocaleString('en')} files ${done}`;
    return [
      figure('P31', what('added'), added, [{ by: 'ratio', anchor: 'git', goal: 1.1 }]),
      figure('P31', what('removed'), removed, [{ by: 'ratio', anchor: 'git', goal: 1.2 }]),
      figure('P31', what('added or removed: the longest block of the extension host'), blocks, [
        { by: 'alone', goal: 30 },
      ]),
    ];
  });
}

function figure(id: string, what: string, rounds: readonly Round[], comparisons: Figure['comparisons']): Figure {
  return { id, what, unit: 'ms', rounds, ours: 'ours', comparisons };
}
