import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { statFiles } from '../../../src/storage/stat-files.ts';
import { withTempDir } from '../../support/temp-dir.ts';

describe('asking for many files', () => {
  it('P16 tells size and time of each in its place, and nothing of what is not there', async () => {
    await withTempDir(async (dir) => {
      const files = Array.from({ length: 600 }, (_, index) => path.join(dir, String(index)));
      const written = files.filter((_, index) => index % 3 !== 1);
      for (const [index, file] of written.entries()) await writeFile(file, 'x'.repeat(index % 7));
      const found = await statFiles(files);
      assert.equal(found.length, files.length);
      assert.deepEqual(
        found.filter((stat) => stat !== undefined).map(({ size }) => size),
        written.map((_, index) => index % 7),
      );
      assert.deepEqual(
        found.flatMap((stat, index) => (stat === undefined ? [index % 3] : [])),
        files.flatMap((_, index) => (index % 3 === 1 ? [1] : [])),
      );
    });
  });

  it('looking at no files asks the disk for nothing', async () => {
    assert.deepEqual(await statFiles([]), []);
  });
});
