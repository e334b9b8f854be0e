import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { leftToOtherDays } from '../../run/long-tests.ts';
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

  it('has each case of a table also on the days of a test that runs once a week', () => {
    const costs = { 'a.test.ts': Object.fromEntries(range(7).map((at) => [`${at}`, 1])) };
    for (const share of range(15).slice(1)) {
      const met = range(7).map(() => new Set<number>());
      for (const day of range(7 * 40)) {
        set({ SVC_TEST_SEED: String(day) });
        const left = leftToOtherDays(costs, ['a.test.ts'], day).get('a.test.ts') ?? [];
        for (const at of range(7))
          if (!left.includes(`${at}`)) for (const each of someOf(range(share), share)) met[at]?.add(each);
      }
      for (const cases of met) assert.equal(cases.size, share, `one in ${share}`);
    }
  });

  it('has each long test on one day of the week, the days alike, and leaves out none that it does not know', () => {
    const seconds = [40, 17, 16, 9, 9, 5, ...range(60).map((at) => 0.5 + (at % 5) / 2)];
    const costs = {
      'a.test.ts': Object.fromEntries(seconds.map((cost, at) => [`a ${at}`, cost])),
      'b.test.ts': { b: 3, c: 3 },
      'gone.test.ts': { 'long ago': 50 },
    };
    const files = ['a.test.ts', 'b.test.ts', 'new.test.ts'];
    const all = files.flatMap((file) => Object.entries(costs[file as keyof typeof costs] ?? {}));
    const ran = range(7).map((day) => {
      const left = [...leftToOtherDays(costs, files, 7 * 3000 + day).values()].flat();
      return all.filter(([title]) => !left.includes(title));
    });
    assert.deepEqual(ran.flat().toSorted(), all.toSorted());
    const sums = ran.map((tests) => tests.reduce((sum, [, cost]) => sum + cost, 0)).toSorted((a, b) => a - b);
    assert.ok((sums[5] ?? 0) - (sums[0] ?? 0) <= 1, `without the day of the longest: ${sums}`);
  });

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
