import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import { appendFile, copyFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createLedger, type Ledger } from '../../../src/spend/ledger.ts';
import { createMonthSums } from '../../../src/spend/month-sums.ts';
import { costMicroUsd } from '../../../src/spend/price.ts';
import { readSums, writeSums } from '../../../src/spend/sums-file.ts';
import { encodeLine } from '../../../src/storage/log-line.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { ledgerEntry } from './ledger-samples.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const utcDay = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);
const year = { from: '2026-01-01', to: '2026-12-31' };
const surfaces = ['chat', 'inline', 'commit', 'native-chat', 'side-by-side', 'completion', 'review', 'subagent', 'git'];

function open(dir: string): Ledger {
  return createLedger({ dir, clock: { epochMs: () => noon }, dayOf: utcDay });
}

/** Everything that a ledger can say of a year. */
async function sums(ledger: Ledger): Promise<object> {
  return {
    rows: await ledger.rows(year),
    models: new Map([...(await ledger.byModel(year))].sort()),
    surfaces: new Map([...(await ledger.bySurface(year))].sort()),
    conversations: new Map([...(await ledger.conversations())].sort()),
    total: await ledger.totals(year),
    today: ledger.today(),
    damaged: ledger.damaged(),
  };
}

async function read(dir: string): Promise<object> {
  const ledger = open(dir);
  await ledger.refresh();
  const all = await sums(ledger);
  await ledger.close();
  return all;
}

/** The same lines in a folder where nobody has stored sums. */
async function readFromLines(dir: string): Promise<object> {
  return withTempDir(async (copy) => {
    for (const file of await readdir(dir)) {
      if (file.endsWith('.jsonl')) await copyFile(path.join(dir, file), path.join(copy, file));
    }
    return read(copy);
  });
}

function line(n: number): Buffer {
  const charge = n % 7 === 0 ? 'no' : n % 5 === 0 ? 'maybe' : 'yes';
  const totalTokens = charge === 'no' ? 0 : n;
  const entry = ledgerEntry({
    id: `id-${n}`,
    at: noon - (n % 50) * 3_600_000,
    model: `svc/m${n % 3}`,
    surface: surfaces[n % surfaces.length],
    conversationId: n % 4 === 0 ? undefined : `c${n % 40}`,
    totalTokens,
    microUsd: costMicroUsd(totalTokens),
    estimated: n % 11 === 0,
    charge,
  });
  return encodeLine(JSON.stringify(entry), 'd');
}

const november = (dir: string): string => path.join(dir, 'ledger-2026-11.jsonl');
const stored = (dir: string): string => path.join(dir, 'ledger-2026-11.sums');

/** Enough lines that a reading stores their sums. */
async function writeLong(dir: string, from = 0, count = 3000): Promise<void> {
  await appendFile(november(dir), Buffer.concat(Array.from({ length: count }, (_, n) => line(from + n))));
}

