import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mergeLines } from '../../../../src/features/inline/core/merge-lines.ts';

describe('features/inline/merge-lines', () => {
  it('F23 a three-way merge takes both sides or neither', () => {
    const merged = mergeLines(['a\n', 'b\n', 'c\n'], ['A\n', 'b\n', 'c\n'], ['a\n', 'b\n', 'C\n']);
    assert.deepEqual(merged, ['A\n', 'b\n', 'C\n']);
    assert.equal(mergeLines(['a\n'], ['b\n'], ['c\n']), undefined);
    assert.deepEqual(mergeLines(['a\n'], ['b\n'], ['b\n']), ['b\n']);
  });

  it('F23 puts each change where it was made when another one gave or took lines above it', () => {
    const ancestor = ['a', 'b', 'c', 'd', 'e'];
    const longer = ['A', 'A', 'A', 'b', 'c', 'd', 'e'];
    const shorter = ['a', 'b', 'c', 'D'];
    assert.deepEqual(mergeLines(ancestor, longer, shorter), ['A', 'A', 'A', 'b', 'c', 'D']);
    assert.deepEqual(mergeLines(ancestor, shorter, longer), ['A', 'A', 'A', 'b', 'c', 'D']);
  });

  it('F23 sees that lines which one side takes out are where the other one puts some in', () => {
    const ancestor = ['a', 'b', 'c', 'd'];
    const into = (at: number) => ancestor.toSpliced(at, 0, 'new');
    const without = ['a', 'd'];
    for (const [at, merged] of [['new', 'a', 'd'], undefined, undefined, undefined, ['a', 'd', 'new']].entries()) {
      assert.deepEqual(mergeLines(ancestor, without, into(at)), merged, `at ${at}`);
      assert.deepEqual(mergeLines(ancestor, into(at), without), merged, `at ${at}`);
    }
  });

  it('F23 takes neighbouring changes of lines for two, and the same change of both sides for one', () => {
    assert.deepEqual(mergeLines(['a', 'b'], ['A', 'b'], ['a', 'B']), ['A', 'B']);
    assert.deepEqual(mergeLines(['a', 'b', 'c'], ['A', 'b', 'c'], ['A', 'b', 'C']), ['A', 'b', 'C']);
    assert.equal(mergeLines(['a', 'b'], ['A', 'b'], ['X', 'b']), undefined);
  });
});
