import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { chatModes } from '../../src/shared/approval.ts';

/** The folder of a task holds `task.json`, `files/`, the hidden `tests/`, and `solution/`. */
const taskSchema = z.strictObject({
  /** The one ability that the task touches, as the report names it. */
  ability: z.string().min(1),
  language: z.string().min(1),
  prompt: z.string().min(1),
  mode: z.enum(chatModes).default('agent'),
  /** Programs that must be on the search path; without one the task is skipped by name. */
  needs: z.array(z.string()).default([]),
  /** Globs of what the task is about. Nothing else of the model's copy reaches the hidden tests. */
  mayChange: z.array(z.string()).default([]),
  /** A shell line, run in a fresh copy that holds the hidden tests as well. */
  test: z.string().min(1),
  /** What the user answers when the model asks; without it, that the model decides. */
  reply: z.string().optional(),
  /** A picture in the task's folder, attached to the message. */
  image: z.string().optional(),
  maxTokens: z.int().min(50).optional(),
  /** What a model that is right does beside writing the files of `solution/`. */
  solution: z
    .strictObject({
      answer: z.string().default('Done.'),
      gone: z.array(z.string()).default([]),
      calls: z.array(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })).default([]),
    })
    .default({ answer: 'Done.', gone: [], calls: [] }),
});

export interface TrialTask extends z.infer<typeof taskSchema> {
  name: string;
  dir: string;
}

export const tasksDir = path.join(import.meta.dirname, 'tasks');

/** Reads the tasks in the order of their names. Throws with the file and the place of the first mistake. */
export async function readTasks(dir = tasksDir): Promise<TrialTask[]> {
  const names = (await readdir(dir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  return Promise.all(names.map(({ name }) => readTask(path.join(dir, name))).sort());
}

async function readTask(dir: string): Promise<TrialTask> {
  const file = path.join(dir, 'task.json');
  const read = taskSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (!read.success) throw new Error(`${file}:\n${z.prettifyError(read.error)}`);
  for (const part of ['files', 'tests'])
    if (!existsSync(path.join(dir, part))) throw new Error(`${dir} has no ${part}/.`);
  return { ...read.data, name: path.basename(dir), dir };
}

export function missingPrograms({ needs }: Pick<TrialTask, 'needs'>, searchPath = process.env.PATH ?? ''): string[] {
  const folders = searchPath.split(path.delimiter);
  return needs.filter((name) => !folders.some((folder) => folder !== '' && existsSync(path.join(folder, name))));
}

/** Writes the task as its solution leaves it. */
export async function writeSolved({ dir, solution }: TrialTask, into: string): Promise<void> {
  await copyFolder(path.join(dir, 'files'), into);
  for (const name of solution.gone) await rm(path.join(into, name));
  await copyFolder(path.join(dir, 'solution'), into);
}

export async function copyFolder(from: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  if (existsSync(from)) await cp(from, into, { recursive: true });
}

/** Resolves with the relative paths of all files, with `/` between names. Links are left out. */
export async function filesIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const inside = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return inside.map((file) => path.relative(folder, file).split(path.sep).join('/')).sort();
}
