import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';
import { createRandom } from '../bench/seeded-random.ts';
import { testsByFile, tsFiles } from '../run/import-graph.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { checkTests, copyTree, type Fault, judge, projectRoot, runTests } from './judge.ts';

/**
 * `node test/mutants/sample.ts [count] [seed] [--in FOLDER …] [--panel]`: single faults at random places of the folders, by
 * default of the core, each judged by the unit tests that reach its file, the nearest first. With `--panel` the tests
 * of the page, which need a browser and minutes, judge what the unit tests let pass in `media`. Prints the survivors, to
 * be read, and where no test comes at all.
 */
/** All that runs in plain Node. */
const core = readdirSync(path.join(projectRoot, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'vscode')
  .map(({ name }) => `src/${name}`);
const lanes = (loadavg()[0] ?? 0) > availableParallelism() ? 1 : 2;
/** So many test files are run at first; most faults are caught by them. */
const nearest = 8;
/** And so many after them: what lies further away rarely catches more, so the share that is told is rather too low. */
const next = 40;
interface Place extends Fault {
  at: number;
  line: number;
  what: string;
}

const opposite: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
};

/** Every place of a file where one of the faults can be put in. */
function placesIn(file: string): Place[] {
  const text = readFileSync(path.join(projectRoot, file), 'utf8');
  const found: Place[] = [];
  /** Nothing of a type is there when it runs. */
  const types: Span[] = [];
  const put = (start: number, end: number, to: string, what: string) => {
    // The whole text is what stands once.
    found.push({
      file,
      at: start,
      from: text,
      to: text.slice(0, start) + to + text.slice(end),
      line: text.slice(0, start).split('\n').length,
      what,
    });
  };
  const swap = ({ left, right, operator }: { left: Span; right: Span; operator: string }) => {
    const to = opposite[operator];
    const at = text.indexOf(operator, left.end);
    if (to !== undefined && at >= 0 && at < right.start) put(at, at + operator.length, to, `${operator} is ${to}`);
  };
  new Visitor({
    BinaryExpression: swap,
    LogicalExpression: swap,
    IfStatement: ({ test }) =>
      put(test.start, test.end, `!(${text.slice(test.start, test.end)})`, 'the condition is inverted'),
    ConditionalExpression: ({ test }) =>
      put(test.start, test.end, `!(${text.slice(test.start, test.end)})`, 'the condition is inverted'),
    ExpressionStatement: ({ start, end, expression }) => {
      if (expression.type === 'CallExpression' || expression.type === 'AwaitExpression')
        put(start, end, ';', 'the call is left out');
    },
    Literal: ({ start, end, value }) => {
      if (typeof value === 'boolean') put(start, end, String(!value), `${value} is ${!value}`);
      // A larger number is most often one that nobody can tell from the next.
      if (value === 0 || value === 1) put(start, end, String(Number(value) + 1), `${value} is ${Number(value) + 1}`);
    },
    TSLiteralType: ({ start, end }) => void types.push({ start, end }),
  }).visit(parseSync(file, text).program);
  return found.filter(({ at }) => !types.some(({ start, end }) => at >= start && at < end));
}

interface Span {
  start: number;
  end: number;
}

/** Test files in the order in which they are asked, until one fails. */
type Judges = (file: string) => readonly (readonly string[])[];

function findJudges(withPanel: boolean): Judges {
  const tests = testsByFile();
  const panel = tsFiles('test/panel').filter((file) => file.endsWith('.test.ts'));
  return (file) => {
    const reaching = tests.get(file) ?? [];
    const page = withPanel && file.startsWith('media/') ? panel : [];
    return [reaching.slice(0, nearest), reaching.slice(nearest, nearest + next), page].filter(
      ({ length }) => length > 0,
    );
  };
}

async function judgeBy(tree: string, place: Place, judges: ReturnType<Judges>): Promise<boolean> {
  const verdict = await judge(tree, place, async () => {
    for (const tests of judges) {
      const answer = await runTests(tree, tests, true);
      // A file that cannot be loaded any more is noticed too.
      if ('broken' in answer || answer.caught.length > 0) return answer;
    }
    return { caught: [] };
  });
  return 'broken' in verdict || verdict.caught.length > 0;
}

/** In which files no test comes, and how many faults there could be put in. */
function tellUnreached(places: readonly Place[], all: number): void {
  const counts = Map.groupBy(places, ({ file }) => file);
  const files = [...counts].sort(([, a], [, b]) => b.length - a.length);
  console.log(`not reached: ${places.length} of ${all} places, in ${files.length} files`);
  for (const [file, { length }] of files) console.log(`  ${file}: ${length}`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { in: { type: 'string', multiple: true, default: core }, panel: { type: 'boolean', default: false } },
  });
  const [count = 200, seed = 1] = positionals.map(Number);
  const random = createRandom(seed);
  const judges = findJudges(values.panel);
  const all = values.in.flatMap(tsFiles).flatMap(placesIn);
  const { reached = [], unreached = [] } = Object.groupBy(all, ({ file }) =>
    judges(file).length > 0 ? 'reached' : 'unreached',
  );
  const sample = Array.from(
    { length: count },
    () => reached.splice(Math.floor(random() * reached.length), 1)[0],
  ).filter((place) => place !== undefined);
  const temps = await Promise.all(Array.from({ length: lanes }, () => makeTempDir('svc-sample-')));
  let caught = 0;
  let done = 0;
  try {
    await Promise.all(temps.map((temp) => copyTree(temp.path)));
    await checkTests(temps[0]?.path ?? '', [...new Set(sample.flatMap(({ file }) => judges(file).flat()))]);
    const waiting = sample.values();
    const lane = async (tree: string) => {
      for (const place of waiting) {
        const reaching = judges(place.file);
        const isCaught = await judgeBy(tree, place, reaching);
        done++;
        if (isCaught) caught++;
        else
          console.log(`✗ survived  ${place.file}:${place.line}: ${place.what} (${reaching.flat().length} test files)`);
        if (done % 20 === 0) console.log(`  ${caught} of ${done} caught`);
      }
    };
    await Promise.all(temps.map((temp) => lane(temp.path)));
  } finally {
    for (const temp of temps) await temp.remove();
  }
  tellUnreached(unreached, all.length);
  console.log(`\n${caught} of ${done} caught, ${Math.round((100 * caught) / done)} % (seed ${seed})`);
}

exitOnSignal();
await main();
