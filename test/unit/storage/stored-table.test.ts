import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { createLearned } from '../../../src/service/step/learned.ts';
import { openStoredTable, type StoredTable } from '../../../src/storage/stored-table.ts';
import { openStoredValues } from '../../../src/storage/stored-values.ts';
import { withTempDir } from '../../support/temp-dir.ts';

const fail = (error: unknown): never => assert.fail(String(error));

/** As one window opens it; `flush` waits until what it saved is on the disk. */
async function open(dir: string, max = 200) {
  const values = await openStoredValues({ dir, onError: fail });
  const table: StoredTable = openStoredTable({ values, name: 'learned', max });
  return { ...table, flush: values.flush };
}

describe('stored tables', () => {
  it('E06 two windows write at once: neither loses what the other learned of another model', async () => {
    await withTempDir(async (dir) => {
      const [left, right] = [await open(dir), await open(dir)];
      const shared = { at: 'left' };
      left.save({ a: 1, 'svc/shared': shared });
      await left.flush();
      right.save({ b: 2, 'svc/shared': { at: 'right' } });
      await right.flush();
      left.save({ a: 3, 'svc/shared': shared });
      await left.flush();
      assert.deepEqual({ ...(await open(dir)).stored }, { a: 3, b: 2, 'svc/shared': { at: 'right' } });
    });
  });

  it('E06 U11 facts of any number of models put nothing into the editor state, are bounded, and are forgotten for good', async () => {
    await withTempDir(async (dir) => {
      const table = await open(dir);
      const learned = createLearned(table.stored, table.save);
      const evidence = 'x'.repeat(160);
      for (let n = 0; n < 30; n++) {
        learned.learn(`svc/model-${n}`, { tools: { works: true, at: '2026-11-20T10:00:00Z', evidence } });
      }
      learned.learn('__proto__', { contextTokens: 5 });
      await table.flush();
      const again = await open(dir, 20);
      assert.equal(Object.keys(again.stored).length, 20);
      const reread = createLearned(again.stored, again.save);
      assert.equal(reread.get('__proto__').contextTokens, 5);
      assert.equal(reread.get('svc/model-29').tools?.evidence, evidence);
      reread.reset();
      await again.flush();
      assert.deepEqual(await readdir(dir), []);
    });
  });
});
