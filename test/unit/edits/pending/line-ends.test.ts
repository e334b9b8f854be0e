import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { withLineEndsOf } from '../../../../src/edits/pending/line-ends.ts';

const end = fc.constantFrom('\n', '\r\n', '\r');
/** Of lines that are alike nobody can tell which one was taken out. */
const rows = fc.uniqueArray(fc.tuple(fc.nat({ max: 1e9 }).map(String), end), {
  minLength: 1,
  maxLength: 20,
  selector: ([line]) => line,
});
const toText = (all: readonly (readonly [string, string])[]) =>
  all.map(([line, lineEnd], at) => (at === all.length - 1 ? line : line + lineEnd)).join('');
const plain = (text: string) => text.replaceAll(/\r\n?/g, '\n');

describe('edits/pending/line-ends', () => {
  it('E12 gives a text its own line ends back', () => {
    fc.assert(fc.property(rows, (all) => assert.equal(withLineEndsOf(plain(toText(all)), [toText(all)]), toText(all))));
  });

  it('E12 lines that were taken out of one text have the ends that they have in the other', () => {
    fc.assert(
      fc.property(rows, fc.nat(), fc.nat(), (all, from, count) => {
        const start = from % all.length;
        const left = all.toSpliced(start, 1 + (count % (all.length - start)));
        const whole = toText(all);
        // The last line of the shorter text has no end of its own.
        const sources = left.length === 0 ? [whole] : [toText(left), whole];
        assert.equal(withLineEndsOf(plain(whole), sources), whole);
      }),
    );
  });

  it('E12 new lines end like the one above them', () => {
    assert.equal(withLineEndsOf('a\nnew\nb\nc', ['a\r\nb\nc']), 'a\r\nnew\r\nb\nc');
  });
});
