import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { before, describe, it } from 'mocha';
import { type BringBackPlan, planBringBack } from '../../../../src/features/worktrees/core/bring-back.ts';
import { createWorktrees, type Worktrees } from '../../../../src/features/worktrees/core/worktrees.ts';
import type { Codec } from '../../../../src/files/codec.ts';
import { openGitProgram } from '../../../../src/tools/git/git-program.ts';
import { seeds, someOf, times } from '../../../support/effort.ts';
import { gitIn, gitPath } from '../../../support/git-in.ts';
import { createNodeCodec } from '../../../support/node-codec.ts';
import { createRandom } from '../../../support/random.ts';
import { withTempDir } from '../../../support/temp-dir.ts';
import { createNodeEditPort } from '../../tools/node-edit-port.ts';
import { openFolders } from '../../tools/workspace.ts';
import { changeFiles, makeHistory } from '../git/histories.ts';
import { commitOf, signal, storedBy, withRepository } from './repositories.ts';

const run = promisify(execFile);

/** Foresees and does it, as edits on the disk. */
async function bringBack(
  worktrees: Worktrees,
  { repository, folder }: { repository: string; folder: string },
  options: { unsaved?: Record<string, string>; codec?: Codec } = {},
): Promise<BringBackPlan> {
  const { codec = createNodeCodec() } = options;
  const { workspace, files } = openFolders({ website: repository }, { ...options, codec });
  const [root] = workspace.roots();
  assert(root);
  const port = createNodeEditPort(codec);
  const inspect = await worktrees.inspect(folder, signal);
  const plan = await planBringBack(
    { workspace, files, port, worktrees, policy: { isProtected: () => false } },
    { folder, inspect, placeOf: (name) => ({ root, path: name }) },
    signal,
  );
  if (options.unsaved === undefined) {
    for (const { edit } of plan.edits) await port.apply(edit, { turnId: 't', callId: 'c' });
  }
  return plan;
}

/** By path, mode and object of its entries. */
async function entriesOf(folder: string, ...args: string[]): Promise<Map<string, string[]>> {
  const { stdout } = await gitIn(folder)(...args, '-z');
  const entries = new Map<string, string[]>();
  for (const row of stdout.split('\0').filter((one) => one !== '')) {
    const [entry = '', name = ''] = [row.slice(0, row.indexOf('\t')), row.slice(row.indexOf('\t') + 1)];
    entries.set(name, [...(entries.get(name) ?? []), entry]);
  }
  return entries;
}

/** As git merges both, file by file, without looking for renames. */
async function judged(repository: string, trees: { ours: string; theirs: string }, scratch: string) {
  const git = gitIn(repository);
  const commit = async (tree: string) => (await git('commit-tree', tree, '-p', 'HEAD', '-m', 'One')).stdout.trim();
  const [ours, theirs] = [await commit(trees.ours), await commit(trees.theirs)];
  const folder = path.join(scratch, 'judge');
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', repository, folder]);
  const judge = gitIn(folder);
  await judge('config', 'core.autocrlf', 'false');
  await judge('checkout', '--quiet', ours);
  await judge('merge', '--quiet', '-s', 'resolve', '--no-commit', '--no-ff', theirs).catch(() => undefined);
  return { unmerged: await entriesOf(folder, 'ls-files', '-u'), merged: await entriesOf(folder, 'ls-files', '-s') };
}

