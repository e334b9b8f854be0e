import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { openAppendLog } from '../../../src/storage/append-log.ts';
import { readLog } from '../../../src/storage/read-log.ts';
import { withTempDir } from '../../support/temp-dir.ts';

async function writeRecords(file: string, records: readonly object[]): Promise<void> {
  const log = openAppendLog(file);
  for (const record of records) void log.append(record);
  await log.close();
}

const numbered = (count: number): object[] => Array.from({ length: count }, (_, n) => ({ n, text: `line ${n} é😀` }));

describe('append log', () => {
  it('E08 gives back what was appended, in order', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      const records = [{ text: 'a\nb' }, { deep: { list: [1, null, 'x'] } }, { text: '\ud800 lone' }, ['an array']];
      await writeRecords(file, records);
      const read = await readLog(file);
      assert.deepEqual(read.records, records);
      assert.equal(read.damaged, 0);
      assert.equal(read.torn, false);
      assert.equal(read.nextOffset, (await stat(file)).size);
    });
  });

  it('reads a file that does not exist as an empty log', async () => {
    await withTempDir(async (dir) => {
      assert.deepEqual(await readLog(path.join(dir, 'none.jsonl')), {
        records: [],
        damaged: 0,
        torn: false,
        nextOffset: 0,
      });
    });
  });

  it('E19 makes files that only their owner can read', async function () {
    if (process.platform === 'win32') this.skip();
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'sub', 'a.jsonl');
      await writeRecords(file, [{ text: 'x'.repeat(2_000_000) }]);
      const blobs = path.join(dir, 'sub', 'blobs');
      const [blob = ''] = await readdir(blobs);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.equal((await stat(path.join(blobs, blob))).mode & 0o777, 0o600);
    });
  });

  it('E02 loses only the last record wherever the file is cut', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      const records = numbered(5);
      await writeRecords(file, records);
      const whole = await readFile(file);
      for (let size = whole.length; size >= 0; size--) {
        await truncate(file, size);
        const read = await readLog(file);
        const ends = whole.subarray(0, size).reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 0);
        assert.ok(read.records.length === ends || read.records.length === ends + 1);
        assert.deepEqual(read.records, records.slice(0, read.records.length));
        assert.equal(read.damaged, 0);
      }
    });
  });

  it('E02 ends a torn line before it appends the next one', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      await writeRecords(file, numbered(2));
      await truncate(file, (await stat(file)).size - 5);
      await writeRecords(file, [{ n: 'after' }]);
      const read = await readLog(file);
      assert.deepEqual(read.records, [...numbered(1), { n: 'after' }]);
      assert.equal(read.damaged, 1);
    });
  });

  it('E07 finds the record that another writer glued to a torn line', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      const log = openAppendLog(file);
      await log.append({ n: 0 });
      await appendFile(file, '{"v":1,"crc":"00000000","d":{"text":"half of a li');
      await log.append({ n: 1 });
      const read = await readLog(file);
      assert.deepEqual(read.records, [{ n: 0 }, { n: 1 }]);
      assert.equal(read.damaged, 1);
      await log.close();
    });
  });

  it('E01 skips a corrupt line anywhere, keeps it in the file and copies it to quarantine', async () => {
    const records = numbered(6);
    await withTempDir(async (dir) => {
      const original = path.join(dir, 'original.jsonl');
      await writeRecords(original, records);
      const whole = await readFile(original);
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
          const file = path.join(dir, `damaged-${at}-${flip}.jsonl`);
          const bytes = Buffer.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ flip;
          await writeFile(file, bytes);
          const read = await readLog(file);
          const lost = records.length - read.records.length;
          // A flipped newline joins two lines; every other damage costs one.
          assert.ok(lost <= 2, `lost ${lost}`);
          assert.ok(
            read.records.every((record) => records.some((one) => JSON.stringify(one) === JSON.stringify(record))),
          );
          if (lost > 0) assert.ok(read.damaged > 0 || read.torn);
          assert.deepEqual(await readFile(file), bytes);
          if (read.damaged > 0) {
            const copies = await readdir(path.join(dir, 'quarantine'));
            assert.ok(copies.some((name) => name.startsWith(path.basename(file))));
          }
        }),
        { numRuns: 60 },
      );
    });
  });

  it('E01 stores one copy of the same damage however often it is read', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      await writeFile(file, 'not a record\n');
      assert.equal((await readLog(file)).damaged, 1);
      assert.equal((await readLog(file)).damaged, 1);
      assert.equal((await readdir(path.join(dir, 'quarantine'))).length, 1);
    });
  });

  it('goes on reading at the offset where an earlier read ended', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      await writeRecords(file, numbered(3));
      const first = await readLog(file);
      await writeRecords(file, [{ n: 'new' }]);
      const second = await readLog(file, { from: first.nextOffset });
      assert.deepEqual(second.records, [{ n: 'new' }]);
    });
  });

  it('E01 counts an end of zeros once, and reads on behind it', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      await writeRecords(file, numbered(2));
      await appendFile(file, Buffer.alloc(500));
      const first = await readLog(file);
      assert.deepEqual([first.records.length, first.damaged], [2, 1]);
      await writeRecords(file, numbered(1));
      const second = await readLog(file, { from: first.nextOffset });
      assert.deepEqual([second.records, second.damaged], [numbered(1), 0]);
    });
  });

  it('leaves an unfinished line for a later read', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      await writeRecords(file, numbered(2));
      const whole = await readFile(file);
      const firstEnd = whole.indexOf(0x0a) + 1;
      await writeFile(file, whole.subarray(0, firstEnd + 9));
      const first = await readLog(file);
      assert.deepEqual([first.records.length, first.torn, first.nextOffset], [1, true, firstEnd]);
      await writeFile(file, whole);
      assert.deepEqual((await readLog(file, { from: first.nextOffset })).records, numbered(2).slice(1));
    });
  });

  it('keeps a record above 1 MiB in a blob and every line below it', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      const large = { text: 'é'.repeat(900_000) };
      await writeRecords(file, [{ n: 1 }, large, { n: 2 }]);
      assert.ok((await stat(file)).size < 1000);
      assert.deepEqual((await readLog(file)).records, [{ n: 1 }, large, { n: 2 }]);
    });
  });

  it('E01 reports a record whose blob was changed or is gone, and never one with other content', async () => {
    await withTempDir(async (dir) => {
      const file = path.join(dir, 'a.jsonl');
      await writeRecords(file, [{ text: 'x'.repeat(1_100_000) }, { n: 2 }]);
      const blobs = path.join(dir, 'blobs');
      const [name = ''] = await readdir(blobs);
      await writeFile(path.join(blobs, name), '{"text":"changed"}');
      const read = await readLog(file);
      assert.deepEqual(read.records, [{ n: 2 }]);
      assert.equal(read.damaged, 1);
    });
  });
});
