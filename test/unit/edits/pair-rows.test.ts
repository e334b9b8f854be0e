import assert from 'node:assert/strict';
import { diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { counterpartsOf, pairRows, sharedEnds } from '../../../src/edits/match/pair-rows.ts';
import { toRows } from '../../../src/edits/match/rows.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

describe('pairRows', () => {
  it('pairs as many equal lines, in order, as a diff leaves unchanged', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const pairs = pairRows(before, after);
        assert.equal(pairs.length, after.length);
        let last = -1;
        pairs.forEach((partner, at) => {
          if (partner < 0) return;
          assert.ok(partner > last && before[partner] === after[at]);
          last = partner;
        });
        const same = diffArrays(before, after).reduce((sum, { added, removed, count }) => {
          return sum + (added || removed ? 0 : count);
        }, 0);
        assert.equal(pairs.filter((partner) => partner >= 0).length, same);
      }),
      { numRuns: 500 },
    );
  });
});

describe('counterpartsOf', () => {
  const counterparts = (search: string[], replace: string[]) => {
    const [before, after] = [search, replace].map((side) => toRows(side).rows);
    return counterpartsOf(before ?? [], after ?? [], pairRows(search, replace));
  };

  it('gives a line that comes the one that it came instead of, between lines that stay', () => {
    const cases: [search: string[], replace: string[], wanted: number[]][] = [
      [
        ['a();', 'x = 1;', 'b();'],
        ['a();', 'y = 2;', 'b();'],
        [-1, 1, -1],
      ],
      [
        ['a();', 'b();'],
        ['one();', 'two();'],
        [0, 1],
      ],
      [
        ['first(1);', 'second(2);', 'end'],
        ['second(3);', 'end'],
        [1, -1],
      ],
      [
        ['first(1);', 'second(2);', 'end'],
        ['new;', 'first(2);', 'other();', 'end'],
        [-1, 0, -1, -1],
      ],
      [
        ['end', 'value = one;'],
        ['end', 'unlike', 'value = two;', 'value = three;'],
        [-1, -1, 1, -1],
      ],
    ];
    for (const [search, replace, wanted] of cases) assert.deepEqual(counterparts(search, replace), wanted);
  });

  it('of several counterparts of a row the likest is taken', () => {
    assert.deepEqual(counterparts(['call(abc, 1);', 'call(abcdef, 2);', 'c'], ['call(abcdef, 3);', 'c']), [1, -1]);
    assert.deepEqual(counterparts(['call(abcdef, 2);', 'call(abc, 1);', 'c'], ['call(abcdef, 3);', 'c']), [0, -1]);
  });

  it('shares of ends go from none to all', () => {
    assert.deepEqual(
      [
        ['abcd', 'abcd'],
        ['abcd', 'abxd'],
        ['aa', 'aaaa'],
        ['ab', 'ba'],
        ['a', 'a'],
        ['', ''],
      ].map(([one = '', other = '']) => sharedEnds(one, other)),
      [1, 0.75, 0.5, 0, 1, 0],
    );
  });
});
