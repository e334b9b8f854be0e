import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { linesWithin, shareBudget } from '../../../src/base/share-budget.ts';

describe('base/share-budget', () => {
  it('F24 gives small ones all they need and the others equal shares, never more than there is', () => {
    assert.deepEqual(shareBudget([1000, 10, 1000, 20], 430), [200, 10, 200, 20]);
    assert.deepEqual(shareBudget([5, 6], 100), [5, 6]);
    assert.deepEqual(shareBudget([], 9), []);
    fc.assert(
      fc.property(fc.array(fc.nat(1000)), fc.nat(5000), (sizes, budget) => {
        const shares = shareBudget(sizes, budget);
        assert.ok(shares.reduce((sum, one) => sum + one, 0) <= budget);
        const cut = sizes.filter((size, at) => (shares[at] ?? 0) < size);
        const least = Math.floor(budget / Math.max(1, sizes.length));
        assert.ok(shares.every((share, at) => share >= Math.min(sizes[at] ?? 0, least)));
        if (cut.length > 0) assert.ok(shares.reduce((sum, one) => sum + one, 0) > budget - sizes.length);
      }),
    );
  });

  it('F24 counts lines with their ends', () => {
    assert.deepEqual(
      [linesWithin(['ab', 'c'], 2), linesWithin(['ab', 'c'], 3), linesWithin(['ab', 'c'], 5)],
      [0, 1, 2],
    );
  });
});
