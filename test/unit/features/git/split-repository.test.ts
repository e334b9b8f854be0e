import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { patchOf } from '../../../../src/features/git/core/commit-parts.ts';
import { beginPlan, collectSplit, openSplit } from '../../../../src/features/git/core/split-plan.ts';
import { createSplitRepository } from '../../../../src/features/git/core/split-repository.ts';
import { splitRequestMessages } from '../../../../src/features/git/core/split-request.ts';
import { openGitProgram } from '../../../../src/tools/git/git-program.ts';
import { gitIn, gitPath } from '../../../support/git-in.ts';
import { withTempDir } from '../../../support/temp-dir.ts';
import { writeFiles } from '../../tools/workspace.ts';

const many = Array.from({ length: 30 }, (_, at) => `line ${at}`);
const changedIn = (...places: number[]) =>
  `${many.map((line, at) => (places.includes(at) ? `changed ${at}` : line)).join('\n')}\n`;

interface TurnEnvironment {
  folder: string;
  out(...args: string[]): Promise<string>;
  collect(isHidden?: (name: string) => boolean): ReturnType<typeof collectSplit>;
  open(groups: readonly (readonly number[])[]): Promise<Awaited<ReturnType<typeof openSplit>>>;
  write(files: Record<string, string>): Promise<void>;
}

/** A repository of one commit with `a.ts` of thirty lines and `b.ts` of one. */
function inRepository(use: (world: TurnEnvironment) => Promise<void>): () => Promise<void> {
  return () =>
    withTempDir(async (folder) => {
      const git = gitIn(folder);
      const out = async (...args: string[]) => (await git(...args)).stdout.trim();
      const repositoryNow = async () =>
        createSplitRepository(await openGitProgram(gitPath, folder, new AbortController().signal), folder);
      const collect: TurnEnvironment['collect'] = async (isHidden = () => false) =>
        collectSplit(await repositoryNow(), async (name) => isHidden(name));
      await git('init');
      await writeFiles(folder, { 'a.ts': changedIn(), 'b.ts': 'b\n' });
      await git('add', '-A');
      await git('commit', '-m', 'First');
      await use({
        folder,
        out,
        collect,
        open: async (groups) => {
          const repository = await repositoryNow();
          const plan = beginPlan(
            await collect(),
            groups.map((units, at) => ({ message: `Group ${at}`, units })),
            await repository.flags(),
          );
          return openSplit(repository, plan);
        },
        write: (files) => writeFiles(folder, files),
      });
    });
}

