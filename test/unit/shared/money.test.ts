import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formatMicroUsd } from '../../../src/shared/money.ts';

describe('an amount as it is shown', () => {
  for (const [microUsd, estimated, shown] of [
    [0, false, '$0.00'],
    [1, false, '< $0.0001'],
    [99, true, '< $0.0001'],
    [100, true, '≈ $0.0001'],
    [99_999, false, '$0.1000'],
    [100_000, false, '$0.10'],
  ] as const) {
    it(`ux 2.20 ${microUsd} micro-dollars are ${shown}`, () => {
      assert.equal(formatMicroUsd(microUsd, estimated), shown);
    });
  }
});
