import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createLedger, type Ledger } from '../../../src/spend/ledger.ts';
import { toLedgerEntry } from '../../../src/spend/ledger-entry.ts';
import { costMicroUsd } from '../../../src/spend/price.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { ledgerEntry, sampleAttempt } from './ledger-samples.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const utcDay = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

async function openLedger(dir: string, now = noon): Promise<Ledger> {
  const ledger = createLedger({ dir, clock: { epochMs: () => now }, dayOf: utcDay });
  await ledger.refresh();
  return ledger;
}

describe('ledger', () => {
  it('E17 has the same sums after it is opened again', async () => {
    await withTempDir(async (dir) => {
      const first = await openLedger(dir);
      await first.record(ledgerEntry({ id: 'a', totalTokens: 1000 }));
      await first.record(ledgerEntry({ id: 'b', totalTokens: 500, estimated: true }));
      const today = first.today();
      assert.deepEqual([today.microUsd, today.requests, today.estimated], [495, 2, true]);
      await first.close();
      assert.deepEqual((await openLedger(dir)).today(), today);
    });
  });

  it('E17 counts an id once, given twice or found in the file twice', async () => {
    await withTempDir(async (dir) => {
      const ledger = await openLedger(dir);
      await ledger.record(ledgerEntry());
      await ledger.record(ledgerEntry());
      await ledger.close();
      const file = path.join(dir, 'ledger-2026-11.jsonl');
      const lines = await readFile(file);
      assert.equal(lines.toString().trimEnd().split('\n').length, 1);
      await appendFile(file, lines);
      assert.equal((await openLedger(dir)).today().requests, 1);
    });
  });

  it('S10 counts an attempt that was not charged as a request and nothing else', async () => {
    await withTempDir(async (dir) => {
      const ledger = await openLedger(dir);
      const failed = sampleAttempt({ charge: 'no', outcome: 'failed' });
      await ledger.record(toLedgerEntry(failed, { surface: 'chat' }));
      assert.deepEqual(ledger.today(), {
        promptTokens: 0,
        completionTokens: 0,
        totalTokens: 0,
        microUsd: 0,
        estimated: false,
        requests: 1,
        notCharged: 1,
        possiblyCharged: 0,
      });
      await ledger.close();
    });
  });

  it('S10 keeps what was perhaps charged in the sum and marks it', async () => {
    await withTempDir(async (dir) => {
      const ledger = await openLedger(dir);
      await ledger.record(toLedgerEntry(sampleAttempt({ charge: 'maybe', outcome: 'stopped' }), { surface: 'inline' }));
      const { microUsd, estimated, possiblyCharged } = ledger.today();
      assert.deepEqual(
        { microUsd, estimated, possiblyCharged },
        { microUsd: 330, estimated: true, possiblyCharged: 1 },
      );
      await ledger.close();
    });
  });

  it('E07 sees what another window wrote after a refresh, and tells', async () => {
    await withTempDir(async (dir) => {
      const [one, two] = [await openLedger(dir), await openLedger(dir)];
      let told = 0;
      one.onDidChange(() => {
        told += 1;
      });
      await two.record(ledgerEntry({ id: 'from two' }));
      assert.equal(one.today().requests, 0);
      await one.refresh();
      assert.deepEqual([one.today().requests, told], [1, 1]);
      await one.refresh();
      assert.equal(told, 1);
      await Promise.all([one.close(), two.close()]);
    });
  });

  it('E07 loses nothing when two windows append thousands of lines to one file', async function () {
    this.timeout(60_000);
    await withTempDir(async (dir) => {
      const writer = fileURLToPath(new URL('ledger-writer.ts', import.meta.url));
      const each = 4000;
      const children = ['one', 'two'].map((window) => fork(writer, [dir, window, String(each), String(noon)]));
      const exits = await Promise.all(children.map((child) => once(child, 'exit')));
      assert.deepEqual(
        exits.map(([code]) => code),
        [0, 0],
      );
      const ledger = await openLedger(dir);
      const { requests, totalTokens, microUsd } = ledger.today();
      const perWindow = Array.from({ length: each }, (_, n) => n);
      assert.equal(requests, 2 * each);
      assert.equal(totalTokens, each * (each - 1));
      assert.equal(
        microUsd,
        perWindow.reduce((sum, n) => sum + 2 * costMicroUsd(n), 0),
      );
      assert.equal(ledger.damaged(), 0);
    });
  });

  it('E01 goes on past lines it cannot read and says how many there are', async () => {
    await withTempDir(async (dir) => {
      const ledger = await openLedger(dir);
      await ledger.record(ledgerEntry({ id: 'a' }));
      await ledger.close();
      await appendFile(path.join(dir, 'ledger-2026-11.jsonl'), 'rubbish\n');
      const again = await openLedger(dir);
      await again.record(ledgerEntry({ id: 'b' }));
      await again.close();
      const third = await openLedger(dir);
      assert.deepEqual([third.today().requests, third.damaged()], [2, 1]);
    });
  });

  it('E22 counts a model called __proto__ like any other', async () => {
    await withTempDir(async (dir) => {
      const ledger = await openLedger(dir);
      await ledger.record(ledgerEntry({ model: '__proto__', conversationId: '__proto__' }));
      await ledger.close();
      const again = await openLedger(dir);
      const models = await again.byModel({ from: '2026-11-20', to: '2026-11-20' });
      assert.deepEqual([...models.keys()], ['__proto__']);
      assert.equal((await again.conversation('__proto__')).microUsd, 330);
      assert.equal(({} as { microUsd?: number }).microUsd, undefined);
    });
  });

  it('cuts days where the time zone of the user does', async () => {
    await withTempDir(async (dir) => {
      // One hour ahead of UTC: 23:30 UTC on 31 October is already November there.
      const dayOf = (epochMs: number): string => utcDay(epochMs + 3_600_000);
      const at = Date.UTC(2026, 9, 31, 23, 30);
      const writer = createLedger({ dir, clock: { epochMs: () => at }, dayOf });
      await writer.record(ledgerEntry({ id: 'late', at }));
      await writer.close();
      const files = await readdir(dir);
      assert.deepEqual(files, ['ledger-2026-10.jsonl']);
      const reader = createLedger({ dir, clock: { epochMs: () => Date.UTC(2026, 10, 1, 8) }, dayOf });
      await reader.refresh();
      assert.equal(reader.today().requests, 1);
      assert.equal((await reader.totals({ from: '2026-11-01', to: '2026-11-01' })).requests, 1);
      assert.equal((await reader.totals({ from: '2026-10-01', to: '2026-10-31' })).requests, 0);
    });
  });

  it('gives a row for each day, model and surface, the days in order', async () => {
    await withTempDir(async (dir) => {
      const ledger = await openLedger(dir);
      const on = (id: string, day: number, model: string) =>
        ledger.record(ledgerEntry({ id, at: Date.UTC(2026, 10, day, 12), model }));
      await on('1', 19, 'svc/b');
      await on('2', 17, 'svc/a');
      await on('3', 18, 'svc/a');
      await on('4', 17, 'svc/a');
      const rows = await ledger.rows({ from: '2026-11-17', to: '2026-11-19' });
      assert.deepEqual(
        rows.map(({ day, model, totals }) => [day, model, totals.requests]),
        [
          ['2026-11-17', 'svc/a', 2],
          ['2026-11-18', 'svc/a', 1],
          ['2026-11-19', 'svc/b', 1],
        ],
      );
      await ledger.close();
    });
  });

  it('reads older months when a range or a conversation asks for them', async () => {
    await withTempDir(async (dir) => {
      const writer = await openLedger(dir);
      for (const month of [0, 4, 10]) {
        const at = Date.UTC(2026, month, 15);
        await writer.record(ledgerEntry({ id: `m${month}`, at, model: `svc/m${month}`, conversationId: 'c' }));
      }
      await writer.close();
      const ledger = await openLedger(dir);
      assert.deepEqual([...(await ledger.byModel({ from: '2026-05-01', to: '2026-11-30' })).keys()].sort(), [
        'svc/m10',
        'svc/m4',
      ]);
      assert.equal((await ledger.conversation('c')).requests, 3);
      assert.equal((await ledger.totals({ from: '2026-01-01', to: '2026-12-31' })).microUsd, 990);
    });
  });

  it('H13 gives the same sums for any order and any repetition of lines', async () => {
    const line = fc.record({
      n: fc.nat(20),
      tokens: fc.nat(100_000),
      charge: fc.constantFrom('yes' as const, 'no' as const, 'maybe' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(line, { selector: (one) => one.n, maxLength: 12 }), async (lines) => {
        await withTempDir(async (dir) => {
          const entries = lines.map(({ n, tokens, charge }) =>
            ledgerEntry({
              id: `id${n}`,
              totalTokens: tokens,
              charge,
              microUsd: charge === 'no' ? 0 : costMicroUsd(tokens),
            }),
          );
          const ledger = await openLedger(dir);
          for (const entry of [...entries, ...entries.toReversed()]) await ledger.record(entry);
          await ledger.close();
          const expected = entries.reduce((sum, entry) => sum + entry.microUsd, 0);
          const again = await openLedger(dir);
          assert.deepEqual([again.today().microUsd, again.today().requests], [expected, entries.length]);
          assert.deepEqual(again.today(), ledger.today());
        });
      }),
      { numRuns: 25 },
    );
  });
});
