import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type LineTolerance, normalizedUnits, normalizeLine } from '../../../src/edits/match/line-tolerance.ts';

/** The least forgiving first. */
const forms: readonly LineTolerance[] = ['exact', 'body', 'plain', 'unescaped', 'loose'];

describe('formOf', () => {
  const alike: [from: LineTolerance, one: string, other: string][] = [
    ['exact', 'café();  ', 'cafe\u0301();'],
    ['body', '    call(a);', '\tcall(a);'],
    ['plain', 'say(“hi”, ‘a’);', `say("hi", 'a');`],
    ['plain', 'a – b…', 'a - b...'],
    ['plain', 'a   =\u00a0b', 'a = b'],
    ['plain', 'zero\u200bwidth', 'zerowidth'],
    ['unescaped', 'a &lt; b &amp;&amp; c', 'a < b && c'],
    ['unescaped', 'say(\\"hi\\", \\\\n)', 'say("hi", \\n)'],
    ['loose', "call('a')", 'call("a");'],
    ['loose', 'call(`a`,b),', 'call("a", b)'],
    ['loose', 'a=1;', 'a = 1,;'],
  ];
  for (const [from, one, other] of alike) {
    it(`takes ${one} and ${other} for the same from ${from} on`, () => {
      const same = forms.filter((form) => normalizeLine(one, form) === normalizeLine(other, form));
      assert.deepEqual(same, forms.slice(forms.indexOf(from)));
    });
  }

  it('never takes letters, digits and brackets for others', () => {
    for (const [one, other] of [
      ['a1', 'a2'],
      ['f(x)', 'f[x]'],
      ['Name', 'name'],
      [';', ','],
      ['a;b', 'ab'],
      ['a & b', 'a && b'],
      ['\\d', 'd'],
    ] as const)
      assert.notEqual(normalizeLine(one, 'loose'), normalizeLine(other, 'loose'), `${one} ${other}`);
  });
});

describe('unitsOf', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    '1',
    ' ',
    '  ',
    '\t',
    '“',
    "'",
    '\\"',
    '\\',
    '&lt;',
    '&',
    '…',
    'é',
    'e\u0301',
    '\u200b',
    '😀',
    '한',
    ';',
    ',',
    '→',
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('').trim());

  it('is the form piece by piece, each at its place of the text', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...forms.slice(1)), (line, form) => {
        const { units, starts } = normalizedUnits(line, form);
        assert.equal(units.join(''), normalizeLine(line, form));
        assert.equal(starts.length, units.length + 1);
        assert.equal(starts.at(-1), line.length);
        assert.ok(starts.every((start, at) => at === 0 || start >= (starts[at - 1] ?? 0)));
        const letters = [...line.matchAll(/[aB1→]/g)].map(({ index }) => index);
        const own = starts
          .slice(0, -1)
          .filter((start, at) => /[aB1→]/.test(units[at] ?? '') && /[aB1→]/.test(line[start] ?? ''));
        assert.deepEqual(own, letters);
      }),
      { numRuns: 500 },
    );
  });
});
