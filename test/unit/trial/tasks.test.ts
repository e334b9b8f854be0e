import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { someOf } from '../../support/effort.ts';
import { skipWithout } from '../../support/needs.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { judge } from '../../trial/judge.ts';
import { type Commands, openCommands } from '../../trial/product.ts';
import { copyFolder, missingPrograms, readTasks, type TrialTask, writeSolved } from '../../trial/task.ts';
import { rightReplies } from './right-model.ts';
import { endOf, model, tryOut } from './try-out.ts';

const all = await readTasks();
const here = all.filter((task) => missingPrograms(task).length === 0);

describe('the tasks of the trial', () => {
  let dir: TempDir;
  let commands: Commands;
  before(async function () {
    skipWithout(this, 'bubblewrap');
    dir = await makeTempDir();
    commands = openCommands(path.join(dir.path, 'commands'), () => undefined);
    await commands.ready();
  });
  after(async () => {
    commands?.dispose();
    await dir?.remove();
  });

  const judged = async (task: TrialTask, isSolved: boolean) => {
    const at = path.join(dir.path, task.name, String(isSolved));
    const [work, fresh] = [path.join(at, 'work'), path.join(at, 'fresh')];
    if (isSolved) await writeSolved(task, work);
    else await copyFolder(path.join(task.dir, 'files'), work);
    const { answer, calls } = task.solution;
    const plan = String(calls.find(({ name }) => name === 'write_plan')?.arguments.markdown ?? '');
    const done = { answer, plan, calls: calls.map(({ name }) => name), asked: calls.map(({ name }) => name) };
    const deeds = isSolved ? done : { answer: 'Done.', plan: '', calls: [], asked: [] };
    const run = (line: string, folder: string) => commands.judge(line, folder, new AbortController().signal);
    return judge({ run }, task, { work, fresh, deeds });
  };

  it('F49 there are twenty tasks of at least six languages', () => {
    assert.ok(new Set(all.map(({ language }) => language)).size >= 6);
    assert.ok(all.length >= 20);
  });

  for (const task of someOf(here, 4)) {
    it(`F49 ${task.name}: its tests fail without its solution and pass with it`, async () => {
      const without = await judged(task, false);
      assert.equal(without.solved, false, 'solved by doing nothing');
      const solved = await judged(task, true);
      assert.ok(solved.solved, solved.output);
      assert.deepEqual(solved.trespassed, []);
    });
  }

  it('F49 a model that does what the solutions show solves every task through the product', async () => {
    const tasks = someOf(here, 4);
    const replies = (await Promise.all(tasks.map((task) => rightReplies(task, model)))).flat();
    const rules = [{ match: { hasImages: true }, effect: { images: 'accepted' as const } }];
    const tried = await tryOut(tasks, { replies, rules });
    assert.deepEqual(
      tasks.map(({ name }) => [name, endOf(name, tried)]),
      tasks.map(({ name }) => [name, 'solved']),
      tried.report.split('## What did not work')[1],
    );
    assert.equal(tried.end, 'done');
  });
});
