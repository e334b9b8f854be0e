import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Attempt } from '../../../src/shared/messages.ts';
import { costMicroUsd, microUsdPerMillionTokens, sumCost } from '../../../src/spend/price.ts';

function attempt(change: Partial<Attempt> = {}): Attempt {
  return {
    requestId: 'r1',
    model: 'svc/glm-5.3',
    startedAt: 0,
    durationMs: 1,
    outcome: 'complete',
    charge: 'yes',
    usage: { promptTokens: 900, completionTokens: 100, totalTokens: 1000, estimated: false },
    ...change,
  };
}

describe('price', () => {
  it('S11 charges 0.33 USD for a million tokens', () => {
    assert.equal(costMicroUsd(1_000_000), 330_000);
    assert.equal(microUsdPerMillionTokens, 330_000);
    assert.equal(costMicroUsd(1000), 330);
  });

  it('S11 a price of half a micro-dollar is rounded up', () => {
    assert.deepEqual([0, 1, 2, 50, 150].map(costMicroUsd), [0, 0, 1, 17, 50]);
  });

  it('S11 is the exact rounding for every count of tokens', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000_000_000 }), (tokens) => {
        const exact = (BigInt(tokens) * 33n + 50n) / 100n;
        assert.equal(BigInt(costMicroUsd(tokens)), exact);
      }),
    );
  });

  it('S11 answers zero for what is no count of tokens', () => {
    assert.deepEqual([-1, Number.NaN, Number.POSITIVE_INFINITY].map(costMicroUsd), [0, 0, 0]);
  });

  it('S10 counts no tokens of attempts that are not charged', () => {
    const cost = sumCost([attempt({ charge: 'no', outcome: 'failed' }), attempt()]);
    assert.deepEqual(cost, {
      promptTokens: 900,
      completionTokens: 100,
      totalTokens: 1000,
      microUsd: 330,
      estimated: false,
      charge: 'yes',
      requests: 2,
    });
  });

  it('S10 says no for a turn whose every attempt failed, and maybe when one was cut', () => {
    assert.equal(sumCost([attempt({ charge: 'no' })]).charge, 'no');
    assert.equal(sumCost([attempt({ charge: 'no' }), attempt({ charge: 'maybe' })]).charge, 'maybe');
    assert.equal(sumCost([attempt({ charge: 'maybe' }), attempt({ charge: 'yes' })]).charge, 'yes');
  });

  it('W02 marks a sum as an estimate when a counted attempt is one or has no count, and only then', () => {
    const estimated = { promptTokens: 1, completionTokens: 1, totalTokens: 2, estimated: true };
    assert.equal(sumCost([attempt(), attempt({ usage: estimated })]).estimated, true);
    assert.equal(sumCost([attempt({ charge: 'maybe', usage: undefined })]).estimated, true);
    assert.equal(sumCost([attempt(), attempt({ charge: 'no', usage: estimated })]).estimated, false);
  });

  it('H13 is additive, so that answers add up to the ledger', () => {
    const attempts = fc.array(
      fc.record({ tokens: fc.nat(500_000), charge: fc.constantFrom('yes' as const, 'no' as const, 'maybe' as const) }),
    );
    fc.assert(
      fc.property(attempts, fc.nat(), (list, at) => {
        const all = list.map(({ tokens, charge }) =>
          attempt({
            charge,
            usage: { promptTokens: tokens, completionTokens: 0, totalTokens: tokens, estimated: false },
          }),
        );
        const cut = all.length === 0 ? 0 : at % all.length;
        const parts = sumCost(all.slice(0, cut)).microUsd + sumCost(all.slice(cut)).microUsd;
        assert.equal(sumCost(all).microUsd, parts);
      }),
    );
  });
});
