import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mergeLines } from '../../../src/inline/merge-lines.ts';

describe('inline/merge-lines', () => {
  it('F23 merges both sides or neither', () => {
    const merged = mergeLines(['a\n', 'b\n', 'c\n'], ['A\n', 'b\n', 'c\n'], ['a\n', 'b\n', 'C\n']);
    assert.deepEqual(merged, ['A\n', 'b\n', 'C\n']);
    assert.equal(mergeLines(['a\n'], ['b\n'], ['c\n']), undefined);
    assert.deepEqual(mergeLines(['a\n'], ['b\n'], ['b\n']), ['b\n']);
  });
});
