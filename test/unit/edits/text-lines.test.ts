import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toTextLines, withChanges } from '../../../src/edits/match/text-lines.ts';

const end = fc.constantFrom('\n', '\r\n');
const file = fc
  .record({
    bom: fc.constantFrom('', '\uFEFF'),
    rows: fc.array(fc.tuple(fc.constantFrom('', 'a', 'b\rc', ' d'), end), { maxLength: 8 }),
    tail: fc.constantFrom('', '', 'last'),
  })
  .map(({ bom, rows, tail }) => ({ bom, rows, tail, text: bom + rows.flat().join('') + tail }));

describe('toTextLines and withChanges', () => {
  it('give the text back byte for byte, and know the end that most lines have', () => {
    fc.assert(
      fc.property(file, ({ rows, tail, text }) => {
        const lines = toTextLines(text);
        assert.deepEqual(lines.lines, [...rows.map(([line]) => line), ...(tail === '' ? [] : [tail])]);
        assert.equal(withChanges(lines, []), text);
        const crlf = rows.filter(([, one]) => one === '\r\n').length;
        assert.equal(lines.commonEnd, crlf > rows.length - crlf ? '\r\n' : '\n');
      }),
    );
  });

  it('leave the ends of lines that stay, and give a line that comes that of the line it came instead of', () => {
    fc.assert(
      fc.property(
        file,
        fc.nat(7),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(3),
        ({ bom, rows, tail, text }, from, gone, more) => {
          fc.pre(rows.length > 0);
          const start = from % rows.length;
          const count = Math.min(gone, rows.length - start);
          const fresh = Array.from({ length: count + more }, (_, at) => `new ${at}`);
          const result = withChanges(toTextLines(text), [{ start, end: start + count, lines: fresh }]);
          const replaced = fresh.map((line, at) => line + (rows[Math.min(start + at, start + count - 1)]?.[1] ?? ''));
          const wanted = [
            ...rows.slice(0, start).map((row) => row.join('')),
            ...replaced,
            ...rows.slice(start + count).map((row) => row.join('')),
          ];
          assert.equal(result, bom + wanted.join('') + tail);
        },
      ),
    );
  });

  it('give a line that comes between others their end, or where they differ the most common one', () => {
    fc.assert(
      fc.property(file, fc.nat(8), ({ bom, rows, tail, text }, from) => {
        fc.pre(rows.length > 0 && tail === '');
        const at = from % (rows.length + 1);
        const lines = toTextLines(text);
        const result = withChanges(lines, [{ start: at, end: at, lines: ['new'] }]);
        const [above, below] = [rows[at - 1]?.[1], rows[at]?.[1]];
        const own = below === undefined ? above : above === below ? above : lines.commonEnd;
        const wanted = rows.map((row) => row.join(''));
        assert.equal(result, bom + wanted.toSpliced(at, 0, `new${own}`).join(''));
      }),
    );
  });

  it('leave the last line without an end where it has none, and take all lines away', () => {
    const last = toTextLines('a\r\nb');
    assert.equal(withChanges(last, [{ start: 1, end: 2, lines: ['c', 'd'] }]), 'a\r\nc\r\nd');
    assert.equal(withChanges(last, [{ start: 2, end: 2, lines: ['c'] }]), 'a\r\nb\r\nc');
    assert.equal(withChanges(last, [{ start: 0, end: 2, lines: [] }]), '');
    assert.equal(withChanges(toTextLines(''), [{ start: 0, end: 0, lines: ['a'] }]), 'a\n');
  });
});
