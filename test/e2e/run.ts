import { spawn } from 'node:child_process';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../vscode/build-extension.ts';
import { addCounts, type Counts, formatCounts, noCounts, parseCounts } from '../vscode/counts.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { type Failure, formatFailures, parseFailures } from '../vscode/failures.ts';
import { parseVsCodeVersion } from '../vscode/get-vscode.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

const { values, positionals } = parseArgs({
  options: { grep: { type: 'string' }, all: { type: 'boolean' }, version: { type: 'string' } },
  allowPositionals: true,
});

/** Every session runs in it unless its test says otherwise. */
const version = parseVsCodeVersion(values.version);

/**
 * Left out unless they are named or `--all` is given, as every night: they take about a minute each, and what they look at
 * changes seldom or is tested below the window too.
 */
const onDemand = new Set([
  ...['chat-tabs', 'crash', 'editor-menus', 'foreign-tools', 'keyboard', 'keys', 'native-chat', 'pictures'],
  ...['pseudo-locale', 'service-truth', 'side-by-side', 'status-bar', 'two-windows'],
]);

/** Those that take about a minute and more, the longest first. */
const longest = [
  ...['agent', 'history', 'side-by-side', 'service-truth', 'native-chat', 'chat-tabs', 'keys', 'editor-commands'],
  ...['two-windows', 'bad-days', 'composer-context', 'first-question', 'workspaces', 'large-repository', 'composer'],
];

/** Windows at once, to save time. Each waits for its service, its server and its disk most of the time. */
const lanes = 2;

/** Later than this nothing runs again, and what does is ended: the part has a limit, and what it has found must be told. */
const againUntilMs = 13 * 60_000;

interface Result {
  counts: Counts;
  failures: Failure[];
}

/** Runs one file with mocha in plain Node, apart from this process, so that one that does not load is a result too. */
async function runFile(file: string, limitMs?: number): Promise<Result> {
  const startedAt = performance.now();
  const grep = values.grep === undefined ? [] : ['--grep', values.grep];
  const mocha = path.join(projectRoot, 'node_modules/mocha/bin/mocha.js');
  const args = [mocha, '--no-config', '--reporter', 'spec', '--timeout', '240000', '--exit', ...grep, file];
  const env = version === undefined ? process.env : { ...process.env, SVC_TEST_VSCODE: version };
  const child = spawn(process.execPath, args, { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  const kill = () => child.kill();
  process.once('exit', kill);
  const timer = limitMs === undefined ? undefined : setTimeout(kill, limitMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(timer);
  process.off('exit', kill);
  // Whole files: what two windows print at once could not be read.
  console.log(
    `\n== ${file} (${Math.round((performance.now() - startedAt) / 1000)} s)\n${output.replace(/^\n+|\s+$/g, '')}`,
  );
  const counts = parseCounts(output);
  if (counts !== undefined) return { counts, failures: parseFailures(output) };
  if (values.grep !== undefined && code === 0) return { counts: noCounts, failures: [] };
  return {
    counts: { ...noCounts, failed: 1 },
    failures: [{ title: file, error: `ended with code ${code} and without a result` }],
  };
}

/** Runs all in lanes, and what failed there once more by itself: only what fails alone has failed. */
async function runAll(files: readonly string[]): Promise<Result[]> {
  const startedAt = performance.now();
  const results = new Map<string, Result>();
  const waiting = [...files];
  const lane = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) results.set(file, await runFile(file));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const again = files.length > 1 ? files.filter((file) => (results.get(file)?.counts.failed ?? 0) > 0) : [];
  for (const file of again) {
    const leftMs = againUntilMs - (performance.now() - startedAt);
    if (leftMs < 60_000) break;
    console.log(`\n== again, alone: ${file}`);
    results.set(file, await runFile(file, leftMs));
  }
  return [...results.values()];
}

/** The longest first, so that no lane waits for the other in the end. */
function longestFirst(files: readonly string[]): string[] {
  const place = (file: string) => longest.indexOf(path.basename(file, '.test.ts'));
  const rank = (file: string) => (place(file) < 0 ? longest.length : place(file));
  return files.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

exitOnSignal();
await buildExtension();
const files = [...positionals];
if (files.length === 0)
  for await (const file of glob('test/e2e/*.test.ts', { cwd: projectRoot })) {
    if (values.all === true || !onDemand.has(path.basename(file, '.test.ts'))) files.push(file);
  }
const results = await runAll(longestFirst(files));
const counts = results.reduce((sum, result) => addCounts(sum, result.counts), noCounts);
console.log(`\n${formatFailures(results.flatMap(({ failures }) => failures))}\n\n${formatCounts(counts)}`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
