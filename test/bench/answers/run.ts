import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCorpus, readRepository } from '../edits/corpus.ts';
import type { AnswerCase } from './answer-case.ts';
import { generateAnswers, judge, type Verdict } from './generate.ts';
import { readPart } from './read-part.ts';

async function report(
  seed: number,
  repositories: readonly string[],
  perForm: number,
  show: string | undefined,
): Promise<string> {
  const histories = await Promise.all(repositories.map(readRepository));
  const corpus = repositories.length === 0 ? await readCorpus() : histories.flat();
  const cases = generateAnswers(seed, corpus, perForm);
  const rows = new Map<string, Record<Verdict, number>>();
  const total: Record<Verdict, number> = { right: 0, blanks: 0, wrong: 0, refused: 0 };
  const shown: string[] = [];
  for (const one of cases) {
    const got = readPart(one);
    const verdict = judge(one, got);
    const row = rows.get(one.kind) ?? { right: 0, blanks: 0, wrong: 0, refused: 0 };
    rows.set(one.kind, row);
    row[verdict]++;
    total[verdict]++;
    if (show !== undefined && `${one.kind}: ${verdict}`.includes(show)) shown.push(describe(one, got, verdict));
  }
  const line = (kind: string, { right, blanks, wrong, refused }: Record<Verdict, number>) =>
    `| ${kind} | ${right} | ${blanks} | ${wrong} | ${refused} |`;
  return [
    ...shown,
    `Seed ${seed}, ${cases.length} answers over ${corpus.length} changed files.`,
    '',
    '| form | right | only blanks wrong | wrong | refused |',
    '|---|---|---|---|---|',
    ...[...rows].map(([kind, row]) => line(kind, row)),
    line('all', total),
  ].join('\n');
}

function describe({ kind, edit, answer }: AnswerCase, got: readonly string[] | undefined, verdict: Verdict): string {
  const { lines, first, last, fresh, source } = edit;
  const around = lines.slice(Math.max(0, first - 3), last + 4).map((line, at) => {
    const number = Math.max(0, first - 3) + at;
    return `${number >= first && number <= last ? '>' : ' '} ${line}`;
  });
  const long = answer.length > 6000 ? `${answer.slice(0, 3000)}\n[…]\n${answer.slice(-3000)}` : answer;
  return [
    `##### ${kind}: ${verdict}, ${source}:${first + 1}`,
    ...around,
    '--- answer',
    long,
    '--- meant',
    ...fresh,
    '--- got',
    ...(got ?? ['refused']),
    '',
  ].join('\n');
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      repository: { type: 'string', multiple: true },
      each: { type: 'string', default: '100' },
      show: { type: 'string' },
    },
  });
  console.log(await report(Number(values.seed), values.repository ?? [], Number(values.each), values.show));
}
