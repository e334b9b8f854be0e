import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findPasted, isPastedSelection } from '../../../src/conversation/composing/find-pasted.ts';

const file = 'one\ntwo\nthree\nfour\nfive\n';

describe('where a pasted text is from', () => {
  it('F7 is what is selected, when that is code and not a word', () => {
    assert.equal(isPastedSelection('two\nthree', 'two\r\nthree'), true);
    assert.equal(isPastedSelection('two\nthree', 'two\nfour'), false);
    assert.equal(isPastedSelection('two', 'two'), false);
    assert.equal(isPastedSelection('two\n', 'two\n'), false);
    assert.equal(isPastedSelection('  \n ', '  \n '), false);
    assert.equal(isPastedSelection('x'.repeat(40), 'x'.repeat(40)), true);
  });

  it('F7 is the one place of three lines or more', () => {
    assert.deepEqual(findPasted('two\r\nthree\r\nfour', file), { startLine: 1, endLine: 3 });
    assert.deepEqual(findPasted('two\nthree\nfour\n', file), { startLine: 1, endLine: 3 });
    assert.equal(findPasted('two\nthree', file), undefined);
    assert.equal(findPasted('two\nthree\nfour', file + file), undefined);
    assert.equal(findPasted('six\nseven\neight', file), undefined);
  });

  it('F7 the lines that hold a pasted text are named', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ') });
    fc.assert(
      fc.property(fc.array(line, { minLength: 3 }), fc.nat(), fc.nat(), (lines, from, count) => {
        const start = from % lines.length;
        const pasted = lines.slice(start, start + 3 + (count % 5)).join('\n');
        const found = findPasted(pasted, lines.join('\n'));
        if (!found) return;
        const held = lines.slice(found.startLine, found.endLine + 1).join('\n');
        assert.ok(held.includes(pasted.replace(/\n$/, '')));
      }),
    );
  });
});
