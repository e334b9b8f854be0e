import { readFile, writeFile } from 'node:fs/promises';
import { measureActivation } from './activation.ts';
import { measureCold } from './cold.ts';
import { measureFirstUse } from './first-use.ts';
import { measureLightbulb } from './lightbulb.ts';
import { measureStreams } from './streams.ts';
import type { Task } from './task.ts';

/** What VS Code calls in the extension host. The answer goes to a file: the console is the workbench's. */
export async function run(): Promise<void> {
  const taskFile = process.env.SVC_BENCH_TASK ?? '';
  const task = JSON.parse(await readFile(taskFile, 'utf8')) as Task;
  let answer: { result: unknown } | { error: string };
  try {
    answer = { result: await perform(task) };
  } catch (error) {
    answer = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  await writeFile(`${taskFile}.result`, JSON.stringify(answer));
}

function perform(task: Task): Promise<unknown> {
  switch (task.kind) {
    case 'stream':
      return measureStreams(task);
    case 'cold':
      return measureCold(task);
    case 'activation':
      return measureActivation(task);
    case 'firstUse':
      return measureFirstUse(task);
    case 'lightbulb':
      return measureLightbulb(task);
  }
}
