import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { ToolError } from '../../../../src/agent/tool.ts';
import {
  type Contest,
  type ContestPorts,
  type Ended,
  type Entry,
  isDone,
  type TestRun,
} from '../../../../src/features/best-of/core/contest.ts';
import { verdictOf } from '../../../../src/features/best-of/core/test-result.ts';
import { someOf } from '../../../support/effort.ts';
import { gitIn, gitPath } from '../../../support/git-in.ts';
import { skipWithout } from '../../../support/needs.ts';
import { pictureOf } from '../worktrees/repositories.ts';
import { models, withContest } from './models.ts';

const [right, cheat, breaker] = models;
const edit = (path: string, search: string, replace: string) => ({
  name: 'edit_file',
  arguments: { path, edits: [{ search, replace }] },
});
const read = (path: string) => ({ name: 'read_file', arguments: { path } });
const says = (model: string, calls: object[][], text = 'Done.') => [
  ...calls.map((toolCalls) => ({ match: { model }, toolCalls: toolCalls as never, finish: 'tool_calls' })),
  { match: { model }, text },
];

const mends = [[read('add.sh')], [edit('add.sh', '$1 - $2', '$1 + $2')]];
const cheats = [[read('check.test.sh')], [edit('check.test.sh', '[ $failed = 0 ]', 'true')]];
const breaks = [[read('add.sh')], [edit('add.sh', '$(($1 - $2)); }', '$(($1 - $2));')]];

const endOf = ({ entries, base }: Contest, model: string) => {
  const one = entries.find((each) => each.model === model);
  const word = (run: NonNullable<typeof one>['own']) => verdictOf(base, run);
  return {
    how: one?.ended?.outcome,
    own: word(one?.own),
    ...(one?.held && { held: word(one.held), tests: one.changes?.tests }),
  };
};

