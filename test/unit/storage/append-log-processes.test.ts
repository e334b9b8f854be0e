import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { openAppendLog } from '../../../src/storage/append-log.ts';
import { readLog } from '../../../src/storage/read-log.ts';
import { withTempDir } from '../../support/temp-dir.ts';

const writer = fileURLToPath(new URL('append-until-killed.ts', import.meta.url));
const rounds = 40;

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
