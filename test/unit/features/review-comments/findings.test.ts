import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  changedLines,
  firstPart,
  materialText,
  newLines,
} from '../../../../src/features/review-comments/core/changed-lines.ts';
import {
  hashOf,
  type LocateDeps,
  locateFinding,
  type Reported,
  worst,
} from '../../../../src/features/review-comments/core/findings.ts';

const text = [
  'import { x } from "x";',
  '',
  'export function f(a: number) {',
  '  if (a = 1) {',
  '    return x;',
  '  }',
  '}',
];
const old = Array.from({ length: 20 }, (_, at) => `old ${at}`);
const diff = [
  'diff --git a/a.ts b/a.ts',
  '--- a/a.ts',
  '+++ b/a.ts',
  '@@ -3,4 +3,5 @@ export',
  ' export function f(a: number) {',
  '-  if (a === 1) {',
  '+  if (a = 1) {',
  '+    return x;',
  '   }',
  ' }',
  '\\ No newline at end of file',
  '',
].join('\n');
const hunks = changedLines('a.ts', diff);
const deps: LocateDeps = {
  files: new Map([['a.ts', { uri: 'file:///a.ts', lines: [...text, ...old] }]]),
  hunks,
  known: [],
  isDismissed: () => false,
};
const fault: Reported = {
  path: 'a.ts',
  quote: '  if (a = 1) {',
  line: 4,
  severity: 'error',
  title: 'Assigns',
  why: 'It is always true.',
};
const problemOf = (reported: Partial<Reported>, more: Partial<LocateDeps> = {}) => {
  const place = locateFinding({ ...deps, ...more }, { ...fault, ...reported });
  return 'problem' in place ? place.problem : 'placed';
};

describe('findings of a review', () => {
  it('F33 a diff is sent with the numbers of its new lines, and what changed is known again wherever it stands', () => {
    const [hunk] = hunks;
    assert.deepEqual([hunk?.first, hunk?.count], [2, 5]);
    assert.equal(
      hunk?.text,
      '    3  export function f(a: number) {\n      -  if (a === 1) {\n    4 +  if (a = 1) {\n    5 +    return x;\n    6    }\n    7  }',
    );
    const lower = changedLines('a.ts', diff.replace('@@ -3,4 +3,5 @@', '@@ -30,4 +40,5 @@'));
    assert.equal(lower[0]?.hash, hunk.hash);
    assert.notEqual(changedLines('b.ts', diff)[0]?.hash, hunk.hash);
    assert.notEqual(changedLines('a.ts', diff.replace('return x', 'return y'))[0]?.hash, hunk.hash);
    assert.deepEqual(
      changedLines('a.ts', '@@ -5,2 +4,0 @@\n-gone\n-gone too\n').map(({ first, count }) => [first, count]),
      [[4, 0]],
    );
  });

  it('F33 one review takes 16,000 characters, the rest is for the next, and a file beyond them is cut and says so', () => {
    const large = (path: string, lines: number) => newLines(path, `${'x'.repeat(40)}\n`.repeat(lines));
    const all = [large('a.ts', 150), large('b.ts', 150), large('c.ts', 150)];
    assert.deepEqual(
      firstPart(all).map(({ path }) => path),
      ['a.ts', 'b.ts'],
    );
    assert.deepEqual(firstPart(all.slice(2)), all.slice(2));
    const [only] = firstPart([large('d.ts', 2000)]);
    assert.ok(only);
    const sent = materialText([only]);
    assert.ok(sent.length < 16_100 && sent.endsWith('[cut here]'));
  });

  it('F33 a finding is placed by what it quotes: a line number only chooses between equal lines', () => {
    const anchorOf = (reported: Partial<Reported>, lines = [...text, ...old]) => {
      const files = new Map([['a.ts', { uri: 'file:///a.ts', lines }]]);
      const place = locateFinding({ ...deps, files }, { ...fault, ...reported });
      return 'anchor' in place ? [place.anchor.first, place.anchor.count] : place.problem;
    };
    assert.deepEqual(anchorOf({ line: 900 }), [3, 1]);
    assert.deepEqual(anchorOf({ quote: '    4 +  if (a = 1) {\n    5 +    return x;' }), [3, 2]);
    assert.deepEqual(anchorOf({ quote: '+  if (a = 1) {' }), [3, 1]);
    assert.deepEqual(anchorOf({ quote: 'if (a = 1) {\nreturn x;\n' }), [3, 2]);
    const twice = [...text.slice(0, 4), '  if (a = 1) {', ...text.slice(4)];
    assert.deepEqual(anchorOf({ line: 5 }, twice), [4, 1]);
    assert.deepEqual(anchorOf({ line: 4 }, twice), [3, 1]);
  });

  it('F33 refuses a foreign path, a lying quote, lines that did not change, what is known, and what was dismissed', () => {
    assert.match(
      problemOf({ path: '../secret.ts' }),
      /^Not reported: \.\.\/secret\.ts is not under review\. Under review: a\.ts\.$/,
    );
    assert.match(problemOf({ quote: 'if (b = 2) {' }), /the quote is not in a\.ts[\s\S]*\n4 {3}if \(a = 1\) \{/);
    assert.match(problemOf({ quote: ' \n' }), /the quote is not in/);
    assert.match(problemOf({ quote: 'old 15', line: 23 }), /these lines did not change/);
    assert.equal(problemOf({ quote: 'import { x } from "x";', line: 1 }), 'placed');
    const place = locateFinding(deps, fault);
    assert.ok('anchor' in place);
    const known = [{ uri: 'file:///a.ts', anchor: place.anchor }];
    assert.match(problemOf({}, { known }), /there is a finding at these lines already/);
    const hash = hashOf('file:///a.ts', place.anchor);
    assert.match(problemOf({}, { isDismissed: (one) => one === hash }), /the user has dismissed this/);
  });

  it('F33 a replacement gets the indentation that its quote had lost', () => {
    const replacementOf = (reported: Partial<Reported>) => {
      const place = locateFinding(deps, { ...fault, ...reported });
      return 'anchor' in place ? place.replacement : undefined;
    };
    assert.deepEqual(replacementOf({ replacement: '  if (a === 1) {\n' }), ['  if (a === 1) {']);
    assert.deepEqual(replacementOf({ quote: 'if (a = 1) {', replacement: 'if (a === 1) {' }), ['  if (a === 1) {']);
    assert.deepEqual(replacementOf({ replacement: '' }), []);
    assert.equal(replacementOf({}), undefined);
  });

  it('F33 of 40 findings the ten worst are shown, and none that is milder than wanted', () => {
    const all = Array.from({ length: 40 }, (_, at) => ({
      at,
      severity: (['note', 'warning', 'error'] as const)[at % 3] ?? 'note',
    }));
    const { shown, left } = worst(all, 'note');
    assert.deepEqual([shown.length, left], [10, 30]);
    assert.ok(shown.every(({ severity }) => severity === 'error'));
    const few = worst(all.slice(0, 5), 'warning');
    assert.deepEqual([few.shown.map(({ at }) => at), few.left], [[2, 1, 4], 2]);
  });
});
