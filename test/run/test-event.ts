/** What a runner tells while it runs, one test at a time, so that nothing is lost when it is ended before its end. */
export type TestEvent =
  | { type: 'start'; title: string }
  /** `cpuMs`: the processor time that it and all it started took, where that is measured. */
  | { type: 'pass'; title: string; ms: number; cpuMs?: number }
  /** `needs`: the command that installs what the test was skipped for. */
  | { type: 'skip'; title: string; ms: number; needs?: string }
  /** `error` is one line; `detail` is everything that is known. */
  | { type: 'fail'; title: string; error: string; detail: string }
  /** Sent every few seconds: its event loop still turns, so that mocha itself ends a test that waits for ever. */
  | { type: 'alive' };

/** What of mocha's runner is used; the one inside VS Code is another copy. */
interface Runner {
  on(event: string, listener: (test: Runnable, error?: unknown) => void): unknown;
}

interface Runnable {
  fullTitle(): string;
  duration?: number;
  parent?: Runnable;
  /** Set by `skipWithout`, on a test or on a suite around it. */
  needs?: string;
}

function needsOf({ needs, parent }: Runnable): string | undefined {
  return needs ?? (parent && needsOf(parent));
}

/** Turns the events of a mocha runner into ours. */
export function tellEvents(runner: Runner, send: (event: TestEvent) => void): void {
  const start = (test: Runnable) => send({ type: 'start', title: test.fullTitle() });
  let current: Runnable | undefined;
  runner.on('test', (test) => {
    current = test;
    start(test);
  });
  runner.on('hook', start);
  // A hook before a test ends after the test was announced: a hang belongs to the test again.
  runner.on('hook end', () => current && start(current));
  runner.on('test end', () => {
    current = undefined;
  });
  runner.on('pass', (test) => send({ type: 'pass', title: test.fullTitle(), ms: test.duration ?? 0 }));
  runner.on('pending', (test) => {
    const needs = needsOf(test);
    send({ type: 'skip', title: test.fullTitle(), ms: 0, ...(needs !== undefined && { needs }) });
  });
  runner.on('fail', (test, error) => send({ type: 'fail', title: test.fullTitle(), ...describeError(error) }));
}

/** The first line for a list, and the whole with its causes. */
export function describeError(error: unknown): { error: string; detail: string } {
  const chain: string[] = [];
  for (let at = error; at !== undefined && chain.length < 5; at = at instanceof Error ? at.cause : undefined) {
    chain.push(at instanceof Error ? (at.stack ?? at.message) : String(at));
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { error: message.split('\n')[0] ?? '', detail: chain.join('\ncaused by ') };
}