describe('bringing back the work of a worktree', () => {
  before(function () {
    if (gitPath === undefined || process.platform === 'win32') this.skip();
  });

  it('F39 anthropics/claude-code#39514 what the user has not committed is not written over', () =>
    withRepository(async ({ repository, worktrees }) => {
      await commitOf(repository, {
        'both.txt': 'one\ntwo\nthree\n',
        'mine.txt': 'm\n',
        'apart.txt': 'a\nb\nc\nd\ne\n',
      });
      await writeFile(path.join(repository, 'both.txt'), 'one\nmy days of work\nthree\n');
      await writeFile(path.join(repository, 'mine.txt'), 'my days of work\n');
      await writeFile(path.join(repository, 'apart.txt'), 'mine\nb\nc\nd\ne\n');
      const folder = await worktrees.add({ repository, name: 'task' }, signal);
      await writeFile(path.join(folder, 'both.txt'), 'one\ntheirs\nthree\n');
      await writeFile(path.join(folder, 'apart.txt'), 'a\nb\nc\nd\ntheirs\n');
      const { left } = await bringBack(worktrees, { repository, folder });
      assert.deepEqual(
        left.map(({ change }) => change.path),
        ['both.txt'],
      );
      const read = (name: string) => readFile(path.join(repository, name), 'utf8');
      assert.deepEqual(await Promise.all(['both.txt', 'mine.txt', 'apart.txt'].map(read)), [
        'one\nmy days of work\nthree\n',
        'my days of work\n',
        'mine\nb\nc\nd\ntheirs\n',
      ]);
    }));

  it('F39 gives the files that git gives when it merges both, and leaves what git calls a conflict', async function () {
    this.timeout(times(600_000, 1_800_000));
    const seen = { edits: 0, conflicts: 0, cleaner: 0 };
    const tried = someOf(seeds(12, 200), 4);
    for (const seed of tried) {
      await withRepository(async ({ repository, worktrees }) => {
        const random = createRandom(1000 + seed);
        const { git } = await makeHistory(repository, random);
        const hasCommit = await git('rev-parse', 'HEAD').catch(() => undefined);
        if (hasCommit === undefined) return;
        const folder = await worktrees.add({ repository, name: 'task' }, signal);
        await changeFiles(folder, random);
        const trees = { ours: await storedBy(repository), theirs: await storedBy(folder) };
        await withTempDir(async (scratch) => {
          const { unmerged, merged } = await judged(repository, trees, scratch);
          const { edits, left } = await bringBack(worktrees, { repository, folder });
          const now = await entriesOf(repository, 'ls-tree', '-r', await storedBy(repository));
          for (const { edit, change } of edits) {
            seen.edits++;
            if (unmerged.has(change.path)) {
              // Line ends and modes that were changed on one side alone are in nobody's way.
              const isOtherMode = new Set(unmerged.get(change.path)?.map((row) => row.slice(0, 6))).size > 1;
              const hasOtherEnds = edit.kind === 'write' && /\r\n/.test(`${edit.before}${edit.after}`);
              assert(isOtherMode || hasOtherEnds, `seed ${seed}: git does not merge ${change.path}`);
              seen.cleaner++;
              continue;
            }
            const idIn = (entries: Map<string, string[]>) =>
              /[0-9a-f]{40}/.exec(entries.get(change.path)?.[0] ?? '')?.[0];
            assert.equal(idIn(now), idIn(merged), `seed ${seed}: ${change.path}`);
          }
          for (const { change, reason } of left) {
            if (reason !== 'conflict') continue;
            seen.conflicts++;
            // Git says so of the file that stays where its folder would be, or takes that one as a whole.
            const stay = left.flatMap((one) => (one.change === change ? [] : [one.change.path]));
            const isInWay = [...unmerged.keys(), ...stay].some((name) => `${change.path}/`.startsWith(`${name}/`));
            assert(isInWay, `seed ${seed}: git merges ${change.path}`);
          }
        });
      });
    }
    if (tried.length >= 12) assert(seen.edits > 10 && seen.conflicts > 3, JSON.stringify(seen));
  });

  it('P29 F39 asks Git as often about many files as about one, and gets what Git would check out', async () => {
    await withRepository(async ({ repository, dir }) => {
      const texts: Record<string, string> = { 'empty.txt': '', 'line\nend.txt': 'x\n', 'Zoë 1.txt': 'é missing\n\n' };
      for (let n = 0; n < 30; n++) texts[`many ${n}.txt`] = `one ${n}\ntwo\n`;
      const git = await commitOf(repository, texts);
      await git('config', 'core.autocrlf', 'true');
      let runs = 0;
      const openGit = async (where: string, _signal: AbortSignal, known?: { movedFrom: string }) => {
        const program = await openGitProgram(gitPath, where, signal, known);
        const run: typeof program.run = (...args) => {
          runs += 1;
          return program.run(...args);
        };
        return { ...program, run };
      };
      const worktrees = createWorktrees({ dir, openGit });
      const folder = await worktrees.add({ repository, name: 'task' }, signal);
      for (const [name, text] of Object.entries(texts)) await writeFile(path.join(folder, name), `${text}more\n`);
      const { changes } = await worktrees.inspect(folder, signal);
      assert.equal(changes.length, Object.keys(texts).length);
      const counts: number[] = [];
      const plain = changes.filter(({ path: name }) => !name.includes('\n'));
      for (const some of [plain.slice(0, 1), plain]) {
        runs = 0;
        const sides = (['before', 'after'] as const).flatMap((side) => some.map((change) => ({ change, side })));
        const found = await worktrees.bytes(folder, sides, signal);
        for (const [at, { change, side }] of sides.entries()) {
          const text = `${texts[change.path]}${side === 'after' ? 'more\n' : ''}`.replaceAll('\n', '\r\n');
          assert.equal(Buffer.from(found[at] ?? []).toString(), text, change.path);
        }
        counts.push(runs);
      }
      assert.deepEqual(counts, [1, 1]);
      const [odd] = changes.filter(({ path: name }) => name.includes('\n'));
      assert(odd);
      const [, bytes] = await worktrees.bytes(
        folder,
        [...plain, odd].slice(-2).map((change) => ({ change, side: 'before' })),
        signal,
      );
      assert.equal(Buffer.from(bytes ?? []).toString(), 'x\r\n');
    });
  });

  it('F39 merges into text that is not saved, and gives nothing twice', async () => {
    await withRepository(async ({ repository, worktrees }) => {
      await commitOf(repository, { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' });
      const folder = await worktrees.add({ repository, name: 'task' }, signal);
      await writeFile(path.join(folder, 'a.txt'), 'one\ntwo\nthree\nfour\nFIVE\n');
      const made = { repository, folder };
      const unsaved = await bringBack(worktrees, made, { unsaved: { 'a.txt': 'ONE\ntwo\nthree\nfour\nfive\n' } });
      assert.deepEqual(
        unsaved.edits.map(({ edit }) => edit.kind === 'write' && edit.after),
        ['ONE\ntwo\nthree\nfour\nFIVE\n'],
      );
      assert.equal((await bringBack(worktrees, made)).edits.length, 1);
      assert.deepEqual(await bringBack(worktrees, made), { edits: [], left: [] });
    });
  });

  it('F39 keeps the line ends and the encoding that a file has here', async () => {
    await withRepository(async ({ repository, worktrees }) => {
      await commitOf(repository, { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'x\n' });
      const folder = await worktrees.add({ repository, name: 'task' }, signal);
      await writeFile(path.join(repository, 'a.txt'), '\ufeffone\r\ntwo\r\nthree\r\n');
      await writeFile(path.join(folder, 'a.txt'), 'one\ntwo\nthree\nfour\n');
      await bringBack(worktrees, { repository, folder });
      assert.equal(await readFile(path.join(repository, 'a.txt'), 'utf8'), '\ufeffone\r\ntwo\r\nthree\r\nfour\r\n');
    });
  });

  it('F39 says of everything that no edit can do why it stays', async () => {
    await withRepository(async ({ repository, worktrees }) => {
      const names = ['mine.txt', 'gone.txt', 'kept.txt', 'bin.dat', 'run.sh'];
      await commitOf(repository, Object.fromEntries(names.map((name) => [name, 'a\n'])));
      const folder = await worktrees.add({ repository, name: 'task' }, signal);
      await writeFile(path.join(repository, 'mine.txt'), 'mine\n');
      await rm(path.join(repository, 'gone.txt'));
      await writeFile(path.join(repository, 'kept.txt'), 'mine\n');
      await rm(path.join(folder, 'kept.txt'));
      for (const name of ['mine.txt', 'gone.txt']) await writeFile(path.join(folder, name), 'theirs\n');
      await writeFile(path.join(folder, 'bin.dat'), Buffer.from([0, 1, 2, 0]));
      await chmod(path.join(folder, 'run.sh'), 0o755);
      await symlink('run.sh', path.join(folder, 'link'));
      await writeFile(path.join(folder, 'new.sh'), '#!/bin/sh\n');
      await chmod(path.join(folder, 'new.sh'), 0o755);
      await mkdir(path.join(repository, 'taken.txt'));
      await writeFile(path.join(folder, 'taken.txt'), 'a file\n');
      const { edits, left } = await bringBack(worktrees, { repository, folder });
      assert.deepEqual(
        edits.map(({ change, isExecutable }) => [change.path, isExecutable]),
        [['new.sh', true]],
      );
      assert.deepEqual(Object.fromEntries(left.map(({ change, reason }) => [change.path, reason])), {
        'bin.dat': 'no-text',
        'gone.txt': 'conflict',
        'kept.txt': 'conflict',
        link: 'no-text',
        'mine.txt': 'conflict',
        'run.sh': 'mode',
        'taken.txt': 'closed',
      });
    });
  });
});
