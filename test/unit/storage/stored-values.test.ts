import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { StorageFs } from '../../../src/storage/storage-fs.ts';
import { openStoredValues, type StoredValues } from '../../../src/storage/stored-values.ts';
import { withTempDir } from '../../support/temp-dir.ts';

function open(dir: string, errors: unknown[] = [], fs?: StorageFs): Promise<StoredValues> {
  return openStoredValues({ dir, fs, onError: (error) => void errors.push(error) });
}

describe('stored values', () => {
  it('F5 come back as they were, those that changed last at the end', async () => {
    await withTempDir(async (dir) => {
      const values = await open(dir);
      await values.update('draft.left.a/../b', 'Half a thought\n');
      await values.update('queue.c', [{ id: 'q', text: 'später 🙂' }]);
      await values.update('gone', 1);
      await values.update('gone', undefined);
      const again = await open(dir);
      assert.equal(again.get('draft.left.a/../b'), 'Half a thought\n');
      assert.deepEqual(again.get('queue.c'), [{ id: 'q', text: 'später 🙂' }]);
      assert.equal(again.get('gone'), undefined);
      assert.deepEqual(again.keys(), values.keys());
    });
  });

  it('F5 are written in the order of the changes, and only the newest of many', async () => {
    await withTempDir(async (dir) => {
      const renamed: string[] = [];
      const fs = {
        ...nodeFs,
        rename: async (from: string, to: string) => {
          renamed.push(path.basename(to));
          await nodeFs.rename(from, to);
        },
      } as StorageFs;
      const values = await open(dir, [], fs);
      for (let n = 0; n < 50; n++) void values.update('a', 'x'.repeat(n));
      await values.update('b', 1);
      assert.deepEqual(renamed, ['a.json', 'b.json']);
      assert.equal((await open(dir)).get<string>('a')?.length, 49);
    });
  });

  it('F5 E21 what moves from one name to another is in one of them, whenever the process dies', async () => {
    const moves = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(moves, (names) =>
        withTempDir(async (dir) => {
          const found: string[][] = [];
          const looked = async (change: Promise<void>) => {
            await change;
            found.push((await nodeFs.readdir(dir)).filter((name) => name.endsWith('.json')));
          };
          const fs = {
            ...nodeFs,
            rename: (from: string, to: string) => looked(nodeFs.rename(from, to)),
            rm: (...args: Parameters<typeof nodeFs.rm>) => looked(nodeFs.rm(...args)),
          } as StorageFs;
          const values = await open(dir, [], fs);
          await values.update('a', 'typed');
          let at = 'a';
          for (const name of names) {
            void values.update(name, 'typed');
            if (name !== at) void values.update(at, undefined);
            at = name;
          }
          await values.flush();
          assert.ok(
            found.every((files) => files.length > 0),
            JSON.stringify(found),
          );
          assert.deepEqual(await nodeFs.readdir(dir), [`${at}.json`]);
        }),
      ),
      { numRuns: 50 },
    );
  });

  it('E15 stay in memory while the disk is full and go out when there is room', async () => {
    await withTempDir(async (dir) => {
      let full = true;
      const fs = {
        ...nodeFs,
        writeFile: async (...args: Parameters<typeof nodeFs.writeFile>) => {
          if (full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
          return nodeFs.writeFile(...args);
        },
      };
      const errors: unknown[] = [];
      const values = await open(dir, errors, fs);
      await values.update('a', 'kept');
      assert.equal(errors.length, 1);
      assert.equal(values.get('a'), 'kept');
      full = false;
      await values.flush();
      assert.equal((await open(dir)).get('a'), 'kept');
      assert.deepEqual(await nodeFs.readdir(dir), ['a.json']);
    });
  });

  it('E01 E02 a damaged file is put aside and told, the others are read, and nothing vanishes', async () => {
    await withTempDir(async (dir) => {
      const values = await open(dir);
      await values.update('a', 1);
      await values.update('b', 2);
      const half = '{"v":1,"key":"a","va';
      await nodeFs.writeFile(path.join(dir, 'a.json'), half);
      await nodeFs.writeFile(path.join(dir, 'notes.txt'), 'not ours');
      await nodeFs.mkdir(path.join(dir, 'folder.json'));
      const errors: unknown[] = [];
      const again = await open(dir, errors);
      assert.deepEqual([again.get('a'), again.get('b')], [undefined, 2]);
      assert.equal(errors.length, 2);
      await again.update('a', 3);
      assert.equal(await nodeFs.readFile(path.join(dir, 'a.json.damaged'), 'utf8'), half);
      assert.deepEqual((await nodeFs.readdir(dir)).sort(), [
        'a.json',
        'a.json.damaged',
        'b.json',
        'folder.json',
        'notes.txt',
      ]);
    });
  });

  it('E19 only the user can read stored values', async function () {
    if (process.platform === 'win32') this.skip();
    await withTempDir(async (dir) => {
      const unsent = path.join(dir, 'unsent');
      await (await open(unsent)).update('a', 'secret plan');
      assert.equal((await nodeFs.stat(unsent)).mode & 0o777, 0o700);
      assert.equal((await nodeFs.stat(path.join(unsent, 'a.json'))).mode & 0o777, 0o600);
    });
  });
});
