import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { before, describe, it } from 'mocha';
import { ToolError } from '../../../../src/agent/tool.ts';
import { seeds, someOf, times } from '../../../support/effort.ts';
import { gitIn, gitPath } from '../../../support/git-in.ts';
import { createRandom } from '../../../support/random.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';
import { changeFiles, makeHistory } from '../git/histories.ts';
import { commitOf, pictureOf, signal, storedBy, withRepository } from './repositories.ts';

const run = promisify(execFile);
const worker = new URL('killed-worker.ts', import.meta.url).pathname;

/** The tree to which git itself comes with the patch, from the one that the worktree began with. */
async function patched(repository: string, start: string, patch: string | undefined): Promise<string> {
  if (patch === undefined) return start;
  const dir = await makeTempDir();
  const options = { cwd: repository, env: { ...process.env, GIT_INDEX_FILE: path.join(dir.path, 'index') } };
  await run('git', ['read-tree', start], options);
  await run('git', ['apply', '--cached', '--binary', '--whitespace=nowarn', patch], options);
  const { stdout } = await run('git', ['write-tree'], options);
  await dir.remove();
  return stdout.trim();
}

describe('worktrees', () => {
  before(function () {
    if (gitPath === undefined || process.platform === 'win32') this.skip();
  });

  it('F39 begin with what git has, leave the repository as it was, and go with a patch that has all of their work', async function () {
    this.timeout(times(600_000, 1_800_000));
    for (const seed of someOf(seeds(8, 150), 4)) {
      await withRepository(async ({ repository, worktrees }) => {
        const random = createRandom(seed);
        const { git } = await makeHistory(repository, random);
        const hasCommit = await git('rev-parse', 'HEAD').then(
          () => true,
          () => false,
        );
        if (!hasCommit) return;
        const was = await pictureOf(repository);
        const uncommitted = random.next() < 0.5 ? await worktrees.uncommitted(repository, signal) : undefined;
        const start = uncommitted?.tree ?? (await git('rev-parse', 'HEAD^{tree}')).stdout.trim();
        const folder = await worktrees.add({ repository, name: 'task', ...(uncommitted && { tree: start }) }, signal);
        assert.equal(await storedBy(folder), start, `seed ${seed}: begins as it should`);
        const own = await realpath(path.join(repository, '.git', 'worktrees'));
        const pointer = await readFile(path.join(folder, '.git'), 'utf8');
        assert.ok(pointer.startsWith(`gitdir: ${own}/`), `${pointer}: lives longer than the window`);
        assert.deepEqual((await worktrees.inspect(folder, signal)).changes, []);
        await changeFiles(folder, random);
        const work = await storedBy(folder);
        const { tree, changes } = await worktrees.inspect(folder, signal);
        assert.equal(tree, work);
        const named = (await git('diff-tree', '-r', '--no-renames', '--name-only', '-z', start, work)).stdout.split(
          '\0',
        );
        assert.deepEqual(
          changes.map(({ path: name }) => name),
          named.slice(0, -1),
        );
        const patch = await worktrees.remove(folder, signal);
        assert.equal(await patched(repository, start, patch), work, `seed ${seed}: the patch has all of it`);
        assert.equal(existsSync(folder), false);
        assert.doesNotMatch((await git('worktree', 'list')).stdout, /\n./);
        assert.equal(await pictureOf(repository), was, `seed ${seed}: the repository is as it was`);
      });
    }
  });

  const everyStep = Array.from({ length: 60 }, (_, at) => at + 1);
  // What happens between two calls of git is between `before` and `after` too, which takes as long again.
  const whens = process.env.SVC_TEST_ALL === '1' ? ['before', 'after'] : ['before'];
  for (const [phase, when] of someOf(['add', 'settle', 'remove'], 3).flatMap((phase) =>
    whens.map((when) => [phase, when] as const),
  )) {
    it(`F39 lose nothing when the window is killed ${when} any step of ${phase}`, async function () {
      this.timeout(600_000);
      let last = false;
      for (const step of someOf(everyStep, 3)) {
        if (last) break;
        await withRepository(async ({ repository, dir, worktrees }) => {
          const git = await commitOf(repository, { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' });
          await writeFile(path.join(repository, 'a.txt'), 'one\nmine\n');
          const was = await pictureOf(repository);
          const start = (await git('rev-parse', 'HEAD^{tree}')).stdout.trim();
          let work = start;
          if (phase !== 'add') {
            const folder = await worktrees.add({ repository, name: 'task' }, signal);
            await writeFile(path.join(folder, 'a.txt'), 'one\ntwo\nthree\n');
            await writeFile(path.join(folder, 'new.txt'), 'new\n');
            work = await storedBy(folder);
          }
          const ended = await run(process.execPath, [
            worker,
            phase,
            when,
            String(step),
            gitPath ?? '',
            repository,
            dir,
          ]).catch((error: { signal?: string; stderr: string }) => {
            assert.equal(error.signal, 'SIGKILL', error.stderr);
            return undefined;
          });
          last = ended !== undefined;
          await worktrees.recover(signal);
          const folder = path.join(dir, 'task');
          const patches = await readdir(path.join(dir, 'patches')).catch(() => []);
          if (phase === 'settle') {
            const { changes } = await worktrees.inspect(folder, signal);
            const names = changes.map((change) => change.path).join();
            assert.ok(['new.txt', 'a.txt,new.txt'].includes(names), `step ${step}: ${names}`);
          }
          if (phase !== 'add' && existsSync(folder)) {
            assert.equal(await storedBy(folder), work, `step ${step}: the work is there`);
          } else if (phase === 'remove') {
            assert.equal(await patched(repository, start, path.join(dir, 'patches', patches[0] ?? '')), work);
          }
          assert.equal(await pictureOf(repository), was, `step ${step}: the repository is as it was`);
          // What is left can be taken away, and made again.
          if (existsSync(folder)) await worktrees.remove(folder, signal);
          assert.doesNotMatch((await git('worktree', 'list')).stdout, /\n./);
          await worktrees.add({ repository, name: 'task' }, signal);
        });
      }
      assert(last, 'it never ends');
    });
  }

  it('F39 a removal that cannot be completed is named, and holds no other up', async () => {
    await withRepository(async ({ repository, dir, worktrees }) => {
      await commitOf(repository, { 'a.txt': 'a\n' });
      const [one, two] = [
        await worktrees.add({ repository, name: 'one' }, signal),
        await worktrees.add({ repository, name: 'two' }, signal),
      ];
      for (const folder of [one, two]) await rename(folder, `${folder}.removing`);
      await mkdir(one);
      await writeFile(path.join(one, 'b.txt'), 'b\n');
      assert.deepEqual(await worktrees.recover(signal), [path.join(dir, 'one.removing')]);
      assert.ok(existsSync(path.join(two, 'a.txt')));
    });
  });

  it('F39 take new files along that are not committed, but none that usually hold secrets', async () => {
    await withRepository(async ({ repository, worktrees }) => {
      await commitOf(repository, { 'a.txt': 'a\n', '.gitignore': 'dist/\n' });
      await writeFile(path.join(repository, '.env'), 'KEY=1\n');
      await writeFile(path.join(repository, 'new.txt'), 'new\n');
      await mkdir(path.join(repository, 'dist'));
      await writeFile(path.join(repository, 'dist', 'out.js'), '1\n');
      const uncommitted = await worktrees.uncommitted(repository, signal);
      assert.deepEqual(uncommitted?.secrets, ['.env']);
      assert.equal(uncommitted.files, 1);
      const folder = await worktrees.add({ repository, name: 'task', tree: uncommitted.tree }, signal);
      assert.deepEqual((await readdir(folder)).toSorted(), ['.git', '.gitignore', 'a.txt', 'new.txt']);
      assert.deepEqual((await worktrees.inspect(folder, signal)).changes, []);
    });
  });

  it('F39 count nothing twice: what was brought back is a change no more, what was left is', async () => {
    await withRepository(async ({ repository, worktrees }) => {
      await commitOf(repository, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
      const folder = await worktrees.add({ repository, name: 'task' }, signal);
      for (const name of ['a.txt', 'b.txt', 'c.txt']) await appendFile(path.join(folder, name), 'more\n');
      const { tree, changes } = await worktrees.inspect(folder, signal);
      const left = changes.filter(({ path: name }) => name !== 'a.txt');
      await worktrees.settle(folder, tree, left, signal);
      const again = await worktrees.inspect(folder, signal);
      assert.deepEqual(again.changes, left);
      const [first] = again.changes;
      assert(first);
      const [before] = await worktrees.bytes(folder, [{ change: first, side: 'before' }], signal);
      assert.equal(Buffer.from(before ?? []).toString(), 'b\n');
      // The patch has all of the work nevertheless: who undid what was brought back finds it there.
      const patch = await worktrees.remove(folder, signal);
      assert.match(await readFile(patch ?? '', 'utf8'), /a\/a\.txt[\s\S]*a\/b\.txt[\s\S]*b\/c\.txt/);
    });
  });

  it('F39 stay where they are when something in them could not be saved', async () => {
    await withRepository(async ({ repository, worktrees }) => {
      await commitOf(repository, { 'a.txt': 'a\n' });
      const folder = await worktrees.add({ repository, name: 'task' }, signal);
      const inner = path.join(folder, 'inner');
      await mkdir(inner);
      await commitOf(inner, { 'x.txt': 'x\n' });
      await assert.rejects(worktrees.remove(folder, signal), ToolError);
      assert.equal(existsSync(path.join(inner, 'x.txt')), true);
      await rm(inner, { recursive: true });
      assert.equal(await worktrees.remove(folder, signal), undefined);
    });
  });

  for (const [how, harm] of Object.entries({
    'git pruned its record': async (repository: string, folder: string) => {
      await rename(folder, `${folder}.x`);
      await gitIn(repository)('worktree', 'prune');
      await rename(`${folder}.x`, folder);
    },
    'its repository was moved': (repository: string) => rename(repository, `${repository}.moved`),
    'its .git is gone': (_: string, folder: string) => rm(path.join(folder, '.git')),
    'it is locked': (repository: string, folder: string) => gitIn(repository)('worktree', 'lock', folder),
    'a repository stands in it': async (_: string, folder: string) => {
      await mkdir(path.join(folder, 'inner'));
      await commitOf(path.join(folder, 'inner'), { 'x.txt': 'x\n' });
    },
  })) {
    it(`F39 E19 where ${how}, Remove keeps all with a sentence, and Erase leaves nothing`, async () => {
      await withRepository(async ({ repository, dir, worktrees }) => {
        await commitOf(repository, { 'a.txt': 'a\n' });
        const folder = await worktrees.add({ repository, name: 'task' }, signal);
        await appendFile(path.join(folder, 'a.txt'), 'work\n');
        await harm(repository, folder);
        await assert.rejects(worktrees.remove(folder, signal), ToolError);
        assert.equal(await readFile(path.join(folder, 'a.txt'), 'utf8'), 'a\nwork\n');
        assert.deepEqual(await readdir(path.join(dir, 'patches')).catch(() => []), []);
        await worktrees.erase(folder, signal);
        assert.deepEqual(
          (await readdir(dir)).filter((name) => name !== 'patches'),
          [],
        );
      });
    });
  }

  it('F39 keep in the patch a file that makes it longer than an answer of git may be', async () => {
    await withRepository(async ({ repository, worktrees }) => {
      await commitOf(repository, { 'a.txt': 'a\n' });
      const start = (await gitIn(repository)('rev-parse', 'HEAD^{tree}')).stdout.trim();
      const folder = await worktrees.add({ repository, name: 'task' }, signal);
      await writeFile(path.join(folder, 'big.bin'), randomBytes(28_000_000));
      const { tree } = await worktrees.inspect(folder, signal);
      assert.equal(await patched(repository, start, await worktrees.remove(folder, signal)), tree);
    });
  });

  it('F39 say what to do where there is no commit', async () => {
    await withRepository(async ({ repository, worktrees, dir }) => {
      await gitIn(repository)('init');
      await assert.rejects(worktrees.add({ repository, name: 'task' }, signal), /no commit yet/);
      assert.equal(existsSync(path.join(dir, 'task')), false);
    });
  });

  it('F39 tell what git ignores in them, which no patch has', async () => {
    await withRepository(async ({ repository, worktrees }) => {
      await commitOf(repository, { 'a.txt': 'a\n', '.gitignore': 'dist/\n*.log\n' });
      const folder = await worktrees.add({ repository, name: 'task' }, signal);
      await mkdir(path.join(folder, 'dist', 'empty'), { recursive: true });
      assert.deepEqual(await worktrees.ignored(folder, signal), []);
      await writeFile(path.join(folder, 'dist', 'out.js'), '1\n');
      await writeFile(path.join(folder, 'x.log'), '1\n');
      assert.deepEqual(await worktrees.ignored(folder, signal), ['dist/', 'x.log']);
    });
  });
});
