import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createReport } from '../../../src/spend/create-report.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { ledgerEntry } from './ledger-samples.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const day = 24 * 3_600_000;

describe('spend report', () => {
  it('S10 U12 sums days, models, surfaces and conversations; what was not charged is counted and not summed', async () => {
    await withTempDir(async (dir) => {
      const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);
      const ledger = createLedger({ dir, clock: { epochMs: () => noon }, dayOf });
      await ledger.record(ledgerEntry({ id: 'a', conversationId: 'c1', totalTokens: 1000 }));
      await ledger.record(ledgerEntry({ id: 'b', model: 'svc/kimi-k3', surface: 'inline', totalTokens: 9000 }));
      await ledger.record(ledgerEntry({ id: 'c', totalTokens: 0, charge: 'no', outcome: 'failed' }));
      await ledger.record(ledgerEntry({ id: 'd', at: noon - 6 * day, conversationId: 'c2', totalTokens: 2000 }));
      await ledger.record(ledgerEntry({ id: 'e', at: noon - 29 * day, totalTokens: 4000, charge: 'maybe' }));
      await ledger.record(ledgerEntry({ id: 'f', at: noon - 30 * day, conversationId: 'c2', totalTokens: 8000 }));
      const report = await createReport({
        ledger,
        days: 7,
        locale: 'en',
        nameOfModel: (id) => id.slice(4),
        nameOfSurface: (surface) => surface.toUpperCase(),
        titles: new Map([['c1', 'First']]),
        nameOfDeleted: 'gone',
        dailyLimitUsd: 0.5,
      });
      await ledger.close();
      assert.deepEqual([report.today.microUsd, report.today.requests, report.today.notCharged], [3300, 3, 1]);
      assert.deepEqual([report.week.microUsd, report.week.estimated], [3960, false]);
      assert.deepEqual([report.month.microUsd, report.month.estimated], [5280, true]);
      assert.deepEqual([report.total.microUsd, report.dailyLimitMicroUsd], [3960, 500_000]);
      assert.deepEqual([report.days.length, report.days[0]?.day, report.days[0]?.microUsd], [7, '2026-11-14', 660]);
      assert.deepEqual(
        report.days.at(-1)?.models.map(({ name, microUsd }) => [name, microUsd]),
        [
          ['kimi-k3', 2970],
          ['glm-5.3', 330],
        ],
      );
      assert.deepEqual(
        report.surfaces.map(({ name, microUsd }) => [name, microUsd]),
        [
          ['INLINE', 2970],
          ['CHAT', 990],
        ],
      );
      assert.deepEqual(
        report.conversations.map(({ name, exists, microUsd }) => [name, exists, microUsd]),
        [
          ['gone', false, 3300],
          ['First', true, 330],
        ],
      );
    });
  });
});
