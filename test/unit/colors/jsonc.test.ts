import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJsonc } from '../../../src/colors/theme-rules.ts';

describe('JSON with comments', () => {
  it('reads comments, trailing commas and a byte order mark, and leaves strings alone', () => {
    const text = '\ufeff{ // one\n "a": "x // y, ]", /* two\n */ "b": [1, 2,\n],\n "c": "\\"/*",}';
    assert.deepEqual(parseJsonc(text), { a: 'x // y, ]', b: [1, 2], c: '"/*' });
  });

  it('reads every JSON text as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepEqual(parseJsonc(text), JSON.parse(text));
      }),
    );
  });

  it('text that is neither JSON nor JSON with comments is refused', () => {
    assert.throws(() => parseJsonc('{ "a": }'), SyntaxError);
  });
});
