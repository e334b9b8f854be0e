import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createIndentMap, withoutStrays } from '../../../src/edits/match/indentation.ts';

const unit = fc.constantFrom('\t', '  ', '    ', '        ');
const level = fc.nat(4);

describe('createIndentMap', () => {
  it('carries every level over, from any step to any other, when two levels are known', () => {
    fc.assert(
      fc.property(unit, unit, fc.uniqueArray(level, { minLength: 2 }), fc.nat(6), (block, file, known, asked) => {
        const levels = [0, 1, 2, 1, 2, 3, 4, 3, 0, 1];
        const map = createIndentMap({
          pairs: known.map((at) => [block.repeat(at), file.repeat(at)]),
          block: [...known, asked].map((at) => block.repeat(at)),
          file: levels.map((at) => file.repeat(at)),
        });
        assert.equal(map(block.repeat(asked)), file.repeat(asked));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the distance to what is known when the block is shifted', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('\t', '  ', '    '),
        fc.uniqueArray(fc.integer({ min: 3, max: 6 }), { minLength: 2 }),
        fc.constantFrom(-3, -2, -1, 1, 2, 3),
        fc.nat(8),
        (step, known, by, asked) => {
          const map = createIndentMap({
            pairs: known.map((at) => [step.repeat(at), step.repeat(at + by)]),
            block: [...known, asked].map((at) => step.repeat(at)),
            file: [0, 1, 2, 3, 2, 3, 4, 5].map((at) => step.repeat(at)),
          });
          assert.equal(map(step.repeat(asked)), step.repeat(Math.max(0, asked + by)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('leaves blanks that line something up behind tabs, and lines that are not shallower than the margin', () => {
    const tabs = createIndentMap({ pairs: [['\t', '\t\t']], block: ['\t', '\t   '], file: ['\t', '\t\t'] });
    assert.equal(tabs('\t   '), '\t\t   ');
    const left = createIndentMap({ pairs: [['    ', '']], block: ['', '    '], file: ['', '    ', ''] });
    assert.deepEqual([left(''), left('      ')], ['', '  ']);
  });
});

describe('withoutStrays', () => {
  it('drops single lines that are a blank or two off, unless all of them are, or tabs are among them', () => {
    const off = [
      ['  ', '  '],
      ['     ', '    '],
    ] as const;
    assert.deepEqual(withoutStrays(off), [off[0]]);
    const shifted = [
      ['  ', '    '],
      ['    ', '      '],
    ] as const;
    assert.equal(withoutStrays(shifted), shifted);
    const far = [
      ['', ''],
      ['  ', '        '],
    ] as const;
    assert.equal(withoutStrays(far), far);
    const tabbed = [
      ['\t', '\t'],
      ['\t ', '\t'],
    ] as const;
    assert.equal(withoutStrays(tabbed), tabbed);
    const twofold = [
      ['', ''],
      ['  ', '    '],
      [' ', '  '],
    ] as const;
    assert.equal(withoutStrays(twofold), twofold);
  });

  it('keeps lines that are deeper in the block alone, as long as none is less deep in the file', () => {
    const flat = [
      ['  ', '  '],
      ['    ', '    '],
      ['          ', '    '],
    ] as const;
    assert.equal(withoutStrays(flat), flat);
  });

  it('keeps only what is as the file has it where the rest contradicts it', () => {
    const mixed = [
      ['  ', '  '],
      ['    ', '        '],
      ['      ', '    '],
    ] as const;
    assert.deepEqual(withoutStrays(mixed), [mixed[0]]);
  });
});
