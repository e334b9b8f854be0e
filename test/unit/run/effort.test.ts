import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { seeds, someOf } from '../../support/effort.ts';

describe('the part of long tables that a day runs', () => {
  const { SVC_TEST_SEED, SVC_TEST_ALL } = process.env;
  const set = (values: Record<string, string | undefined>) => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  afterEach(() => set({ SVC_TEST_SEED, SVC_TEST_ALL }));
  const range = (length: number) => Array.from({ length }, (_, at) => at);

  for (const [length, share] of [
    [1, 4],
    [3, 3],
    [3, 5],
    [31, 4],
  ] as const) {
    it(`has one in ${share} of ${length} cases, never none, and after ${share} days each`, () => {
      const days = range(share).map((day) => {
        set({ SVC_TEST_SEED: String(20_000 + day) });
        return someOf(range(length), share);
      });
      for (const today of days)
        assert.ok(today.length > 0 && today.length <= Math.ceil(length / Math.min(share, length)));
      assert.deepEqual(
        [...new Set(days.flat())].toSorted((a, b) => a - b),
        range(length),
      );
    });
  }

  it('is everything where no day is named', () => {
    set({ SVC_TEST_SEED: undefined });
    assert.deepEqual(someOf(range(9), 4), range(9));
  });

  it('has other seeds each day until all had their turn, and all of them where everything runs', () => {
    const days = range(5).map((day) => {
      set({ SVC_TEST_SEED: String(day), SVC_TEST_ALL: undefined });
      return seeds(2, 10);
    });
    assert.deepEqual(
      days.flat(),
      range(10).map((at) => at + 1),
    );
    set({ SVC_TEST_SEED: undefined, SVC_TEST_ALL: '1' });
    assert.equal(seeds(2, 10).length, 10);
  });
});
