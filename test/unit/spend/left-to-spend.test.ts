import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type BudgetLimits, leftToSpend } from '../../../src/spend/budget.ts';
import { emptyTotals } from '../../../src/spend/totals.ts';

const errors: unknown[] = [];
const left = (limits: BudgetLimits, refresh = async (): Promise<void> => undefined) =>
  leftToSpend(
    {
      ledger: {
        refresh,
        today: () => ({ ...emptyTotals(), microUsd: 400_000 }),
        underWay: async () => ({ microUsd: 50_000, conversationMicroUsd: 20_000 }),
      },
      spentOn: async () => 100_000,
      onError: (error) => errors.push(error),
    },
    limits,
    'c',
  );

describe('what the limits leave', () => {
  const cases: [limits: BudgetLimits, microUsd: number][] = [
    [{}, Number.POSITIVE_INFINITY],
    [{ confirmAboveUsd: 0.02 }, Number.POSITIVE_INFINITY],
    [{ dailyLimitUsd: 1 }, 550_000],
    [{ conversationLimitUsd: 0.5 }, 380_000],
    [{ capUsd: 0.2 }, 80_000],
    [{ dailyLimitUsd: 1, conversationLimitUsd: 0.5, capUsd: 0.2 }, 80_000],
    [{ dailyLimitUsd: 0.1 }, 0],
  ];
  for (const [limits, microUsd] of cases) {
    it(`U4 takes off what was spent and is under way: ${JSON.stringify(limits)}`, async () => {
      assert.equal(await left(limits), microUsd);
    });
  }

  it('U4 counts what this window has seen where the ledger cannot be read', async () => {
    assert.equal(await left({ dailyLimitUsd: 1 }, () => Promise.reject(new Error('no disk'))), 550_000);
    assert.equal(errors.length, 1);
  });
});
