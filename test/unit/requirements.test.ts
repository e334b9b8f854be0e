import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { mutants } from '../mutants/mutants.ts';
import { codesInTitles } from '../support/title-codes.ts';

const tests = join(import.meta.dirname, '..');
const document = readFileSync(join(tests, '../docs/requirements.md'), 'utf8');
const explained = [...document.matchAll(/^\| ((?:ux )?\S*\d\S*) \| \S.* \|$/gm)].map((row) => row[1] ?? '');

/** Rows that `npm run bench` measures, and those that have a table of their own. */
function benchIds(): string[] {
  const sources = readdirSync(join(tests, 'bench'), { encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(tests, 'bench', name), 'utf8'));
  return sources.flatMap((source) =>
    [...source.matchAll(/'(P\d+)'|\b(P\d+): '/g)].map(([, id, own]) => id ?? own ?? ''),
  );
}

describe('the codes in titles of tests', () => {
  it('codes in titles of tests are explained in docs/requirements.md, each once', () => {
    const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !/^(?:fixtures|bench)\b|sample-workspace|unit.requirements/.test(name),
    );
    const used = new Map<string, string>();
    for (const file of files) {
      for (const code of codesInTitles(readFileSync(join(tests, file), 'utf8'))) used.set(code, file);
    }
    for (const { breaks, file } of mutants) for (const code of breaks.split(' ')) used.set(code, file);
    assert.ok(used.size > 250, `${used.size} codes`);
    const missing = [...used].filter(([code]) => !explained.includes(code));
    assert.deepEqual(missing, [], 'codes without a line, with a file that uses them');
    assert.equal(new Set(explained).size, explained.length);
  });

  it('each line of docs/requirements.md is tested or measured, or marked as wanted and neither', () => {
    const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !/^(?:fixtures|bench)\b|sample-workspace|unit.requirements/.test(name),
    );
    const tested = files.flatMap((file) => codesInTitles(readFileSync(join(tests, file), 'utf8')));
    const held = new Set([...tested, ...benchIds()]);
    const wanted = explained.filter((code) => document.includes(`| ${code} | *Wanted:* `));
    assert.ok(wanted.length > 0);
    assert.deepEqual(
      explained.filter((code) => held.has(code) === wanted.includes(code)),
      [],
    );
  });

  it('are read off all kinds of titles', () => {
    const source = [
      "it('S8 T02 a 522 is tried again', async () => {});",
      'describe(`ux 2.2 S9: names it`, run);',
      "  [\n    'W23b an error', 1],",
      'it(`X01–X12 a file is asked about`, run);',
      "it('says nothing of S5', run);",
    ].join('\n');
    assert.deepEqual(codesInTitles(source), ['S8', 'T02', 'ux 2.2', 'S9', 'W23b', 'X01', 'X12']);
  });
});
