import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createRanking,
  parseFileQuery,
  type RankedPath,
  rankedPath,
  rankPaths,
} from '../../../src/files/rank-paths.ts';

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

  it('F7 finds letters with and without their accents, however the disk writes them (anthropics/claude-code#33341)', () => {
    const composed = 'docs/Spécifications.txt'.normalize('NFC');
    for (const path of [composed, composed.normalize('NFD')])
      for (const typed of ['spé', 'spé'.normalize('NFD'), 'spe', 'SPÉC']) assert.deepEqual(rank(typed, [path]), [path]);
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

  /** The whole list anew, sorted whole: what a ranking of key after key must give too. */
  const whole = (paths: readonly RankedPath[], typed: string, limit: number) =>
    paths
      .filter((path) => rankPaths([path], typed, 1).length > 0)
      .toSorted((a, b) => (rankPaths([a, b], typed, 1)[0] === a ? -1 : 1))
      .slice(0, limit)
      .map(({ path }) => path);

  it('P20 F7 finds key after key what a whole search finds, also while files are still being listed', () => {
    const letters = fc.constantFrom('a', 'b', 'A', '/', '\\', '.', 'İ', 'Σ', '😀', '\ud83d');
    const name = fc.string({ unit: letters, minLength: 1, maxLength: 8 });
    const step = fc.oneof(
      fc.record({ type: name }),
      fc.record({ back: fc.nat(3) }),
      fc.record({ found: fc.array(name, { maxLength: 6 }) }),
      fc.record({ again: fc.array(name, { maxLength: 6 }) }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.array(step, { maxLength: 12 }), fc.nat(4), (first, steps, limit) => {
        const ranking = createRanking<RankedPath>({ limit });
        let paths = first.map(rankedPath);
        let typed = '';
        const seen = new Set(first);
        const fresh = (names: readonly string[]) =>
          names.filter((one) => !seen.has(one) && seen.add(one)).map(rankedPath);
        for (const one of steps) {
          if ('type' in one) typed += one.type;
          if ('back' in one) typed = typed.slice(0, Math.max(0, typed.length - one.back));
          if ('found' in one) paths.push(...fresh(one.found));
          if ('again' in one) {
            seen.clear();
            paths = fresh(one.again);
          }
          assert.deepEqual(
            ranking(paths, typed).map(({ path }) => path),
            whole(paths, typed, limit),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('P20 F7 looks at fewer paths with every letter, and never sorts more than are shown', () => {
    let looked = 0;
    const paths = Array.from({ length: 80_000 }, (_, at): RankedPath => {
      const path = `src/part${at % 400}/${at.toString(36)}-cart.ts`;
      const ranked = rankedPath(path);
      return {
        ...ranked,
        get lower() {
          looked += 1;
          return ranked.lower;
        },
      };
    });
    const ranking = createRanking<RankedPath>({ limit: 30 });
    const costs = [...'z9x-cart'].map((_, at, all) => {
      looked = 0;
      ranking(paths, all.slice(0, at + 1).join(''));
      return looked;
    });
    // A path is looked at once for its score; only ties of the best 30 are compared by their letters.
    assert.ok((costs[0] ?? 0) < 2.2 * paths.length, `first letter: ${costs}`);
    for (const [at, cost] of costs.entries()) assert.ok(at === 0 || cost <= (costs[at - 1] ?? 0), `${costs}`);
    assert.ok((costs.at(-1) ?? 0) < paths.length / 100, `${costs}`);
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
