import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { applyEdits } from '../../../src/edits/match/apply-edits.ts';

const body = fc.constantFrom(
  'a();',
  'b = 1;',
  'if (c) {',
  '}',
  'return d;',
  '// why',
  '',
  'e: [1, 2],',
  'let f;',
  '"g"',
);
const line = fc
  .tuple(fc.constantFrom('', '  ', '    ', '\t'), body)
  .map(([indent, rest]) => (rest === '' ? '' : indent + rest));
const indented = fc
  .tuple(fc.constantFrom('', '  ', '    '), body)
  .map(([indent, rest]) => (rest === '' ? '' : indent + rest));
const lines = fc.array(line, { minLength: 1, maxLength: 25 });
const end = fc.constantFrom('\n', '\r\n');

/** A file whose every line is unlike the others, and a run of its lines. */
const uniqueFile = fc
  .record({
    lines: fc.array(indented, { minLength: 1, maxLength: 25 }),
    end,
    bom: fc.constantFrom('', '\uFEFF'),
    final: fc.boolean(),
    from: fc.nat(24),
    count: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ lines: drawn, end: eol, bom, final, from, count }) => {
    const own = drawn.map((text, at) => (text === '' ? `line ${at};` : `${text} // ${at}.`));
    const start = from % own.length;
    const run = own.slice(start, start + count);
    return { own, eol, bom, final, start, run };
  });

const fresh = fc.array(fc.constantFrom('new();', '  more();', '    deeper = 2;', 'done;'), {
  minLength: 1,
  maxLength: 4,
});

function toText({ bom, eol, final }: { bom: string; eol: string; final: boolean }, own: readonly string[]): string {
  return bom + own.join(eol) + (final ? eol : '');
}

describe('applyEdits, for any file', () => {
  it('E12 does with exact whole lines what a string replacement would, byte for byte', () => {
    fc.assert(
      fc.property(uniqueFile, fresh, (file, added) => {
        const { own, start, run } = file;
        // A single line without an end does not say what its end would be.
        fc.pre(own.length > 1 || file.final);
        const replacement = [...run, ...added];
        const result = applyEdits(toText(file, own), [{ search: run.join('\n'), replace: replacement.join('\n') }]);
        const wanted = [...own.slice(0, start), ...replacement, ...own.slice(start + run.length)];
        assert.ok(result.ok, result.ok ? '' : result.message);
        assert.equal(result.text, toText(file, wanted));
      }),
    );
  });

  it('E12 leaves every byte outside its hunks alone, whatever the block', () => {
    fc.assert(
      fc.property(lines, end, lines, lines, (own, eol, search, replace) => {
        const text = own.join(eol);
        const result = applyEdits(text, [{ search: search.join('\n'), replace: replace.join('\n') }]);
        if (!result.ok) return;
        const before = text.split('\n');
        const after = result.text.split('\n');
        let offset = 0;
        let next = 0;
        for (const { startLine, oldLines, newLines } of result.hunks) {
          for (; next < startLine - 1; next++) assert.equal(bare(after[next + offset]), bare(before[next]));
          next += oldLines;
          offset += newLines - oldLines;
        }
        for (; next < before.length; next++) assert.equal(bare(after[next + offset]), bare(before[next]));
      }),
    );
  });

  it('never gives a text with a refusal, and never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.string({ maxLength: 60 }),
        fc.string({ maxLength: 60 }),
        (text, search, replace) => {
          const result = applyEdits(text, [{ search, replace }]);
          assert.equal('text' in result, result.ok);
        },
      ),
    );
  });

  it('is the same for blocks in any order', () => {
    fc.assert(
      fc.property(uniqueFile, fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 1 }), (file, order) => {
        const { own } = file;
        const blocks = order
          .filter((at) => at < own.length)
          .map((at) => ({ search: own[at] ?? '', replace: `${own[at]} // seen` }));
        if (blocks.length === 0) return;
        const text = toText(file, own);
        assert.deepEqual(applyEdits(text, blocks), applyEdits(text, [...blocks].reverse()));
      }),
    );
  });

  it('E11 applies no block a second time to what it made', () => {
    fc.assert(
      fc.property(uniqueFile, fresh, (file, added) => {
        const { own, run } = file;
        const block = { search: run.join('\n'), replace: [...run, ...added].join('\n') };
        const once = applyEdits(toText(file, own), [block]);
        assert.ok(once.ok);
        assert.ok(!applyEdits(once.text, [block]).ok);
      }),
    );
  });
});

/** The end of the last line may move when lines come or go behind it. */
function bare(text: string | undefined): string | undefined {
  return text?.replace(/\r$/, '');
}
