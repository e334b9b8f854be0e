import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseFileQuery, rankedPath, rankPaths } from '../../../src/tools/files/rank-paths.ts';

const rank = (query: string, paths: string[], limit = 10) =>
  rankPaths(paths.map(rankedPath), query, limit).map(({ path }) => path);

describe('ranking of paths', () => {
  it('F7 puts the name before a part of it, before the path, before letters in their order', () => {
    const paths = ['docs/cart/notes.md', 'src/chart.ts', 'src/shopping-cart.ts', 'src/cart.ts', 'src/cartoon.ts'];
    assert.deepEqual(rank('cart', paths), [
      'src/cart.ts',
      'src/cartoon.ts',
      'src/shopping-cart.ts',
      'docs/cart/notes.md',
      'src/chart.ts',
    ]);
  });

  it('F7 takes either slash, ignores case and leaves out what does not fit', () => {
    assert.deepEqual(rank('SRC\\ca', ['src/cart.ts', 'lib/a.ts']), ['src/cart.ts']);
    assert.deepEqual(rank('zz', ['src/cart.ts']), []);
  });

  it('F7 gives the shortest paths for nothing typed, no more than asked for', () => {
    assert.deepEqual(rank('', ['aaa', 'a', 'aa'], 2), ['a', 'aa']);
  });

  it('F7 finds every path by any of its letters in their order', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8}){0,3}$/), fc.array(fc.boolean()), (path, chosen) => {
        const query = [...path].filter((letter, index) => letter !== '/' && chosen[index]).join('');
        assert.deepEqual(rank(query, [path]), [path]);
      }),
    );
  });

  it('F7 takes every name and everything that is typed, and gives paths that there are, each once', () => {
    const units = [
      'a',
      '/',
      '\\',
      '.',
      ':',
      '-',
      '1',
      '\0',
      '\n',
      '\ufeff',
      '\ud800',
      '\udc00',
      '\u202e',
      'İ',
      'ß',
      '😀',
      '(',
      '[',
    ];
    const odd = fc.string({ unit: fc.constantFrom(...units) });
    fc.assert(
      fc.property(fc.uniqueArray(odd), odd, fc.nat(5), (paths, typed, limit) => {
        const found = rank(typed, paths, limit);
        assert.ok(found.length <= limit && new Set(found).size === found.length);
        for (const path of found) assert.ok(paths.includes(path));
        const { startLine, endLine } = parseFileQuery(typed);
        assert.ok(startLine === undefined || (startLine >= 1 && (endLine ?? startLine) >= startLine));
      }),
    );
  });

  it('F7 reads a range behind the path', () => {
    assert.deepEqual(parseFileQuery('a.ts'), { path: 'a.ts' });
    assert.deepEqual(parseFileQuery('a.ts:'), { path: 'a.ts' });
    assert.deepEqual(parseFileQuery('a.ts:10'), { path: 'a.ts', startLine: 10, endLine: 10 });
    assert.deepEqual(parseFileQuery('a.ts:10-'), { path: 'a.ts', startLine: 10, endLine: 10 });
    assert.deepEqual(parseFileQuery('a.ts:24-10'), { path: 'a.ts', startLine: 10, endLine: 24 });
    assert.deepEqual(parseFileQuery('a.ts:0-4'), { path: 'a.ts' });
  });
});
