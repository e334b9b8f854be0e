import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { createRandom } from '../bench/seeded-random.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { checkTests, copyTree, type Fault, judge, projectRoot, runTests } from './judge.ts';

/**
 * `node test/mutants/sample.ts [count] [seed]`: single faults at random places of the core, each judged by the unit tests that
 * reach its file, the nearest first. Prints the survivors, to be read.
 */
const core = ['base', 'shared', 'storage', 'service', 'spend', 'agent', 'tools', 'inline', 'review', 'conversation'];
const lanes = 2;
/** So many test files are run at first; most faults are caught by them. */
const nearest = 8;
/** Tests that come to nearly every file and take long; they are run after all others. */
const slowest = 'test/unit/hanging/';

interface Place extends Fault {
  at: number;
  line: number;
  what: string;
}

function tsFiles(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')));
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

/** By source file: the unit tests that come to it, nearest first. */
function testsByFile(): ReadonlyMap<string, readonly string[]> {
  const imports = new Map<string, string[]>();
  for (const file of [...tsFiles('src'), ...tsFiles('media'), ...tsFiles('test')]) {
    const { module } = parseSync(file, readFileSync(path.join(projectRoot, file), 'utf8'));
    const named = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
    imports.set(
      file,
      named.filter((name) => name.startsWith('.')).map((name) => path.posix.join(path.posix.dirname(file), name)),
    );
  }
  const reached = new Map<string, Map<string, number>>();
  for (const test of tsFiles('test/unit').filter((file) => file.endsWith('.test.ts'))) {
    const seen = new Set([test]);
    let ring = [test];
    for (let distance = 1; ring.length > 0; distance++) {
      ring = ring.flatMap((file) => imports.get(file) ?? []).filter((file) => !seen.has(file) && seen.add(file));
      const order = test.startsWith(slowest) ? Number.POSITIVE_INFINITY : distance;
      for (const file of ring) (reached.get(file) ?? reached.set(file, new Map()).get(file))?.set(test, order);
    }
  }
  return new Map(
    [...reached].map(([file, tests]) => [
      file,
      [...tests].sort((a, b) => (a[1] === b[1] ? 0 : a[1] - b[1])).map(([test]) => test),
    ]),
  );
}

async function main(): Promise<void> {
  const [count = 200, seed = 1] = process.argv.slice(2).map(Number);
  const random = createRandom(seed);
  const all = core.flatMap((folder) => tsFiles(`src/${folder}`)).flatMap(placesIn);
  const sample = Array.from({ length: count }, () => all.splice(Math.floor(random() * all.length), 1)[0]).filter(
    (place) => place !== undefined,
  );
  const tests = testsByFile();
  const temps = await Promise.all(Array.from({ length: lanes }, () => makeTempDir('svc-sample-')));
  let caught = 0;
  let done = 0;
  try {
    await Promise.all(temps.map((temp) => copyTree(temp.path)));
    await checkTests(temps[0]?.path ?? '', [...new Set(sample.flatMap(({ file }) => tests.get(file) ?? []))]);
    const waiting = sample.values();
    const lane = async (tree: string) => {
      for (const place of waiting) {
        const reaching = tests.get(place.file) ?? [];
        const verdict = await judge(tree, place, async () => {
          const first = await runTests(tree, reaching.slice(0, nearest), true);
          const rest = reaching.slice(nearest);
          return ('caught' in first && first.caught.length > 0) || rest.length === 0
            ? first
            : runTests(tree, rest, true);
        });
        // A file that cannot be loaded any more is noticed too.
        const isCaught = 'broken' in verdict || verdict.caught.length > 0;
        done++;
        if (isCaught) caught++;
        else console.log(`✗ survived  ${place.file}:${place.line}: ${place.what} (${reaching.length} test files)`);
        if (done % 20 === 0) console.log(`  ${caught} of ${done} caught`);
      }
    };
    await Promise.all(temps.map((temp) => lane(temp.path)));
  } finally {
    for (const temp of temps) await temp.remove();
  }
  console.log(
    `\n${caught} of ${done} caught, ${Math.round((100 * caught) / done)} % (seed ${seed}, ${all.length + done} places)`,
  );
}

exitOnSignal();
await main();
