import { spawn } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTempDir } from '../support/temp-dir.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { type Mutant, mutants } from './mutants.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
/** What the unit tests read. */
const copied = ['src', 'test', 'media', 'l10n', 'package.json', 'package.nls.json', 'docs', 'tsconfig.json'];
const lanes = 2;

/** `caught` is how many tests failed; zero is a hole. `broken` says why nothing can be told. */
type Verdict = { caught: number } | { broken: string };

/** Copies what the tests read; packages are linked. */
async function copyTree(to: string): Promise<void> {
  for (const name of copied) {
    await cp(path.join(projectRoot, name), path.join(to, name), {
      recursive: true,
      filter: (source) => !source.includes(`${path.sep}bench${path.sep}peers`),
    });
  }
  for (const name of ['node_modules', '.vscode-test']) {
    await symlink(path.join(projectRoot, name), path.join(to, name), 'dir');
  }
}

/** Runs unit tests in the copy with mocha alone. */
async function runTests(tree: string, names: readonly string[]): Promise<Verdict> {
  const files = names.map((name) => `test/unit/${name}.test.ts`);
  const mocha = path.join(projectRoot, 'node_modules/mocha/bin/mocha.js');
  const args = [mocha, '--no-config', '--reporter', 'json', '--timeout', '120000', '--exit', ...files];
  const child = spawn(process.execPath, args, { cwd: tree, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill();
  process.once('exit', kill);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  process.off('exit', kill);
  try {
    const { stats } = JSON.parse(output.slice(output.indexOf('{\n  "stats"')));
    return { caught: stats.failures };
  } catch {
    return { broken: (errors || output).trim().slice(0, 500) };
  }
}

/** Puts the fault in, runs its tests, takes it out again. */
async function judge(tree: string, { file, from, to, seenBy }: Mutant): Promise<Verdict> {
  const target = path.join(tree, file);
  const original = await readFile(target, 'utf8');
  if (original.split(from).length !== 2) return { broken: `does not stand exactly once in ${file}: ${from}` };
  await writeFile(
    target,
    original.replace(from, () => to),
  );
  try {
    return await runTests(tree, seenBy);
  } finally {
    await writeFile(target, original);
  }
}

/** Without a fault nothing may fail, or every mutant would seem to be caught. */
async function checkTests(tree: string): Promise<void> {
  const verdict = await runTests(tree, [...new Set(mutants.flatMap(({ seenBy }) => seenBy))]);
  if ('broken' in verdict) throw new Error(`the tests do not run:\n${verdict.broken}`);
  if (verdict.caught > 0) throw new Error(`${verdict.caught} tests fail without any fault: mend them first`);
}

async function main(): Promise<void> {
  const temps = await Promise.all(Array.from({ length: lanes }, () => makeTempDir('svc-mutants-')));
  let survivors = 0;
  try {
    await Promise.all(temps.map((temp) => copyTree(temp.path)));
    await checkTests(temps[0]?.path ?? '');
    const waiting = mutants.values();
    const lane = async (tree: string) => {
      for (const mutant of waiting) {
        const verdict = await judge(tree, mutant);
        const caught = 'caught' in verdict && verdict.caught > 0;
        if (!caught) survivors++;
        const by = 'broken' in verdict ? verdict.broken : `${verdict.caught} tests of ${mutant.seenBy.join(', ')}`;
        const word = caught ? '✓ caught' : 'broken' in verdict ? '✗ cannot be judged' : '✗ survived';
        console.log(`${word}  ${mutant.breaks}: ${mutant.fault} (${mutant.file}; ${by})`);
      }
    };
    await Promise.all(temps.map((temp) => lane(temp.path)));
  } finally {
    for (const temp of temps) await temp.remove();
  }
  console.log(`\n${mutants.length - survivors} passed, ${survivors} failed, 0 skipped`);
  process.exitCode = survivors > 0 ? 1 : 0;
}

exitOnSignal();
await main();
