import { makeTempDir } from '../support/temp-dir.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { checkTests, copyTree, judge, runTests } from './judge.ts';
import { mutants as all, testFile } from './mutants.ts';

const lanes = 2;
/** Codes of requirements: only the faults that break one of them. */
const wanted = process.argv.slice(2);
const mutants = all.filter(
  ({ breaks }) => wanted.length === 0 || breaks.split(' ').some((code) => wanted.includes(code)),
);
const filesOf = (names: readonly string[]) => names.map(testFile);

async function main(): Promise<void> {
  const temps = await Promise.all(Array.from({ length: lanes }, () => makeTempDir('svc-mutants-')));
  let survivors = 0;
  try {
    await Promise.all(temps.map((temp) => copyTree(temp.path)));
    const tests = [...new Set(mutants.flatMap(({ seenBy }) => seenBy))];
    await checkTests(temps[0]?.path ?? '', filesOf(tests));
    const waiting = mutants.values();
    const lane = async (tree: string) => {
      for (const mutant of waiting) {
        const verdict = await judge(tree, mutant, () => runTests(tree, filesOf(mutant.seenBy)));
        const caught = 'caught' in verdict && verdict.caught.length > 0;
        if (!caught) survivors++;
        const by =
          'broken' in verdict ? verdict.broken : `${verdict.caught.length} tests of ${mutant.seenBy.join(', ')}`;
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
