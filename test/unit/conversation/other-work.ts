import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { settledText, withWritten } from '../../../src/edits/pending/pending-text.ts';
import { toStored } from '../../../src/edits/pending/stored-text.ts';
import { beginPlan, collectSplit, openSplit, readPlan } from '../../../src/features/git/core/split-plan.ts';
import { createSplitRepository } from '../../../src/features/git/core/split-repository.ts';
import { createWorktrees, type Worktrees } from '../../../src/features/worktrees/core/worktrees.ts';
import { openStateFile } from '../../../src/storage/state-file.ts';
import type { StoredValues } from '../../../src/storage/stored-values.ts';
import { openGitProgram } from '../../../src/tools/git/git-program.ts';
import { gitPath } from '../../support/git-in.ts';
import { signal } from '../features/worktrees/repositories.ts';
import type { Note } from './notes.ts';

export const fileOfReview = (dir: string) => path.join(dir, 'undecided-edits.json');
export const repositoryOf = (dir: string) => path.join(dir, 'repository');

const row = z.looseObject({ path: z.string(), text: z.unknown() });

/** Opens what a review has kept, and rejects for anything that cannot be read. */
export const openReview = (dir: string) => {
  const fail = (error?: unknown) => {
    throw error ?? new Error('only a part can be read');
  };
  return openStateFile({ file: fileOfReview(dir), onError: fail, onPartial: fail }, row);
};

type Change = <T>(act: () => Promise<T>) => Promise<T>;

export const openWorktrees = (dir: string, change: Change = (act) => act()): Worktrees =>
  createWorktrees({
    dir: path.join(dir, 'worktrees'),
    async openGit(folder, _signal, known) {
      const program = await openGitProgram(gitPath, folder, signal, known);
      return { ...program, run: (...args) => change(() => program.run(...args)) };
    },
  });

export const openRepository = async (dir: string, change: Change = (act) => act()) => {
  const program = await openGitProgram(gitPath, repositoryOf(dir), signal);
  return createSplitRepository({ ...program, run: (...args) => change(() => program.run(...args)) }, repositoryOf(dir));
};

interface Window {
  dir: string;
  life: string;
  fs: { change: Change };
  kept: StoredValues;
  noted(what: Note['what'], of: string, value: unknown, keep: () => Promise<void>): Promise<void>;
}

/** What runs beside a chat, each for as long as its window lives: worktrees, a review, a split. */
export function otherWork({ dir, life, fs, kept, noted }: Window): readonly (() => Promise<void>)[] {
  return [
    async () => {
      const worktrees = openWorktrees(dir, fs.change);
      for (let n = 0; ; n++) {
        const folder = await worktrees.add({ repository: repositoryOf(dir), name: `w${life}-${n}` }, signal);
        const text = `work ${life}.${n}\n`;
        await noted('worktree', folder, text, () => writeFile(path.join(folder, 'new.txt'), text));
        await writeFile(path.join(folder, 'b.txt'), 'changed\n');
        const { tree, changes } = await worktrees.inspect(folder, signal);
        await worktrees.settle(folder, tree, changes.slice(1), signal);
        if (n % 2 === 0) await worktrees.remove(folder, signal);
      }
    },
    async () => {
      const { stored, follow } = await openReview(dir);
      const rows = [...stored];
      const saver = follow(() => rows);
      for (let n = rows.length; ; n++) {
        const origin = { conversationId: 'c0', turnId: `t${n}`, callId: `w${life}-${n}` };
        const text = toStored(withWritten(settledText('one\ntwo\n'), `one\n${n}\n`, origin));
        rows.push({ path: `f${n}.txt`, text });
        await noted('review', 'rows', `f${n}.txt`, () => fs.change(() => saver.flush()));
      }
    },
    async () => {
      const repository = await openRepository(dir, fs.change);
      for (;;) {
        const stored = readPlan(kept.get('split'));
        if (stored !== undefined) await (await openSplit(repository, stored)).undo();
        const material = await collectSplit(repository, async () => false);
        const groups = material.units.map((_, at) => ({ message: `Group ${at}`, units: [at] }));
        const plan = beginPlan(material, groups, await repository.flags());
        await kept.update('split', plan);
        const split = await openSplit(repository, plan);
        for (const at of groups.keys()) await kept.update('split', await split.stage(at));
        await split.undo();
        await kept.update('split', undefined);
      }
    },
  ];
}