describe('a split of changes into commits', () => {
  before(function () {
    if (gitPath === undefined) this.skip();
  });

  it(
    'F42 takes what is staged, and leaves what was changed since then in the file alone',
    inRepository(async ({ folder, out, open, write }) => {
      await write({ 'a.ts': changedIn(2, 20), 'b.ts': 'B\n' });
      await out('add', '-A');
      await write({ 'a.ts': changedIn(2, 10, 20) });
      const split = await open([[1], [0, 2]]);
      assert.equal(split.units.length, 3);
      await split.stage(0);
      assert.match(await out('diff', '--cached'), /^\+changed 20$/m);
      assert.doesNotMatch(await out('diff', '--cached'), /changed 2$|\+B/m);
      assert.equal(await readFile(path.join(folder, 'a.ts'), 'utf8'), changedIn(2, 10, 20));
      await split.undo();
      assert.equal(await out('show', ':a.ts'), changedIn(2, 20).trim());
    }),
  );

  it(
    'P29 stages hunks of many files with as many processes of Git as of one',
    inRepository(async ({ folder, out, write }) => {
      const program = await openGitProgram(gitPath, folder, new AbortController().signal);
      const counts: number[] = [];
      for (const files of [1, 30]) {
        const names = Array.from({ length: files }, (_, at) => `of ${files}/Zoë ${at}.ts`);
        const texts = (...places: number[]) =>
          Object.fromEntries(names.map((name) => [name, `${name} é\r\n${changedIn(...places)}`]));
        await write(texts());
        await out('add', '-A');
        await out('commit', '-m', 'Before');
        await write(texts(2, 20));
        let runs = 0;
        const run: typeof program.run = (...args) => {
          runs += 1;
          return program.run(...args);
        };
        const repository = createSplitRepository({ ...program, run }, folder);
        const material = await collectSplit(repository, async () => false);
        const isFirst = (unit: number) => material.units[unit]?.hunk === 0;
        const all = material.units.map((_, unit) => unit);
        const groups = [all.filter(isFirst), all.filter((unit) => !isFirst(unit))];
        const plan = beginPlan(
          material,
          groups.map((units) => ({ message: 'm', units })),
          await repository.flags(),
        );
        await (await openSplit(repository, plan)).stage(0);
        counts.push(runs);
        for (const [name, text] of Object.entries(texts(2)))
          assert.equal((await out('show', `:${name}`)).trim(), text.trim());
        await out('commit', '-m', 'First group');
      }
      assert.equal(counts[1], counts[0]);
    }),
  );

  it(
    'F42 without anything staged takes all, new files too and ignored ones never',
    inRepository(async ({ out, collect, open, write }) => {
      await write({ '.gitignore': 'secret.log\n', 'secret.log': 'x\n', 'new.ts': 'one\ntwo\n', 'a.ts': changedIn(3) });
      const { units, range } = await collect();
      assert.equal(range.isStaged, false);
      assert.deepEqual(
        units.map(({ files }) => files.map((file) => file.path)),
        [['.gitignore'], ['a.ts'], ['new.ts']],
      );
      const split = await open([[2], [0, 1]]);
      await split.stage(0);
      assert.equal(await out('diff', '--cached', '--name-status'), 'A\tnew.ts');
      await split.undo();
      assert.equal(await out('status', '--porcelain'), 'M a.ts\n?? .gitignore\n?? new.ts');
    }),
  );

  it(
    'F42 one change, no change, conflicts, and an unfinished merge are told, and are no split',
    inRepository(async ({ out, collect, write }) => {
      await assert.rejects(collect(), { name: 'ToolError', message: /no changes to split/ });
      await write({ 'b.ts': 'B\n' });
      await assert.rejects(collect(), { name: 'ToolError', message: /only one change/ });
      await out('commit', '-am', 'Ours');
      await out('checkout', '-q', '-b', 'other', 'HEAD^');
      await write({ 'b.ts': 'theirs\n', 'a.ts': changedIn(1, 20) });
      await out('commit', '-am', 'Theirs');
      await out('merge', 'main').catch(() => undefined);
      await assert.rejects(collect(), { name: 'ToolError', message: /merge conflicts/ });
      await write({ 'b.ts': 'both\n' });
      await out('add', '-A');
      await assert.rejects(collect(), { name: 'ToolError', message: /in progress/ });
    }),
  );

  it(
    'F42 flags of entries survive staging and undoing: skipped, assumed, and noted to be added',
    inRepository(async ({ out, open, write }) => {
      await write({ 'a.ts': changedIn(3, 20), 'b.ts': 'B\n', 'noted.ts': 'noted\n' });
      await out('add', 'a.ts', 'b.ts');
      await out('commit', '-m', 'Second');
      await write({ 'a.ts': changedIn(3), 'b.ts': 'two\nmore\n' });
      await out('add', 'a.ts', 'b.ts');
      await out('update-index', '--skip-worktree', 'b.ts');
      await out('update-index', '--assume-unchanged', 'a.ts');
      const before = await out('ls-files', '-v');
      const split = await open([[0], [1]]);
      await split.stage(1);
      assert.equal(await out('ls-files', '-v'), before);
      await split.undo();
      assert.equal(await out('ls-files', '-v'), before);
    }),
  );

  it(
    'F42 a file that was only noted to be added is a change, and noted again after Undo Staging',
    inRepository(async ({ out, open, write }) => {
      await write({ 'noted.ts': 'noted\n', 'b.ts': 'B\n' });
      await out('add', '-N', 'noted.ts');
      const before = await out('status', '--porcelain');
      const split = await open([[0], [1]]);
      assert.equal(split.units.length, 2);
      await split.stage(1);
      assert.equal(await out('diff', '--cached', '--name-only'), 'noted.ts');
      await split.undo();
      assert.equal(await out('status', '--porcelain'), before);
    }),
  );

  it(
    'F42 a commit of anything else, other staged changes, and a file that was changed meanwhile are refused and change nothing',
    inRepository(async ({ out, open, write }) => {
      await write({ 'a.ts': changedIn(2, 20), 'b.ts': 'B\n' });
      const split = await open([[0], [1], [2]]);
      await split.stage(0);
      await out('add', 'b.ts');
      const index = await out('write-tree');
      await assert.rejects(split.stage(1), { name: 'ToolError', message: /staged or unstaged meanwhile/ });
      await assert.rejects(split.undo(), { name: 'ToolError', message: /staged or unstaged meanwhile/ });
      assert.equal(await out('write-tree'), index);
      await out('reset', '-q', 'b.ts');
      await write({ 'b.ts': 'again\n' });
      await assert.rejects(split.stage(2), { name: 'ToolError', message: /^b\.ts has changed/ });
      await split.stage(1);
      await out('commit', '-am', 'All of it');
      await assert.rejects(split.read(), { name: 'ToolError', message: /last commit is not the staged group/ });
    }),
  );

  it(
    'F42 after everything was unstaged by hand any group can be staged',
    inRepository(async ({ out, open, write }) => {
      await write({ 'a.ts': changedIn(2, 20) });
      const split = await open([[0], [1]]);
      await split.stage(0);
      await out('reset', '-q');
      assert.equal((await split.read()).staged, undefined);
      await split.stage(1);
      assert.match(await out('diff', '--cached'), /^\+changed 20$/m);
    }),
  );

  it(
    'F42 another group in the place of the staged one leaves nothing of that behind',
    inRepository(async ({ out, open, write }) => {
      await write({ 'a.ts': changedIn(2, 20) });
      const split = await open([[0], [1]]);
      await split.stage(0);
      await split.stage(1);
      assert.deepEqual((await out('diff', '--cached')).match(/^\+changed.*/gm), ['+changed 20']);
    }),
  );

  it(
    'F42 X16 the lines of a file that may hold secrets are not in the request, but the file is a change of its own',
    inRepository(async ({ out, collect, write }) => {
      await write({ '.env': 'KEY=1\nA\n', 'a.ts': changedIn(2, 20) });
      await out('add', '-A');
      await out('commit', '-m', 'With a secret');
      await write({ '.env': `KEY=hunter2\n${'x\n'.repeat(20)}END=hunter3\n`, 'a.ts': changedIn(2) });
      const { units } = await collect((name) => name === '.env');
      const text = splitRequestMessages(units, [])
        .map((message) => ('text' in message ? message.text : ''))
        .join('\n');
      assert.match(text, /^\[1\] \.env\nwhole file, content not shown$/m);
      assert.match(text, /^\+line 20$/m);
      assert.doesNotMatch(text, /hunter/);
      assert.match(patchOf(units), /hunter2/, 'the user sees it');
    }),
  );

  it(
    'F42 a filter of the repository itself is not run: the file is named, and what is staged can be split',
    inRepository(async ({ folder, out, collect, write }) => {
      await out('config', 'filter.loud.clean', `touch ${path.join(folder, '.git/ran')}; cat`);
      await write({ '.gitattributes': '*.dat filter=loud\n', 'x.dat': 'x\n', 'b.ts': 'B\n' });
      await assert.rejects(collect(), { name: 'ToolError', message: /^x\.dat goes through a filter/ });
      assert.ok(!existsSync(path.join(folder, '.git/ran')));
      await out('add', '-A');
      await rm(path.join(folder, '.git/ran'));
      assert.equal((await collect()).units.length, 3);
      assert.ok(!existsSync(path.join(folder, '.git/ran')));
    }),
  );

  it(
    'F42 a renamed file, one with another mode, and the commit of a submodule are one change each, whatever lines differ',
    inRepository(async ({ out, collect, open, write }) => {
      const [first, second] = ['1', '2'].map((sign) => sign.repeat(40));
      await write({ 'run.sh': changedIn() });
      await out('add', '-A');
      await out('update-index', '--add', '--cacheinfo', `160000,${first},lib/sub`);
      await out('commit', '-m', 'With a submodule');
      await out('mv', 'a.ts', 'z.ts');
      await write({ 'z.ts': changedIn(2, 20), 'run.sh': changedIn(4, 24) });
      await out('add', 'z.ts', 'run.sh');
      await out('update-index', '--chmod=+x', 'run.sh');
      await out('update-index', '--cacheinfo', `160000,${second},lib/sub`);
      const target = await out('write-tree');
      const { units } = await collect();
      assert.deepEqual(
        units.map(({ files, hunk }) => [...files.map(({ oldPath, path: name }) => oldPath ?? name), hunk]),
        [
          ['lib/sub', undefined],
          ['run.sh', undefined],
          ['a.ts', undefined],
        ],
      );
      const split = await open([[0], [2], [1]]);
      for (const group of [1, 0, 2]) {
        await split.stage(group);
        await out('commit', '-m', `Group ${group}`);
      }
      assert.equal(await out('rev-parse', 'HEAD^{tree}'), target);
    }),
  );

  it(
    'F42 a repository inside, and hooks, are left alone',
    inRepository(async ({ folder, open, write }) => {
      await write({ 'inner/x.ts': 'x\n', 'a.ts': changedIn(2, 20) });
      await gitIn(path.join(folder, 'inner'))('init');
      await mkdir(path.join(folder, '.git/hooks'), { recursive: true });
      await writeFile(path.join(folder, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch ${folder}/.git/ran\n`, {
        mode: 0o755,
      });
      const split = await open([[0], [1]]);
      assert.equal(split.units.length, 2);
      await split.stage(0);
      assert.ok(!existsSync(path.join(folder, '.git/ran')));
    }),
  );

  it(
    'F42 long changes are sent as far as 16,000 characters go, of others the heads, and every number stands there',
    inRepository(async ({ collect, write }) => {
      const long = (at: number) => `${'x'.repeat(250)} ${at}\n`;
      await write(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`n${at}.ts`, long(at).repeat(20)])));
      const { units } = await collect();
      const [, user] = splitRequestMessages(units, []);
      const text = user !== undefined && 'text' in user ? user.text : '';
      assert.ok(text.length < 26_000, String(text.length));
      const named = new Set([...text.matchAll(/^\[(\d+)(?:-(\d+))?\] /gm)].map(([, number]) => number));
      assert.equal(named.size, units.length);
    }),
  );
});
