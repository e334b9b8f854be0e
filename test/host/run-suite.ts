import { type Counts, formatCounts } from '../vscode/counts.ts';

/** Starts a line that is meant for the runner, not for the reader. */
export const resultMarker = 'svc-host-result ';

/**
 * Runs test files with mocha inside the extension host. Each loads when mocha is ready for its `describe`. Every test gives
 * one console line, the end one line with the counts. Rejects when a test failed.
 */
export async function runSuite(loadByFile: Record<string, () => unknown>): Promise<void> {
  // Loaded from here, not bundled: the test files' own `import … from 'mocha'` must be the same copy.
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, reporter: class {} as unknown as typeof Mocha.reporters.Base });
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
        console.log(`  ✓ ${test.fullTitle()} (${test.duration ?? 0} ms)`);
      })
      .on('pending', (test) => {
        counts.skipped++;
        console.log(`  - ${test.fullTitle()}`);
      })
      .on('fail', (test, error: unknown) => {
        counts.failed++;
        console.log(`  ✗ ${test.fullTitle()}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      });
  });
  console.log(`${resultMarker}${formatCounts(counts)}`);
  if (counts.failed > 0) throw new Error(formatCounts(counts));
}