describe('several models on one task', () => {
  before(function () {
    skipWithout(this, 'bubblewrap');
    if (gitPath === undefined || process.platform === 'win32') this.skip();
  });

  it('U20 tells who is right, who changed the tests and who broke the build, and the bill is that of the service', async () => {
    const replies = [...says(right, mends), ...says(cheat, cheats), ...says(breaker, breaks)];
    await withContest({ replies }, async ({ play, service, ledgerMicroUsd, repository }) => {
      const was = await pictureOf(repository);
      const contest = await play();
      assert.deepEqual([contest.base?.exitCode, contest.base?.failed], [1, 2]);
      assert.deepEqual(endOf(contest, right), { how: 'finished', own: 'green' });
      assert.deepEqual(endOf(contest, cheat), {
        ...{ how: 'finished', own: 'green', held: 'red-before' },
        tests: ['check.test.sh'],
      });
      const broken = contest.entries.find(({ model }) => model === breaker);
      assert.equal(broken?.own?.exitCode, 2);
      assert.deepEqual(
        contest.entries.map(({ changes }) => [changes?.files, changes?.hunks]),
        [
          [1, 1],
          [1, 1],
          [1, 1],
        ],
      );
      const told = contest.entries.reduce((sum, { ended }) => sum + (ended?.microUsd ?? 0), 0);
      const charged = service.charges.reduce((sum, { microUsd }) => sum + microUsd, 0);
      assert.deepEqual([told, await ledgerMicroUsd()], [charged, charged]);
      assert.deepEqual(
        contest.entries.map(({ ended }) => ended?.requests),
        [3, 3, 3],
      );
      assert.equal(await pictureOf(repository), was);
      const list = (await gitIn(repository)('worktree', 'list')).stdout.trim().split('\n');
      assert.equal(list.length, 4, 'what tests ran in is gone');
    });
  });

  it('U20 a model that would pass its cap is stopped before, and what it did until then is tested', async () => {
    const replies = [...says(right, [...mends, [read('README.md')], [read('README.md')]])];
    await withContest(
      { replies },
      async ({ play, service }) => {
        const contest = await play();
        const [one] = contest.entries;
        assert.deepEqual([one?.ended?.outcome, one?.ended?.why], ['limit', 'over-budget']);
        assert.equal(verdictOf(contest.base, one?.own), 'green');
        const charged = service.charges.filter(({ model }) => model === right);
        assert.ok(charged.reduce((sum, { microUsd }) => sum + microUsd, 0) <= 1500);
      },
      { capMicroUsd: 1500 },
    );
  });

  it('U20 without a command nothing is run and nobody is called green', async () => {
    await withContest(
      { replies: says(right, mends) },
      async ({ play }) => {
        const contest = await play({ test: () => assert.fail('nothing to run') });
        assert.ok(isDone(contest));
        assert.equal(endOf(contest, right).own, 'unknown');
      },
      { test: '' },
    );
  });

  it('U20 tests that cannot be run are told before anything is sent', async () => {
    await withContest(
      {},
      async ({ play }) => {
        const worked: string[] = [];
        const { work } = quick(worked);
        const contest = await play({ work });
        assert.equal(contest.base?.exitCode, 127);
        assert.deepEqual([worked, contest.entries.some(({ folder }) => folder)], [[], false]);
        const untested = await play({ work, withoutTests: async () => true });
        assert.deepEqual([isDone(untested), untested.test, worked.length], [true, undefined, 3]);
      },
      { test: 'no-such-runner --all' },
    );
  });

  const never = () => new Promise<never>(() => undefined);
  /** Hands and tests without a model and a sandbox: what is asked here is what is kept, and what is done again. */
  const quick = (worked: string[]) => ({
    async work({ model, folder = '' }: Entry, begins: (id: string) => Promise<void>): Promise<Ended> {
      worked.push(model);
      await begins(`conversation of ${model}`);
      await writeFile(path.join(folder, 'add.sh'), 'add() { echo $(($1 + $2)); }\n');
      if (model === cheat) await writeFile(path.join(folder, 'check.test.sh'), 'true\n');
      return { outcome: 'finished', requests: 1, microUsd: 10, estimated: false, ms: 1, others: [] };
    },
    async test(folder: string): Promise<TestRun> {
      const isRight = (await readFile(path.join(folder, 'add.sh'), 'utf8')).includes('+');
      return { exitCode: isRight ? 0 : 1, said: '' };
    },
  });

  for (const phase of someOf(['the tests before', 'a model works', 'the tests after', 'a save'] as const, 4)) {
    it(`U20 killed during ${phase}: what was done is there, and the next window does the rest once`, async () => {
      await withContest({}, async ({ play, stored, repository, contest: fresh }) => {
        const worked: string[] = [];
        const hands = quick(worked);
        const killed = Promise.withResolvers<void>();
        // A process that is killed takes both lanes with it: neither may go on beside the next window.
        let lanes = phase === 'a model works' || phase === 'the tests after' ? 2 : 1;
        const hang = () => {
          if (--lanes === 0) killed.resolve();
          return never();
        };
        let tests = 0;
        const dying: Record<typeof phase, Partial<ContestPorts>> = {
          'the tests before': { test: hang },
          'a model works': { work: ({ model }, begins) => begins(`conversation of ${model}`).then(hang) },
          'the tests after': { test: (folder) => (tests++ === 0 ? hands.test(folder) : hang()) },
          'a save': { save: hang },
        };
        void play({ ...hands, ...dying[phase] });
        await killed.promise;
        const left = stored();
        assert.deepEqual([left.task, left.entries.length, isDone(left)], [fresh.task, 3, false]);
        const contest = await play(hands);
        assert.ok(isDone(contest));
        assert.deepEqual(
          contest.entries.map(({ own }) => own?.exitCode),
          [0, 0, 0],
        );
        assert.deepEqual(
          contest.entries.map(({ changes }) => changes?.tests),
          [[], ['check.test.sh'], []],
        );
        const once = [...new Set(worked)];
        if (phase !== 'a save') assert.deepEqual(worked.toSorted(), once.toSorted(), 'no model was asked twice');
        const names = contest.entries.map(({ folder = '' }) => path.basename(folder)).toSorted();
        const dir = path.dirname(contest.entries[0]?.folder ?? '');
        assert.deepEqual(readdirSync(dir).toSorted(), names, 'nothing else is left');
        const list = (await gitIn(repository)('worktree', 'list')).stdout;
        assert.equal(list.trim().split('\n').length, 4, list);
      });
    });
  }

  it('U20 stopped by its user: nobody is tested, and to go on asks only those who were not done', async () => {
    await withContest({}, async ({ play, stop }) => {
      const worked: string[] = [];
      const hands = quick(worked);
      const contest = await play({
        ...hands,
        async work(one, begins) {
          const ended = await hands.work(one, begins);
          stop.abort();
          return { ...ended, outcome: one.model === right ? 'finished' : 'stopped' };
        },
      });
      assert.ok(contest.entries.every(({ own }) => own === undefined));
      const asked = worked.splice(0);
      assert.ok(isDone(await play(hands, new AbortController().signal)));
      assert.deepEqual(
        worked.toSorted(),
        models.filter((model) => model !== right || !asked.includes(right)).toSorted(),
      );
    });
  });

  it('U20 what goes wrong with one is told of it, and holds no other up', async () => {
    await withContest({}, async ({ play }) => {
      const hands = quick([]);
      const contest = await play({
        ...hands,
        work: (one, begins) =>
          one.model === cheat ? Promise.reject(new ToolError('The disk is full.')) : hands.work(one, begins),
      });
      assert.deepEqual(
        contest.entries.map(({ problem }) => problem),
        [undefined, 'The disk is full.', undefined],
      );
      assert.deepEqual(
        contest.entries.map(({ own }) => own?.exitCode),
        [0, undefined, 0],
      );
    });
  });
});
