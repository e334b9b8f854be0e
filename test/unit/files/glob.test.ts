import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createGlob } from '../../../src/files/glob.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const table: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
  ['*.ts', ['a.ts', '.ts', 'A.TS'], ['src/a.ts', 'a.tsx']],
  ['**/*.ts', ['a.ts', 'src/a.ts', 'a/b/c.ts'], ['a.js']],
  ['src/**', ['src', 'src/a', 'src/a/b'], ['a', 'srcs/a']],
  ['src/**/test/*.ts', ['src/test/a.ts', 'src/a/b/test/c.ts'], ['src/test/a/b.ts', 'test/a.ts']],
  ['**/a/**/b', ['a/b', 'x/a/y/z/b', 'a/a/b/b'], ['b/a', 'a/x']],
  ['?.ts', ['a.ts', 'é.ts', '😀.ts'], ['ab.ts', '.ts']],
  ['a*c*e', ['ace', 'abcde', 'a1c2c3e'], ['aec', 'acef']],
  ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.js', 'a.{ts,tsx}']],
  ['{src,test}/{a,b}.ts', ['src/a.ts', 'test/b.ts'], ['src/c.ts']],
  ['{a,{b,c}}.ts', ['a.ts', 'b.ts', 'c.ts'], ['d.ts']],
  ['[a-c].ts', ['a.ts', 'c.ts', '[a-c].ts'], ['d.ts']],
  ['[!a].ts', ['b.ts'], ['a.ts']],
  ['app/[id]/page.tsx', ['app/[id]/page.tsx', 'app/i/page.tsx'], ['app/x/page.tsx']],
  ['a.b', ['a.b'], ['axb']],
  ['(a|b)+', ['(a|b)+'], ['a']],
  ['{a}', ['{a}'], ['a']],
];

describe('files/glob', () => {
  for (const [pattern, yes, no] of table) {
    it(`F13 ${pattern} matches what it says`, () => {
      const matches = createGlob(pattern);
      for (const path of yes) assert.equal(matches?.(path), true, path);
      for (const path of no) assert.equal(matches?.(path), false, path);
    });
  }

  it('P13 F13 whatever of a path becomes a wildcard, the path still matches', () => {
    const name = fc.array(
      fc.record({
        char: fc.constantFrom('a', 'b', 'B', '.', '-', 'é', 'İ', '😀', ']', '('),
        as: fc.constantFrom('itself', 'itself', '?', '*', '[]', '{}'),
      }),
      { minLength: 1, maxLength: 6 },
    );
    const written = {
      '?': () => '?',
      '*': () => '*',
      '[]': (char: string) => `[x${char}]`,
      '{}': (char: string) => `{y,${char}}`,
    };
    const part = fc.record({ name, deep: fc.nat(9).map((n) => n === 0) });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const path = parts.map((each) => each.name.map(({ char }) => char).join('')).join('/');
        // A set has one sign, and lower case of this one has two.
        const patternOf = (char: string, as: string) =>
          as === 'itself' || (char === 'İ' && as !== '*') || (char === ']' && as === '[]')
            ? char
            : (written[as as keyof typeof written]?.(char) ?? char);
        const pattern = parts
          .map((each) => (each.deep ? '**' : each.name.map(({ char, as }) => patternOf(char, as)).join('')))
          .join('/');
        const matches = createGlob(pattern);
        assert.ok(matches === undefined || path.split('/').includes('.') || matches(path), `${pattern} for ${path}`);
      }),
      { numRuns: 1000 },
    );
  });

  it('X33 a hostile pattern takes no time', async () => {
    const slow = createGlob(`${'*a'.repeat(100)}b`);
    const deep = createGlob(`${'**/a/'.repeat(50)}b`);
    const spent = await cpuMs(() => {
      assert.equal(slow?.('a'.repeat(5000)), false);
      assert.equal(deep?.('a/'.repeat(2000)), false);
    });
    assert.ok(spent < 5000, `${spent} ms`);
  });

  it('X33 refuses patterns that grow without bound', () => {
    assert.equal(createGlob('{a,b}'.repeat(12)), undefined);
    assert.equal(createGlob('a'.repeat(10_000)), undefined);
  });

  it('never throws, and a path without wildcards matches itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), (pattern, path) => {
        assert.ok([true, false, undefined].includes(createGlob(pattern)?.(path)));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '.', '-'), minLength: 1 }), (name) => {
        assert.equal(createGlob(`x/${name}y`)?.(`x/${name}y`), true);
      }),
    );
  });
});
