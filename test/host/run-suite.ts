import { formatCounts } from '../run/counts.ts';
import { type TestEvent, tellEvents } from '../run/test-event.ts';

/** Starts every line that is meant for the terminal: the workbench logs through the same channel. */
export const lineMarker = 'svc-host| ';

const aliveMs = 5000;

/**
 * Runs test files with mocha inside the extension host. Each loads when mocha is ready for its `describe`. Every event is one
 * marked console line: JSON where `SVC_TEST_EVENTS` asks for it, else for a reader. Rejects when a test failed.
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
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const alive = setInterval(() => print({ type: 'alive' }), aliveMs);
  await new Promise<void>((resolve) => {
    tellEvents(
      mocha.run(() => resolve()),
      (event) => {
        if (event.type === 'pass') counts.passed++;
        if (event.type === 'fail') counts.failed++;
        if (event.type === 'skip') counts.skipped++;
        print(event);
      },
    );
  });
  clearInterval(alive);
  if (counts.failed > 0) throw new Error(formatCounts(counts));
}

function print(event: TestEvent): void {
  const text = process.env.SVC_TEST_EVENTS === 'json' ? JSON.stringify(event) : describeEvent(event);
  if (text !== '') console.log(`${lineMarker}${text}`);
}

function describeEvent(event: TestEvent): string {
  if (event.type === 'pass') return `  ✓ ${event.title} (${event.ms} ms)`;
  if (event.type === 'skip') return `  - ${event.title}`;
  if (event.type === 'fail') return `  ✗ ${event.title}\n${event.detail}`.replaceAll('\n', `\n${lineMarker}`);
  return '';
}
