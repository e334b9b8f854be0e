import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changedParts, partAt, withoutParts } from '../../../../src/features/next-places/core/changed-parts.ts';
import { touchedNames } from '../../../../src/features/next-places/core/touched-names.ts';
import type { OutlineEntry } from '../../../../src/tools/language/language.ts';
import { createRandom } from '../../../support/random.ts';

const entry = (name: string, line: number, endLine = line): OutlineEntry => ({
  name,
  kind: 'x',
  line,
  endLine,
  depth: 0,
});

interface Case {
  before: string;
  now: string;
  outline?: OutlineEntry[];
  gone?: string[];
  kept?: string[];
}

describe('the names that a change touches', () => {
  const cases: Record<string, Case> = {
    'a renamed function': {
      before: 'function parseText(text) {',
      now: 'function readText(text) {',
      outline: [entry('readText', 1, 3)],
      gone: ['parseText'],
    },
    'a signature with one more argument, by the word before it': {
      before: 'export function parse(text: string) {',
      now: 'export function parse(text: string, mode: Mode) {',
      kept: ['parse 1:17'],
    },
    'a signature that loses an argument: not its name, which stands in there alone': {
      before: 'def convert(source, target):',
      now: 'def convert(source):',
      kept: ['convert 1:5'],
    },
    'a method, which the outline knows': {
      before: '  save(place: Place): void;',
      now: '  save(place: Place, how: How): void;',
      outline: [entry('Store', 1, 9), entry('save(place, how)', 1)],
      kept: ['save 1:3'],
    },
    'a call that gets another argument': {
      before: 'const sum = total(items);',
      now: 'const sum = total(items, rate);',
      outline: [entry('sum', 1)],
      kept: ['total 1:13'],
    },
    'a call with another name in it': { before: 'print(oldRate)', now: 'print(newRate)', gone: ['oldRate'] },
    'a variable that is given another value': {
      before: 'const rate = oldRate + 1;',
      now: 'const rate = newRate + 1;',
      outline: [entry('rate', 1)],
      gone: ['oldRate'],
    },
    'a function in a variable': {
      before: 'const parse = async (text, mode) => text;',
      now: 'const parse = async (text) => text;',
      kept: ['parse 1:7'],
    },
    'a signature that now takes several lines': {
      before: 'function parse(text: string, old: Old) {\n  go();\n}',
      now: 'function parse(\n  text: string,\n) {\n  go();\n}',
      outline: [entry('parse', 1, 5)],
      kept: ['parse 1:10'],
    },
    'a call over several lines': {
      before: 'total(\n  items,\n  1,\n);',
      now: 'total(\n  items,\n  2,\n);',
      kept: ['total 1:1'],
    },
    'a property that may be absent': {
      before: 'interface A {\n  title: string;\n}',
      now: 'interface A {\n  title?: string;\n}',
      outline: [entry('A', 1, 3), entry('title', 2)],
      kept: ['title 2:3'],
    },
    'a member that came': {
      before: 'enum Color {\n  Red,\n}',
      now: 'enum Color {\n  Red,\n  Blue,\n}',
      outline: [entry('Color', 1, 4), entry('Red', 2), entry('Blue', 3)],
      kept: ['Color 1:6'],
    },
    'a property that is gone': { before: 'a {\n  width: 1,\n}', now: 'a {\n}', gone: ['width'] },
    'words of the language and short ones': { before: 'return a;', now: 'throw b;' },
  };
  for (const [what, { before, now, outline = [], gone = [], kept = [] }] of Object.entries(cases)) {
    it(`F41 are those of ${what}`, () => {
      const lines = now.split('\n');
      const names = touchedNames(changedParts(before.split('\n'), lines), lines, outline);
      const places = names.kept.map(({ name, line, column }) => `${name} ${line}:${column}`);
      assert.deepEqual({ gone: names.gone, kept: places }, { gone, kept });
    });
  }

  it('F41 blanks alone are no change, as programs that format make them', () => {
    assert.deepEqual(changedParts(['a( b )', 'c'], ['a(b)', '', 'c']), []);
  });

  it('F41 the change at the cursor is the one on its line, beside lines that are gone, or the only one', () => {
    const parts = changedParts(['a', 'b', 'c', 'd', 'e', 'f', 'g'], ['A', 'b', 'c', 'e', 'f', 'G']);
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((line) => partAt(parts, line)?.before[0]),
      ['a', undefined, 'd', 'd', undefined, 'g'],
    );
    assert.equal(partAt(parts.slice(0, 1), 5)?.before[0], 'a');
  });

  it('F41 a text without its changes is the one before, over 2,000 random ones', () => {
    const random = createRandom(41);
    for (let round = 0; round < 2000; round++) {
      const word = () => random.pick(['a', 'b', 'c', 'd', 'e']);
      const before = Array.from({ length: random.between(0, 12) }, word);
      const now = before.flatMap((line) => random.pick([[line], [line], [line], [], [word()], [line, word()]]));
      assert.deepEqual(withoutParts(now, changedParts(before, now)), before);
    }
  });
});
