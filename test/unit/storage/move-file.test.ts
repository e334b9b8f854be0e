import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { moveFile } from '../../../src/storage/move-file.ts';
import { hasCode } from '../../../src/storage/storage-fs.ts';
import { withTempDir } from '../../support/temp-dir.ts';

/** A disk on which the first moves fail. */
function held(code: string, failures: number) {
  let tries = 0;
  const rename = async (from: string, to: string) => {
    tries += 1;
    if (tries <= failures) throw Object.assign(new Error(`${code}: held`), { code });
    await nodeFs.rename(from, to);
  };
  return { fs: { rename: rename as typeof nodeFs.rename }, tries: () => tries };
}

describe('moving a file into place', () => {
  for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
    it(`E13 is tried again on Windows while a scanner holds it (${code})`, () =>
      withTempDir(async (dir) => {
        const [from, to] = [path.join(dir, 'new'), path.join(dir, 'old')];
        await nodeFs.writeFile(from, 'new');
        await nodeFs.writeFile(to, 'old');
        const disk = held(code, 3);
        await moveFile(from, to, disk.fs, 'win32');
        assert.equal(await nodeFs.readFile(to, 'utf8'), 'new');
        assert.equal(disk.tries(), 4);
      }));
  }

  const hopeless: [NodeJS.Platform, string][] = [
    ['linux', 'EPERM'],
    ['darwin', 'EACCES'],
    ['win32', 'ENOSPC'],
    ['win32', 'ENOENT'],
  ];
  for (const [platform, code] of hopeless) {
    it(`E13 fails at once where waiting is no help (${code} on ${platform})`, async () => {
      const disk = held(code, Number.POSITIVE_INFINITY);
      await assert.rejects(moveFile('from', 'to', disk.fs, platform), (error) => hasCode(error, code));
      assert.equal(disk.tries(), 1);
    });
  }
});
