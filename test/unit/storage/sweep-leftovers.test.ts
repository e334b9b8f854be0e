import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { sweepLeftovers } from '../../../src/storage/sweep-leftovers.ts';
import { withTempDir } from '../../support/temp-dir.ts';

const now = Date.UTC(2026, 10, 20);
const dayMs = 24 * 60 * 60 * 1000;

async function writeAged(file: string, ageMs: number): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, 'x');
  await utimes(file, new Date(now - ageMs), new Date(now - ageMs));
}

async function namesBelow(dir: string): Promise<string[]> {
  const found = await readdir(dir, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

describe('leftovers of interrupted writes', () => {
  it('E14 deletes what is old, in every folder, and nothing that has its place', async () => {
    await withTempDir(async (dir) => {
      await writeAged(path.join(dir, 'conversations', 'a.jsonl'), 9 * dayMs);
      await writeAged(path.join(dir, 'conversations', 'a.jsonl.1.tmp'), 2 * dayMs);
      await writeAged(path.join(dir, 'conversations', 'blobs', 'h.1.tmp'), 2 * dayMs);
      await writeAged(path.join(dir, 'conversations', 'blobs', 'h.blob'), 9 * dayMs);
      await writeAged(path.join(dir, 'ledger', '2026-11.sums.2.tmp'), 2 * dayMs);
      assert.equal(await sweepLeftovers(dir, now - dayMs), 3);
      assert.deepEqual(await namesBelow(dir), ['a.jsonl', 'h.blob']);
    });
  });

  it('E14 leaves what another window may be writing now, and what a link leads to', async () => {
    await withTempDir(async (dir) => {
      await writeAged(path.join(dir, 'store', 'index.json.1.tmp'), dayMs / 2);
      await writeAged(path.join(dir, 'elsewhere', 'notes.tmp'), 9 * dayMs);
      await symlink(path.join(dir, 'elsewhere'), path.join(dir, 'store', 'link'), 'dir');
      await symlink(path.join(dir, 'store'), path.join(dir, 'store', 'loop'), 'dir');
      await symlink(path.join(dir, 'elsewhere', 'notes.tmp'), path.join(dir, 'store', 'notes.tmp'));
      assert.equal(await sweepLeftovers(path.join(dir, 'store'), now - dayMs), 0);
      assert.deepEqual(await namesBelow(path.join(dir, 'elsewhere')), ['notes.tmp']);
      assert.equal(await sweepLeftovers(path.join(dir, 'missing'), now), 0);
    });
  });

  it('E14 deletes the others when one cannot be deleted, and says what went wrong', async () => {
    await withTempDir(async (dir) => {
      for (const name of ['a.tmp', 'b.tmp', 'c.tmp']) await writeAged(path.join(dir, name), 2 * dayMs);
      const held: typeof nodeFs.rm = async (file, options) => {
        if (String(file).endsWith('b.tmp')) throw Object.assign(new Error('held'), { code: 'EBUSY' });
        return nodeFs.rm(file, options);
      };
      await assert.rejects(sweepLeftovers(dir, now, { ...nodeFs, rm: held }), /held/);
      assert.deepEqual(await namesBelow(dir), ['b.tmp']);
    });
  });
});
