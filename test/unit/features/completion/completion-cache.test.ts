import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import {
  type CompletionCache,
  createCompletionCache,
  type Spot,
} from '../../../../src/features/completion/core/completion-cache.ts';

const uri = 'file:///a.ts';
const at = (line: number, character: number): Spot => ({ line, character });

describe('a completion that is held', () => {
  let held: CompletionCache;
  beforeEach(() => {
    held = createCompletionCache();
    held.hold({ uri, anchor: at(1, 4), texts: ['foo(bar);\nnext'] });
  });
  const type = (spot: Spot, text: string, end = spot) => held.changed(uri, [{ start: spot, end, text }]);
  const rest = (spot: Spot) => held.restAt(uri, spot).map(({ text }) => text);

  it('F40 gives the rest to whoever types along, over lines too, for nothing', () => {
    type(at(1, 4), 'f');
    assert.deepEqual(rest(at(1, 5)), ['oo(bar);\nnext']);
    type(at(1, 5), 'oo(bar);\n');
    assert.deepEqual(rest(at(2, 0)), ['next']);
    type(at(2, 0), 'ne');
    // What the caret's line has of it stands in the item, so that its range covers it.
    assert.deepEqual(held.restAt(uri, at(2, 2)), [{ text: 'xt', typed: 'ne', closed: 0 }]);
    type(at(2, 2), 'xt');
    assert.deepEqual(rest(at(2, 4)), []);
  });

  it('F40 is dropped by another letter, and does not come back when that is deleted', () => {
    type(at(1, 4), 'x');
    assert.deepEqual(rest(at(1, 5)), []);
    // Nor with the caret back before the letter.
    assert.deepEqual(rest(at(1, 4)), []);
    type(at(1, 4), '', at(1, 5));
    assert.deepEqual(rest(at(1, 4)), []);
  });

  for (const [what, change] of Object.entries({
    'an edit elsewhere': { start: at(0, 0), end: at(0, 0), text: 'f' },
    'a replacement at the caret': { start: at(1, 4), end: at(1, 6), text: 'fo' },
  })) {
    it(`F40 is dropped by ${what}`, () => {
      held.changed(uri, [change]);
      assert.deepEqual(rest(at(1, 4)), []);
    });
  }

  it('F40 is dropped by two edits at once, and kept over edits in another file', () => {
    const change = { start: at(1, 4), end: at(1, 4), text: 'f' };
    held.changed('file:///b.ts', [{ ...change, text: 'x' }]);
    assert.equal(rest(at(1, 4)).length, 1);
    held.changed(uri, [change, { ...change, start: at(4, 0), end: at(4, 0) }]);
    assert.deepEqual(rest(at(1, 5)), []);
  });

  it('F40 takes the bracket that the editor closed by itself for its own', () => {
    type(at(1, 4), 'foo');
    type(at(1, 7), '()');
    assert.deepEqual(held.restAt(uri, at(1, 8)), [{ text: 'bar);\nnext', typed: 'foo(', closed: 1 }]);
    type(at(1, 8), 'bar);\nnext', at(1, 9));
    assert.deepEqual(rest(at(2, 4)), []);
  });

  it('F40 gives nothing to another caret or file', () => {
    assert.deepEqual(rest(at(1, 3)), []);
    assert.deepEqual(held.restAt('file:///b.ts', at(1, 4)), []);
  });
});