describe('stored sums of the ledger', () => {
  it('P15 E17 are what the lines say, also with lines that came later', async () => {
    await withTempDir(async (dir) => {
      await writeLong(dir);
      await read(dir);
      assert.ok((await stat(stored(dir))).size > 0);
      await writeLong(dir, 3000, 10);
      const again = await read(dir);
      assert.deepEqual(again, await readFromLines(dir));
      assert.deepEqual((again as { total: { requests: number } }).total.requests, 3010);
    });
  });

  it('E17 the same lines a second time change nothing, wherever the stored sums end', async () => {
    await withTempDir(async (dir) => {
      await writeLong(dir);
      const once = await read(dir);
      await appendFile(november(dir), await readFile(november(dir)));
      assert.deepEqual(await read(dir), once);
      assert.deepEqual(await readFromLines(dir), once);
    });
  });

  it('E01 are used when they fit: lines before them are not read again', async () => {
    await withTempDir(async (dir) => {
      await writeLong(dir);
      const before = await read(dir);
      // Far from the end, where nothing looks: only a reading of all lines would notice.
      const bytes = await readFile(november(dir));
      bytes.fill('x', 100, 200);
      await writeFile(november(dir), bytes);
      assert.deepEqual(await read(dir), before);
    });
  });

  const damages: Record<string, (dir: string) => Promise<unknown>> = {
    'were deleted': (dir) => rm(stored(dir)),
    'are empty': (dir) => writeFile(stored(dir), ''),
    'are text': (dir) => writeFile(stored(dir), 'not sums\n'.repeat(100)),
    'were cut': async (dir) => truncate(stored(dir), 500),
    'lost their ids': async (dir) => truncate(stored(dir), (await stat(stored(dir))).size - 8),
    'have a flipped bit': async (dir) => {
      const bytes = await readFile(stored(dir));
      bytes[60] = (bytes[60] ?? 0) ^ 1;
      await writeFile(stored(dir), bytes);
    },
    'are of a longer file': (dir) => truncate(november(dir), 300_000),
    'are of another file of that length': async (dir) => {
      const lines = Buffer.concat(Array.from({ length: 3001 }, (_, n) => line(n))).subarray(line(0).length);
      await writeFile(november(dir), lines);
    },
    'are of a file that is gone': (dir) => rm(november(dir)),
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`E01 are made again from the lines when they ${what}`, async () => {
      await withTempDir(async (dir) => {
        await writeLong(dir);
        await read(dir);
        await damage(dir);
        // A line more, so that the ids are looked at too.
        await appendFile(november(dir), line(9000));
        assert.deepEqual(await read(dir), await readFromLines(dir));
      });
    });
  }

  it('do not count in another time zone', async () => {
    await withTempDir(async (dir) => {
      await writeLong(dir);
      await read(dir);
      const inTokyo = { clock: { epochMs: () => noon }, dayOf: (ms: number) => utcDay(ms + 9 * 3_600_000) };
      const rows = await createLedger({ dir, ...inTokyo }).rows(year);
      await rm(stored(dir), { force: true });
      assert.deepEqual(rows, await createLedger({ dir, ...inTokyo }).rows(year));
      assert.notDeepEqual(rows, await open(dir).rows(year));
    });
  });

  it('E07 follow a file that was cut or replaced while it is open', async () => {
    await withTempDir(async (dir) => {
      await writeLong(dir);
      const ledger = open(dir);
      await ledger.refresh();
      await truncate(november(dir), 300_000);
      await ledger.refresh();
      assert.deepEqual(await sums(ledger), await readFromLines(dir));
      await rm(november(dir));
      await ledger.refresh();
      assert.equal(ledger.today().requests, 0);
    });
  });

  it('E15 never hold a line that did not reach the file', async () => {
    await withTempDir(async (dir) => {
      await writeLong(dir);
      let full = false;
      const fs = {
        ...nodeFs,
        open: (...args: Parameters<typeof nodeFs.open>) =>
          full && args[1] === 'a+' ? Promise.reject(new Error('ENOSPC')) : nodeFs.open(...args),
      };
      const ledger = createLedger({ dir, fs, clock: { epochMs: () => noon }, dayOf: utcDay });
      full = true;
      await assert.rejects(ledger.record(ledgerEntry({ id: 'never written', totalTokens: 5_000_000 })));
      await ledger.refresh();
      assert.ok((await stat(stored(dir))).size > 0);
      assert.ok(ledger.today().totalTokens > 5_000_000, 'this window still counts it');
      const other = (await read(dir)) as { today: { totalTokens: number } };
      assert.ok(other.today.totalTokens < 5_000_000);
    });
  });

  it('E17 count a line of this window once when another window stored sums with it', async () => {
    await withTempDir(async (dir) => {
      const at = Date.UTC(2026, 2, 3);
      const ledger = open(dir);
      await ledger.record(ledgerEntry({ id: 'old', at, totalTokens: 1000 }));
      await ledger.refresh();
      const file = path.join(dir, 'ledger-2026-03.jsonl');
      await appendFile(
        file,
        Buffer.concat(
          Array.from({ length: 3000 }, (_, n) =>
            encodeLine(JSON.stringify(ledgerEntry({ id: `b${n}`, at, totalTokens: 0 })), 'd'),
          ),
        ),
      );
      await read(dir);
      assert.ok((await stat(file.replace('.jsonl', '.sums'))).size > 0);
      assert.equal((await ledger.totals(year)).totalTokens, 1000);
      await ledger.close();
    });
  });

  it('P15 are stored and read back as they were, a table of ids of any size included', async () => {
    await withTempDir(async (dir) => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 3000 }), async (ids) => {
          const file = path.join(dir, 'x.sums');
          const made = createMonthSums();
          for (const id of ids) assert.equal(made.add(ledgerEntry({ id, conversationId: id }), '2026-11-20'), true);
          await writeSums(file, 'UTC', { mark: { offset: 5, tail: 6 }, damaged: 7, sums: made }, nodeFs);
          const back = await readSums(file, 'UTC', () => true, nodeFs);
          assert.ok(back);
          assert.deepEqual([back.mark, back.damaged], [{ offset: 5, tail: 6 }, 7]);
          assert.deepEqual(back.sums.conversations(), made.conversations());
          for (const id of ids) assert.equal(back.sums.add(ledgerEntry({ id }), '2026-11-20'), false);
          assert.equal(back.sums.has(`${ids.join()} and one more`), false);
          assert.deepEqual(back.sums.rows({ from: '', to: '~' }), made.rows({ from: '', to: '~' }));
        }),
        { numRuns: 20 },
      );
    });
  });

  type Step =
    | { do: 'append'; count: number }
    | { do: 'replay' | 'torn' | 'damage' | 'reopen' | 'cutSums' | 'cutLines' };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('append' as const), count: fc.integer({ min: 1, max: 2500 }) }),
    fc.record({
      do: fc.constantFrom(...(['replay', 'torn', 'damage', 'reopen', 'cutSums', 'cutLines'] as const)),
    }),
  );
  it('P15 E17 E01 equal the lines after any sequence of appends, replays, torn lines, damage and readings', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), fc.nat(1_000_000), async (steps, place) => {
        await withTempDir(async (dir) => {
          let next = 1;
          let ledger = open(dir);
          const size = async (file: string) => (await stat(file).catch(() => undefined))?.size;
          for (const one of steps) {
            const long = await size(november(dir));
            if (one.do === 'append') {
              await writeLong(dir, next, one.count);
              next += one.count;
            } else if (one.do === 'replay' && long !== undefined) {
              await appendFile(november(dir), (await readFile(november(dir))).subarray(0, 400 * (place % 50)));
            } else if (one.do === 'torn') await appendFile(november(dir), line(next++).subarray(0, 100));
            else if (one.do === 'damage') await appendFile(november(dir), '{"v":1,"crc":"00000000","d":{}}\n');
            else if (one.do === 'reopen') {
              await ledger.close();
              ledger = open(dir);
            } else if (one.do === 'cutSums' && (await size(stored(dir))) !== undefined) {
              await truncate(stored(dir), place % ((await size(stored(dir))) || 1));
            } else if (one.do === 'cutLines' && long !== undefined) {
              // Inside what was read: a cut behind the mark, followed by as many other bytes, is damage nobody can see.
              const half = (await readFile(november(dir))).subarray(0, Math.floor(long / 2));
              // A line that lost nothing but its end counts, until another one is written behind it: then both are damaged.
              await truncate(november(dir), half.at(-1) === '}'.charCodeAt(0) ? half.length - 1 : half.length);
            }
            await ledger.refresh();
          }
          const expected = await readFromLines(dir);
          assert.deepEqual(await sums(ledger), expected);
          await ledger.close();
          assert.deepEqual(await read(dir), expected);
        });
      }),
      { numRuns: 25 },
    );
  });
});
