import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { openAppendLog } from '../../../src/storage/append-log.ts';
import { readLog } from '../../../src/storage/read-log.ts';
import { times } from '../../support/effort.ts';
import { withTempDir } from '../../support/temp-dir.ts';

const writer = fileURLToPath(new URL('append-until-killed.ts', import.meta.url));
const rounds = times(8, 40);

/** Kills the process after that many records; the number of the last record that it said was in the file. */
async function killAfter(child: ChildProcess, acknowledged: number): Promise<number> {
  let last = -1;
  let count = 0;
  child.on('message', (n) => {
    last = Number(n);
    count += 1;
    if (count === acknowledged) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  return last;
}

describe('append log and processes', () => {
  it(`E02 loses no acknowledged record when its writer is killed, ${rounds} times over`, async function () {
    this.timeout(120_000);
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      for (let round = 0; round < rounds; round++) {
        const last = await killAfter(fork(writer, [file]), 1 + ((round * 13) % 17));
        const { records } = await readLog(file);
        assert.deepEqual(
          records.map((record) => (record as { n: number }).n),
          Array.from({ length: records.length }, (_, n) => n),
        );
        assert.ok(records.length > last, `record ${last} is missing in round ${round}`);
      }
    });
  });

  it('E07 keeps 20,000 whole lines of two processes that append 10,000 each', async function () {
    this.timeout(120_000);
    const many = fileURLToPath(new URL('append-many.ts', import.meta.url));
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      const windows = ['one', 'two'];
      const exits = await Promise.all(windows.map((window) => once(fork(many, [file, window, '10000']), 'exit')));
      assert.deepEqual(
        exits.map(([code]) => Number(code)),
        [0, 0],
      );
      const { records, damaged, torn } = await readLog(file);
      assert.deepEqual({ count: records.length, damaged, torn }, { count: 20_000, damaged: 0, torn: false });
      for (const window of windows) {
        const own = (records as { window: string; n: number }[]).filter((record) => record.window === window);
        assert.ok(own.every((record, n) => record.n === n));
        assert.equal(own.length, 10_000);
      }
    });
  });

  it('E02 goes on after a write that a crash cut anywhere', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      const written: number[] = [];
      for (let n = 0; n < 60; n++) {
        const log = openAppendLog(file);
        await log.append({ n });
        await log.close();
        const { nextOffset } = await readLog(file);
        // The crash takes between nothing and the whole of the last line.
        const lost = (n * 5) % 40;
        await truncate(file, nextOffset - lost);
        if (lost <= 1) written.push(n);
      }
      const { records } = await readLog(file);
      assert.deepEqual(
        records.map((record) => (record as { n: number }).n),
        written,
      );
    });
  });
});
