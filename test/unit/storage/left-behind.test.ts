import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { isOfProcess, leftBehind, makeTemporary, nameOfThis, sweepTemporary } from '../../../src/base/temporary.ts';
import { withTempDir } from '../../support/temp-dir.ts';

const source = new URL('../../../src/base/temporary.ts', import.meta.url);

describe('what killed windows leave', () => {
  it('E21 in the temporary folder is gone after the next start, and nothing of a living window is', async () => {
    const killed = ['index', 'merge', 'git'].map((kind) => {
      const script = `const { makeTemporary } = await import(${JSON.stringify(source)});
        process.stdout.write(await makeTemporary('${kind}'), () => process.kill(process.pid, 'SIGKILL'));`;
      return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout;
    });
    const own = await makeTemporary('index');
    assert.deepEqual(
      killed.map((folder) => existsSync(folder)),
      [true, true, true],
      killed.join(),
    );
    await sweepTemporary();
    assert.deepEqual(
      killed.map((folder) => existsSync(folder)),
      [false, false, false],
    );
    assert.ok(existsSync(own));
  });

  it('E21 in a folder is told from what conversations keep, also for windows of another PID namespace', () =>
    withTempDir(async (dir) => {
      const conversation = '0f8fad5b-d9cb-469f-a165-70867728950e';
      const [own, fresh, old] = [`${nameOfThis('snapshots')}-0`, 'snapshots-1-77-0', 'snapshots-1-78-0'];
      for (const name of [conversation, own, fresh, old]) await mkdir(path.join(dir, name));
      await writeFile(path.join(dir, 'notes.txt'), 'mine');
      const longAgo = Date.now() / 1000 - 3 * 24 * 3600;
      await utimes(path.join(dir, old), longAgo, longAgo);
      assert.deepEqual(await leftBehind(dir), [path.join(dir, old)]);
      assert.deepEqual((await readdir(dir)).filter(isOfProcess).toSorted(), [own, fresh, old].toSorted());
    }));
});
