import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createGlob } from '../../src/files/glob.ts';
import { copyFolder, filesIn, type TrialTask } from './task.ts';

/** What the model did, as far as the hidden tests may look at it. */
export interface Deeds {
  answer: string;
  plan: string;
  /** Names of the tools that were called, in order. */
  calls: readonly string[];
  asked: readonly string[];
}

export interface Verdict {
  solved: boolean;
  /** Files of the task that are not the model's to change, and that it changed or removed all the same. */
  trespassed: string[];
  output: string;
}

export interface JudgeDeps {
  /** Runs the line in the folder, shut off from the machine. */
  run(line: string, folder: string): Promise<{ exitCode?: number; output: string }>;
}

/**
 * Judges what stands in `work`: a fresh copy of the task gets the files that were the model's to change, then the hidden
 * tests over everything. So a test that the model changed counts for nothing.
 */
export async function judge(
  deps: JudgeDeps,
  task: TrialTask,
  { work, fresh, deeds }: { work: string; fresh: string; deeds: Deeds },
): Promise<Verdict> {
  const given = path.join(task.dir, 'files');
  const globs = task.mayChange.map((glob) => createGlob(glob));
  const isOfTask = (name: string) => globs.some((matches) => matches?.(name));
  await copyFolder(given, fresh);
  const [before, after] = await Promise.all([filesIn(given), filesIn(work)]);
  for (const name of before) if (isOfTask(name) && !after.includes(name)) await rm(path.join(fresh, name));
  for (const name of after.filter(isOfTask)) {
    await mkdir(path.dirname(path.join(fresh, name)), { recursive: true });
    await cp(path.join(work, name), path.join(fresh, name));
  }
  const trespassed: string[] = [];
  for (const name of before.filter((name) => !isOfTask(name))) {
    const same = after.includes(name) && (await bytes(given, name)).equals(await bytes(work, name));
    if (!same) trespassed.push(name);
  }
  await copyFolder(path.join(task.dir, 'tests'), fresh);
  const facts = path.join(fresh, '.trial');
  await mkdir(facts);
  await writeFile(path.join(facts, 'answer.txt'), deeds.answer);
  await writeFile(path.join(facts, 'plan.md'), deeds.plan);
  await writeFile(path.join(facts, 'calls.txt'), deeds.calls.map((name) => `${name}\n`).join(''));
  await writeFile(path.join(facts, 'asked.txt'), deeds.asked.join('\n'));
  const { exitCode, output } = await deps.run(task.test, fresh);
  return { solved: exitCode === 0, trespassed, output };
}

function bytes(folder: string, name: string): Promise<Buffer> {
  return readFile(path.join(folder, name));
}
