import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadContenders } from './contenders.ts';
import { readCorpus, readRepository } from './corpus.ts';
import { type Amounts, generate } from './generate.ts';
import { type Scores, type Summary, scoreOf, summaryOf } from './score.ts';

export interface EditBenchOptions {
  seed: number;
  /** Histories to draw from instead of the packages', each as `folder@before..after`. */
  repositories?: readonly string[];
  /** About 7,000 cases when not given. */
  amounts?: Amounts;
  progress?(text: string): void;
}

interface EditBenchResult {
  seed: number;
  cases: number;
  summaries: Summary[];
  scores: Scores[];
  /**
   * Milliseconds for blocks on a file of 200 kB, of sources or of one line over and over: the slowest of a few that are
   * found late or not at all.
   */
  largeFileMs: number;
}

const usualAmounts: Amounts = { perDamage: 80, pairs: 600, perRefusal: 80 };
const largeFileLength = 200_000;

/** P14: blocks as models damage them, on files of real packages, applied by us and by others. Needs the peers installed. */
async function run({
  seed,
  repositories = [],
  amounts = usualAmounts,
  progress,
}: EditBenchOptions): Promise<EditBenchResult> {
  const histories = await Promise.all(repositories.map(readRepository));
  const corpus = repositories.length === 0 ? await readCorpus() : histories.flat();
  const cases = generate(seed, corpus, amounts);
  progress?.(`P14: ${cases.length} cases from ${corpus.length} changed files`);
  const contenders = await loadContenders();
  const scores = contenders.map((contender) => {
    progress?.(`P14: ${contender.name}`);
    return scoreOf(contender, cases);
  });
  const large = [grown(corpus.map(({ before }) => before)), '    }\n'.repeat(largeFileLength / 6)];
  const ours = contenders.filter(({ name }) => name === 'ours');
  const late = cases.filter(({ expected }) => expected === undefined).slice(0, 200);
  const onLarge = large.flatMap((text) => late.map((one) => ({ ...one, text })));
  const largeFileMs = Math.max(...ours.flatMap((contender) => scoreOf(contender, onLarge).timesMs));
  return { seed, cases: cases.length, summaries: scores.map(summaryOf), scores, largeFileMs };
}

/** Files one after another until they are large enough: what is looked for hardest is what is not there. */
function grown(texts: readonly string[]): string {
  let text = '';
  for (const one of texts) {
    if (text.length >= largeFileLength) break;
    text += one;
  }
  return text.slice(0, largeFileLength);
}

/** The tables, as they are printed. */
export async function report(options: EditBenchOptions): Promise<string> {
  return toMarkdown(await run(options));
}

function toMarkdown({ seed, cases, summaries, scores, largeFileMs }: EditBenchResult): string {
  const percent = (value: number) => value.toFixed(value < 10 ? 2 : 1);
  const rows = summaries.map(
    ({ contender, right, wrong, refused, appliedAnyway, p50Ms, p99Ms, maxMs }) =>
      `| ${contender} | ${[right, wrong, refused, appliedAnyway].map(percent).join(' | ')} | ${[p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(2)).join(' | ')} |`,
  );
  const kinds = scores[0]?.kinds ?? [];
  const byKind = kinds.map(({ kind, mustRefuse, cases: count }) => {
    const shares = scores.map((one) => {
      const score = one.kinds.find((other) => other.kind === kind);
      return mustRefuse ? `${score?.wrong} applied` : `${score?.right} · ${score?.wrong} · ${score?.refused}`;
    });
    return `| ${kind}${mustRefuse ? ' (to be refused)' : ''} | ${count} | ${shares.join(' | ')} |`;
  });
  return [
    `Seed ${seed}, ${cases} cases; a file of 200 kB: at most ${largeFileMs.toFixed(1)} ms.`,
    '',
    '| applier | right % | wrong % | refused % | applied of those to be refused % | p50 ms | p99 ms | max ms |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    `| kind (right · wrong · refused) | cases | ${scores.map(({ contender }) => contender).join(' | ')} |`,
    `|---|---|${scores.map(() => '---|').join('')}`,
    ...byKind,
  ].join('\n');
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '1' }, repository: { type: 'string', multiple: true } },
  });
  const progress = (text: string) => process.stderr.write(`${text}\n`);
  console.log(await report({ seed: Number(values.seed), repositories: values.repository, progress }));
}
