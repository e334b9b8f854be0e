import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeNearest, quotedPair } from '../../../src/edits/match/describe-nearest.ts';
import { createLineIndex } from '../../../src/edits/match/line-index.ts';

const file = [
  'function one() {',
  '  call(1);',
  '}',
  '',
  'function two() {',
  '  call(2);',
  '  done();',
  '}',
  'last words here',
];
const nearest = (search: string, lines = file) => describeNearest(createLineIndex(lines), search);

describe('describeNearest', () => {
  const cases: [what: string, search: string, wanted: string][] = [
    [
      'the run with most of the lines, and the first line that differs',
      'function two() {\n  call(3);\n  done();\n}',
      'Nearest are lines 5–8; line 6 reads `call(2);` where the block has `call(3);`.',
    ],
    [
      'blank lines do not count',
      '}\n\nfunction two() {\n  call(9);',
      'Nearest are lines 3–6; line 6 reads `call(2);` where the block has `call(9);`.',
    ],
    [
      'a bracket that stands twice goes by what is around it',
      '  call(7);\n  done();\n}',
      'Nearest are lines 6–8; line 6 reads `call(2);` where the block has `call(7);`.',
    ],
    [
      'one line alone goes by its words',
      'the last words here',
      'Nearest are line 9; line 9 reads `last words here` where the block has `the last words here`.',
    ],
    [
      'a block that is longer than the rest of the file',
      '}\nlast words here\nand more',
      'Nearest are lines 8–9; line 9 reads `last words here` where the block has `and more`.',
    ],
    ['nothing alike', 'unrelated = true;', 'Nothing in the file is like it. Read the file again.'],
    [
      'fewer than half of the words',
      'last of all the good old days',
      'Nothing in the file is like it. Read the file again.',
    ],
    ['no words at all', '(((', 'Nothing in the file is like it. Read the file again.'],
  ];
  for (const [what, search, wanted] of cases) it(what, () => assert.equal(nearest(search), wanted));

  it('takes the line that shares more words, wherever it stands', () => {
    const lines = ['one two three x y', 'one two three four x', 'one two three'];
    assert.match(nearest('one two three four five', lines), /line 2 reads/);
  });
});

describe('quotedPair', () => {
  it('quotes short lines whole, and of long ones the part in which they differ', () => {
    assert.deepEqual(quotedPair('a', 'b'), ['`a`', '`b`']);
    const whole = 'x'.repeat(120);
    assert.deepEqual(quotedPair(whole, 'y'), [`\`${whole}\``, '`y`']);
    const [own, wanted] = quotedPair(`${'x'.repeat(200)}own${'z'.repeat(200)}`, `${'x'.repeat(200)}new`);
    assert.equal(own, `\`…${'x'.repeat(40)}own${'z'.repeat(77)}…\``);
    assert.equal(wanted, `\`…${'x'.repeat(40)}new\``);
  });
});
