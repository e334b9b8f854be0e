import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ServiceScript } from '../../service/local-service.ts';
import { filesIn, type TrialTask } from '../../trial/task.ts';

type Replies = NonNullable<ServiceScript['replies']>;
type Call = NonNullable<Replies[number]['toolCalls']>[number];

/** What a model says that does exactly what the task's solution shows, each file by the tools that the product offers. */
export async function rightReplies(task: TrialTask, model: string): Promise<Replies> {
  const [given, solved] = [path.join(task.dir, 'files'), path.join(task.dir, 'solution')];
  const [before, after] = [await filesIn(given), await filesIn(solved)];
  const steps: Call[][] = task.solution.calls.map((call) => [call]);
  for (const name of after) {
    const text = await readFile(path.join(solved, name), 'utf8');
    if (!before.includes(name)) {
      steps.push([{ name: 'create_file', arguments: { path: name, content: text } }]);
      continue;
    }
    const old = await readFile(path.join(given, name), 'utf8');
    steps.push([{ name: 'read_file', arguments: { path: name } }]);
    steps.push([{ name: 'edit_file', arguments: { path: name, edits: [editBetween(old, text)] } }]);
  }
  if (task.solution.gone.length > 0)
    steps.push(task.solution.gone.map((name) => ({ name: 'delete_file', arguments: { path: name } })));
  const match = { model, messageIncludes: task.prompt };
  return [
    ...steps.map((toolCalls) => ({ match, toolCalls, finish: 'tool_calls' })),
    { match, text: task.solution.answer },
  ];
}

/** One replacement of all lines that differ, with as many around them as make it the only place. */
export function editBetween(before: string, after: string): { search: string; replace: string } {
  const [old, fresh] = [before, after].map((text) => text.replaceAll('\r\n', '\n').split(/(?<=\n)/));
  if (old === undefined || fresh === undefined) throw new Error('two texts');
  let top = 0;
  while (top < old.length && top < fresh.length && old[top] === fresh[top]) top++;
  let low = 0;
  while (low < Math.min(old.length, fresh.length) - top && old.at(-1 - low) === fresh.at(-1 - low)) low++;
  const whole = old.join('');
  for (; ; top--, low--) {
    const [from, to] = [Math.max(0, top), Math.max(0, low)];
    const search = old.slice(from, old.length - to).join('');
    const isAlone = search.trim() !== '' && whole.split(search).length === 2;
    if (isAlone || (from === 0 && to === 0)) return { search, replace: fresh.slice(from, fresh.length - to).join('') };
  }
}
