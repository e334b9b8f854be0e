import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { createLedger } from '../../../src/spend/ledger.ts';
import { parseLedgerEntry } from '../../../src/spend/ledger-entry.ts';
import { encodeLine } from '../../../src/storage/log-line.ts';
import type { StorageFs } from '../../../src/storage/storage-fs.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { ledgerEntry } from './ledger-samples.ts';

const count = z.number().check(z.int(), z.minimum(0));
/** Judges the check that is written by hand. */
const schema = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  at: z.number().check(z.minimum(0), z.maximum(8.64e15)),
  model: z.string().check(z.maxLength(200)),
  surface: z.string().check(z.maxLength(40)),
  conversationId: z.optional(z.string()),
  turnId: z.optional(z.string()),
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  microUsd: count,
  estimated: z.boolean(),
  charge: z.enum(['yes', 'no', 'maybe']),
  outcome: z.string().check(z.maxLength(40)),
});

describe('a line of the ledger', () => {
  it('P15 E22 is an entry exactly where the schema says so', () => {
    const sample: object = ledgerEntry({ id: 'id', conversationId: 'c', turnId: 't' });
    const names = fc.constantFrom(...Object.keys(sample), 'other');
    const odd = fc.constantFrom('', 'x'.repeat(40), 'x'.repeat(41), 'x'.repeat(200), 'x'.repeat(201), 'yes', 'maybe');
    const numbers = fc.constantFrom(
      0,
      -0,
      -1,
      1.5,
      8.64e15,
      8.64e15 + 1,
      2 ** 53,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    );
    const value = fc.oneof(odd, numbers, fc.constantFrom(undefined, null, true, [], {}), fc.anything());
    fc.assert(
      fc.property(fc.array(fc.tuple(names, value), { maxLength: 2 }), (changes) => {
        const record = { ...sample, ...Object.fromEntries(changes) };
        assert.equal(parseLedgerEntry(record) !== undefined, schema.safeParse(record).success);
      }),
      { numRuns: 2000 },
    );
    for (const record of [undefined, null, 'id', 1, [], {}]) assert.equal(parseLedgerEntry(record), undefined);
  });

  it('P15 is read while no other month is, so that others have their turn between the months', async () => {
    await withTempDir(async (dir) => {
      const months = ['2026-01', '2026-02', '2026-03', '2026-04'];
      for (const month of months) {
        const line = encodeLine(JSON.stringify(ledgerEntry({ id: month, at: Date.parse(`${month}-15`) })), 'd');
        await nodeFs.writeFile(path.join(dir, `ledger-${month}.jsonl`), line);
      }
      const open = new Set<string>();
      let most = 0;
      const fs: StorageFs = {
        ...nodeFs,
        async open(file, flags, mode) {
          const handle = await nodeFs.open(file, flags, mode);
          open.add(String(file));
          most = Math.max(most, open.size);
          const { close } = handle;
          handle.close = () => {
            open.delete(String(file));
            return close.call(handle);
          };
          return handle;
        },
      };
      const ledger = createLedger({ dir, fs, clock: { epochMs: () => Date.parse('2026-04-16') } });
      const { requests } = await ledger.totals({ from: '2026-01-01', to: '2026-12-31' });
      assert.deepEqual([requests, most], [months.length, 1]);
      await ledger.close();
    });
  });
});
