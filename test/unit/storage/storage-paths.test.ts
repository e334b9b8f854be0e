import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { eraseStorage, isNamed, storagePaths, sweepStorage } from '../../../src/storage/storage-paths.ts';
import { withTempDir } from '../../support/temp-dir.ts';

const now = Date.UTC(2026, 10, 20);
const dayMs = 24 * 60 * 60 * 1000;
const { machine, workspace, temporary } = storagePaths;

async function writeAged(dir: string, name: string, days: number): Promise<void> {
  const file = path.join(dir, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, 'x');
  for (const each of [file, path.dirname(file)])
    await utimes(each, (now - days * dayMs) / 1000, (now - days * dayMs) / 1000);
}

async function namesBelow(dir: string): Promise<string[]> {
  const found = await readdir(dir, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** Each with its age in days, and whether it is swept. */
const swept: readonly [name: string, days: number, isSwept: boolean][] = [
  ['conversations/a.jsonl', 900, false],
  ['conversations/a.jsonl.1.tmp', 2, true],
  ['conversations/b.jsonl.1.tmp', 0.5, false],
  ['conversations/a.lease', 2, true],
  ['conversations/b.lease', 0.5, false],
  ['conversations/a.lease.ask', 2, true],
  ['conversations/blobs/h.blob', 900, false],
  ['conversations/blobs/h.blob.1.tmp', 2, true],
  ['conversations/index.json.2.tmp', 2, true],
  ['ledger/ledger-2026-11.sums.2.tmp', 2, true],
  ['ledger/ledger-2020-11.jsonl', 900, false],
  ['images/h.png', 31, true],
  ['images/i.blob', 29, false],
  ['sandbox/a/home/.npm/x', 31, true],
  ['sandbox/b/home/.npm/x', 29, false],
  ['sandbox/a/output/call-1.txt', 900, false],
  ['worktrees/task/fixtures/old.tmp', 900, false],
  ['worktrees/task/notes.tmp', 900, false],
  ['worktrees/patches/task.patch', 900, false],
  ['worktrees/patches/task-2.patch', 300, false],
  ['models/learned.x.json.damaged', 31, true],
  ['of a later version', 900, false],
];

describe('what is kept outside of the workspace', () => {
  it('E14 E21 is swept when it is older than the table says, and the work in a worktree never is', () =>
    withTempDir(async (dir) => {
      for (const [name, days] of swept) {
        await writeAged(dir, name, days);
        // The folder is as old as what was put into it last.
        const home = path.join(dir, 'sandbox', name.split('/')[1] ?? '', 'home');
        if (name.includes('/home/')) await utimes(home, (now - days * dayMs) / 1000, (now - days * dayMs) / 1000);
      }
      await sweepStorage(dir, machine, now);
      const left = swept.flatMap(([name, , isSwept]) => (isSwept ? [] : [name]));
      assert.deepEqual(await namesBelow(dir), left.toSorted());
      await sweepStorage(path.join(dir, 'missing'), machine, now);
    }));

  it('E14 nothing is swept behind a link', () =>
    withTempDir(async (dir) => {
      await writeAged(dir, 'elsewhere/old.blob', 900);
      await writeAged(dir, 'elsewhere/home/old', 900);
      await mkdir(path.join(dir, 'store', 'sandbox'), { recursive: true });
      for (const [name, to] of [
        ['images', 'elsewhere'],
        ['sandbox/a', 'elsewhere'],
      ] as const)
        await symlink(path.join(dir, to), path.join(dir, 'store', name), 'dir');
      await sweepStorage(path.join(dir, 'store'), machine, now);
      assert.deepEqual(await namesBelow(path.join(dir, 'elsewhere')), ['home/old', 'old.blob']);
    }));

  it('E14 sweeps the others when one cannot be removed, and says what went wrong', () =>
    withTempDir(async (dir) => {
      for (const name of ['a', 'b', 'c']) await writeAged(dir, `images/${name}.png`, 40);
      const held: typeof nodeFs.rm = async (file, options) => {
        if (String(file).endsWith('b.png')) throw Object.assign(new Error('held'), { code: 'EBUSY' });
        return nodeFs.rm(file, options);
      };
      await assert.rejects(sweepStorage(dir, machine, now, { ...nodeFs, rm: held }), /held/);
      assert.deepEqual(await namesBelow(dir), ['images/b.png']);
    }));

  it('F6 E10 is erased with all conversations or with one, but for what is paid, learned and undecided', () =>
    withTempDir(async (dir) => {
      for (const [name] of swept) await writeAged(dir, name, 0);
      await eraseStorage(dir, machine, 'a');
      const ofA = ['sandbox/a/', 'conversations/a.jsonl'];
      const others = swept.flatMap(([name]) => (ofA.some((start) => name.startsWith(start)) ? [] : [name]));
      assert.deepEqual(await namesBelow(dir), others.toSorted());
      await eraseStorage(dir, machine);
      const stays = ['lease', 'ledger', 'models', 'worktrees/task', 'of a later'];
      const left = others.filter((name) => stays.some((sign) => name.includes(sign)));
      assert.deepEqual(await namesBelow(dir), left.toSorted());
    }));

  it('E21 each name of the table is told from one that nobody knows', () => {
    for (const [name] of swept) assert.equal(isNamed(machine, name), name !== 'of a later version', name);
    for (const name of ['conversations/a.txt', 'conversations/x/a.jsonl', 'a.tmp', 'images', 'worktrees/patches.tmp'])
      assert.equal(isNamed(machine, name), false, name);
    assert.ok(isNamed(workspace, 'proposals.json.1.tmp') && isNamed(temporary, 'svc-git-1-2-x/config'));
  });
});
