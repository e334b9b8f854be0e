import { type Counts, formatCounts } from '../vscode/counts.ts';

/** Starts every line that is meant for the terminal: the workbench logs through the same channel. */
export const lineMarker = 'svc-host| ';

/**
 * Runs test files with mocha inside the extension host. Each loads when mocha is ready for its `describe`. Every test gives
 * one marked console line, the end one with the counts. Rejects when a test failed.
 * @public called by the entry that `bundle-suite.ts` writes
 */
export async function runSuite(loadByFile: Record<string, () => unknown>): Promise<void> {
  // Loaded from here, not bundled: the test files' own `import … from 'mocha'` must be the same copy.
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 120_000,
    reporter: class {} as unknown as typeof Mocha.reporters.Base,
  });
  mocha.grep(new RegExp(process.env.SVC_TEST_GREP ?? ''));
  for (const [file, load] of Object.entries(loadByFile)) {
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    mocha.suite.emit('require', load(), file, mocha);
    mocha.suite.emit('post-require', globalThis, file, mocha);
  }
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  await new Promise<void>((resolve) => {
    mocha
      .run(() => resolve())
      .on('pass', (test) => {
        counts.passed++;
        print(`  ✓ ${test.fullTitle()} (${test.duration ?? 0} ms)`);
      })
      .on('pending', (test) => {
        counts.skipped++;
        print(`  - ${test.fullTitle()}`);
      })
      .on('fail', (test, error: unknown) => {
        counts.failed++;
        print(`  ✗ ${test.fullTitle()}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      });
  });
  print(formatCounts(counts));
  if (counts.failed > 0) throw new Error(formatCounts(counts));
}

function print(text: string): void {
  console.log(
    text
      .split('\n')
      .map((line) => `${lineMarker}${line}`)
      .join('\n'),
  );
}
