import assert from 'node:assert/strict';
import type { FileHandle } from 'node:fs/promises';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { openAppendLog } from '../../../src/storage/append-log.ts';
import { readLog } from '../../../src/storage/read-log.ts';
import type { StorageFs } from '../../../src/storage/storage-fs.ts';
import { withTempDir } from '../../support/temp-dir.ts';

/** A disk that takes `room.bytes` more bytes and then is full, as Linux is: the rest of a write first, an error next. */
function diskWith(room: { bytes: number }): StorageFs & { syncs: () => number } {
  let syncs = 0;
  const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const limited = (handle: FileHandle): FileHandle =>
    new Proxy(handle, {
      get(target, name) {
        if (name === 'write') {
          return async (bytes: Buffer) => {
            if (room.bytes <= 0) throw full();
            const part = bytes.subarray(0, room.bytes);
            room.bytes -= part.length;
            return target.write(part);
          };
        }
        if (name === 'datasync') {
          syncs += 1;
          return () => target.datasync();
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return {
    ...nodeFs,
    open: async (...args: Parameters<typeof nodeFs.open>) => limited(await nodeFs.open(...args)),
    syncs: () => syncs,
  };
}

describe('append log on a bad disk', () => {
  it('E15 rejects when the disk is full, keeps the records and writes each once when there is room', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      const room = { bytes: 10_000 };
      const log = openAppendLog(file, { fs: diskWith(room) });
      await log.append({ n: 0 });
      room.bytes = 0;
      await assert.rejects(log.append({ n: 1 }), { code: 'ENOSPC' });
      await assert.rejects(log.append({ n: 2 }), { code: 'ENOSPC' });
      assert.equal(log.unwritten(), 2);
      room.bytes = 10_000;
      await log.append({ n: 3 });
      assert.equal(log.unwritten(), 0);
      assert.deepEqual((await readLog(file)).records, [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
      await log.close();
    });
  });

  it('E15 neither loses nor repeats a record wherever the space ends', async () => {
    await withTempDir(async (dir) => {
      const lineBytes = 65;
      for (let bytes = 1; bytes < 3 * lineBytes; bytes++) {
        const file = path.join(dir, `${bytes}.jsonl`);
        const room = { bytes };
        const log = openAppendLog(file, { fs: diskWith(room) });
        const appended = await Promise.allSettled(
          [0, 1, 2].map((n) => log.append({ n, text: 'some twenty characters' })),
        );
        assert.equal(
          appended.some((one) => one.status === 'rejected'),
          true,
        );
        room.bytes = 10_000;
        await log.close();
        const { records } = await readLog(file);
        assert.deepEqual(
          records.map((record) => (record as { n: number }).n),
          [0, 1, 2],
        );
      }
    });
  });

  it('E15 takes its own torn line back, where it writes alone', async () => {
    await withTempDir(async (dir) => {
      for (let bytes = 1; bytes < 130; bytes++) {
        const file = path.join(dir, `${bytes}.jsonl`);
        const room = { bytes };
        const log = openAppendLog(file, { fs: diskWith(room), alone: true });
        await Promise.allSettled([0, 1, 2].map((n) => log.append({ n, text: 'some twenty characters' })));
        room.bytes = 10_000;
        await log.close();
        const { records, damaged } = await readLog(file);
        assert.deepEqual([records.length, damaged], [3, 0], `${bytes} bytes of room`);
      }
    });
  });

  it('E16 an append log syncs only lines that were to be synced', async () => {
    await withTempDir(async (dir) => {
      const fs = diskWith({ bytes: 10_000 });
      const log = openAppendLog(path.join(dir, 'a.jsonl'), { fs });
      await log.append({ n: 0 });
      assert.equal(fs.syncs(), 0);
      await log.append({ n: 1 }, { sync: true });
      assert.equal(fs.syncs(), 1);
      await log.close();
    });
  });
});
