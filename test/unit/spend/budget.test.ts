import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { checkBudget, hasLimits, limitSetting } from '../../../src/spend/budget.ts';

const spent = { todayMicroUsd: 900_000, conversationMicroUsd: 400_000 };

describe('budget', () => {
  it('U4 without limits every request is allowed', () => {
    assert.deepEqual(checkBudget({}, spent, 10_000_000), { kind: 'ok' });
    assert.equal(hasLimits({}), false);
  });

  it('U4 leads to the setting of the limit that was reached', () => {
    assert.equal(limitSetting('daily'), 'spend.dailyLimitUsd');
    assert.equal(limitSetting('conversation'), 'spend.conversationLimitUsd');
    assert.equal(limitSetting('confirm'), 'spend.confirmAboveUsd');
    assert.equal(limitSetting(undefined), 'spend.dailyLimitUsd');
  });

  it('U4 refuses what would pass the limit of the day and allows what reaches it', () => {
    assert.equal(checkBudget({ dailyLimitUsd: 1 }, spent, 100_000).kind, 'ok');
    assert.deepEqual(checkBudget({ dailyLimitUsd: 1 }, spent, 100_001), {
      kind: 'limit',
      limit: 'daily',
      limitMicroUsd: 1_000_000,
      spentMicroUsd: 900_000,
      estimateMicroUsd: 100_001,
    });
  });

  it('U4 refuses what would pass the limit of the conversation', () => {
    const answer = checkBudget({ dailyLimitUsd: 5, conversationLimitUsd: 0.4 }, spent, 1);
    assert.equal(answer.kind === 'limit' && answer.limit, 'conversation');
  });

  it('U4 allows nothing at a limit of zero or below, not even a free estimate', () => {
    const nothing = { todayMicroUsd: 0, conversationMicroUsd: 0 };
    for (const dailyLimitUsd of [0, -1]) assert.equal(checkBudget({ dailyLimitUsd }, nothing, 0).kind, 'limit');
  });

  it('U4 asks above the amount, and a limit comes before the question', () => {
    assert.equal(checkBudget({ confirmAboveUsd: 0.05 }, spent, 50_000).kind, 'ok');
    assert.equal(checkBudget({ confirmAboveUsd: 0.05 }, spent, 50_001).kind, 'confirm');
    assert.equal(checkBudget({ confirmAboveUsd: 0.05, dailyLimitUsd: 0.9 }, spent, 50_001).kind, 'limit');
  });

  it('U4 never lets the sum of allowed requests pass the limit', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.array(fc.nat(200_000)), (limit, estimates) => {
        let sum = 0;
        for (const estimate of estimates) {
          const before = { todayMicroUsd: sum, conversationMicroUsd: 0 };
          if (checkBudget({ dailyLimitUsd: limit / 1e6 }, before, estimate).kind === 'ok') sum += estimate;
        }
        assert.ok(sum <= limit);
      }),
    );
  });
});
