/**
 * Which tests hold each line of *Attacks* (docs/requirements.md), and the faults that they catch. Run as a program it
 * writes the table into docs/attacks.md and fails for a line without either.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codesInTitles } from '../support/title-codes.ts';
import { mutants } from './mutants.ts';

const root = path.resolve(import.meta.dirname, '../..');
const document = path.join(root, 'docs/attacks.md');
const begin = '<!-- attacks: npm run attacks -->\n';
const end = '<!-- /attacks -->';

export interface AttackRow {
  code: string;
  /** Below `test`, without the ending. */
  tests: readonly string[];
  /** The faults; empty: nothing shows that the tests would notice. */
  seen: readonly string[];
}

/** One for each line of the document, in its order. */
export function attackRows(): AttackRow[] {
  const codes = [...readFileSync(path.join(root, 'docs/requirements.md'), 'utf8').matchAll(/^\| (X\d\d) \|/gm)];
  const tests = testsByCode();
  return codes.map(([, code = '']) => ({
    code,
    tests: tests.get(code) ?? [],
    seen: mutants.filter(({ breaks }) => breaks.split(' ').includes(code)).map(({ fault }) => fault),
  }));
}

function testsByCode(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const folder = path.join(root, 'test');
  const files = ['unit', 'host', 'panel', 'e2e'].flatMap((part) =>
    readdirSync(path.join(folder, part), { recursive: true, encoding: 'utf8' }).map((name) => `${part}/${name}`),
  );
  for (const file of files.filter((name) => /\.tsx?$/.test(name) && !/unit.requirements/.test(name)).sort()) {
    const codes = new Set(codesInTitles(readFileSync(path.join(folder, file), 'utf8')));
    const name = file.replaceAll('\\', '/').replace(/(?:\.test)?\.tsx?$/, '');
    for (const code of codes) found.set(code, [...(found.get(code) ?? []), name]);
  }
  return found;
}

/** docs/attacks.md with the table as it should be. */
export function withTable(text: string): string {
  const [before = '', rest = ''] = text.split(begin);
  const after = rest.slice(rest.indexOf(end));
  const rows = attackRows().map(({ code, tests, seen }) => {
    return `| ${code} | ${tests.map((file) => `\`${file}\``).join(', ')} | ${seen.join('; ')} |`;
  });
  return `${before}${begin}| line | tests, below \`test/\` | faults that they catch |\n|---|---|---|\n${rows.join('\n')}\n${after}`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(document, withTable(readFileSync(document, 'utf8')));
  for (const { code, tests, seen } of attackRows()) {
    if (tests.length > 0 && seen.length > 0) continue;
    console.error(`${code}: ${tests.length === 0 ? 'no test' : 'no fault that its tests catch'}`);
    process.exitCode = 1;
  }
}
