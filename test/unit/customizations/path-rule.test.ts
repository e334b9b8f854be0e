import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import picomatch from 'picomatch';
import { createPathRule } from '../../../src/customizations/path-rule.ts';
import { matchesInThread } from '../../../src/files/search/regex-worker.ts';
import { regexThread } from '../tools/workspace.ts';

const matches = (glob: string, file: string) => picomatch(glob, { dot: true, nocase: true, bash: false })(file);

const style = { anywhere: false, starIsAll: false };
const words = ['a', 'b', 'src', 'test', 'app', 'x.ts', 'a.test.ts', 'b.tsx', '.github', 'README.md'];

/** Patterns as the documentation of the tools writes them. */
const part = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.constantFrom('*.ts', '*.tsx', 'a*', '*.test.*', '?.ts', '*b*', 'x.??') },
  { weight: 2, arbitrary: fc.constantFrom('*.{ts,tsx}', '{a,b}', '{src,test}', 'x.{ts,js,md}', 'a.{test,spec}.ts') },
  { weight: 1, arbitrary: fc.constantFrom('[ab]', '[a-s]rc', '[^a]', '*.[tj]s') },
);
const segment = fc.oneof({ weight: 3, arbitrary: part }, { weight: 1, arbitrary: fc.constant('**') });
const pattern = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
const path = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));

describe('globs of rules', () => {
  it('F34 match what picomatch matches, for 5,000 random pairs', () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern, path, (glob, file) => {
        // Whether the folder itself is meant, picomatch says of words and not of stars; a rule is about files.
        fc.pre(!(glob.endsWith('/**') && matches(glob.replace(/(?:\/\*\*)+$/, ''), file)));
        const rule = createPathRule(glob, style);
        // More than 64 ways to read its braces.
        fc.pre(rule !== undefined);
        const is = rule === 'all' || rule(file);
        const expected = matches(glob, file);
        matched += Number(expected);
        assert.equal(is, expected, `${glob} ${file}`);
      }),
      { numRuns: 5000 },
    );
    assert.ok(matched > 100, `only ${matched} pairs matched at all`);
  });

  it('F34 lists are split outside of braces, and a pattern from the top may begin with a slash or a dot', () => {
    const rule = createPathRule('/src/**/*.{ts,js}, ./docs/, !**/*.d.ts', style);
    assert.ok(rule !== undefined && rule !== 'all');
    for (const file of ['src/a.ts', 'src/x/b.js', 'docs/a/b.md']) assert.ok(rule(file), file);
    for (const file of ['a.ts', 'src/a.d.ts', 'x/docs/a']) assert.ok(!rule(file), file);
  });

  it('F34 a lone star is all files to Copilot, and those at the top to others', () => {
    assert.equal(createPathRule('*', { anywhere: false, starIsAll: true }), 'all');
    assert.notEqual(createPathRule('*', style), 'all');
    for (const glob of ['**', '**/*', '*.ts, **']) assert.equal(createPathRule(glob, style), 'all');
  });

  it('X41 X59 an expression of a mode that takes long allows nothing, nor does one that is none', async () => {
    for (const source of ['(a+)+$', '(']) {
      assert.equal(await matchesInThread(regexThread, source, `${'a'.repeat(60)}!`, 300), false, source);
    }
    const files = ['a.test.ts', 'x/__tests__/a', 'a.ts'];
    const tests = files.map((file) =>
      matchesInThread(regexThread, '(__tests__/.*|\\.test\\.(ts|tsx)$|/test/.*)', file, 60_000),
    );
    assert.deepEqual(await Promise.all(tests), [true, true, false]);
  });
});
