import path from 'node:path';
import Mocha from 'mocha';
import { cpuTimeMs } from './cpu-time.ts';
import { describeError, type TestEvent, tellEvents } from './test-event.ts';

/** Asks for one file to be run. */
export interface FileRequest {
  /** Absolute path. */
  file: string;
  /** Source of a regular expression for full titles. */
  grep?: string;
  timeoutMs: number;
  /** Full titles of tests that another day runs. */
  leaveOut?: readonly string[];
  /** Also the parts of long tables that other days run. */
  whole?: boolean;
  /** Tells of each test that passes how much processor time it took. */
  measures?: boolean;
}

/** What comes back: events, and `done` after the last of a file. */
export type WorkerMessage =
  | TestEvent
  | { type: 'done'; leftOut?: number; loadError?: { error: string; detail: string } };

const aliveMs = 5000;
const { SVC_TEST_SEED: day } = process.env;

function send(message: WorkerMessage): void {
  process.send?.(message);
}

/** A mocha of its own for each file: what one file does to its root suite does not concern the next. */
async function runFile({ file, grep, timeoutMs, leaveOut = [], whole, measures }: FileRequest): Promise<void> {
  if (whole) delete process.env.SVC_TEST_SEED;
  else if (day !== undefined) process.env.SVC_TEST_SEED = day;
  const mocha = new Mocha({ timeout: timeoutMs, reporter: class {} as unknown as typeof Mocha.reporters.Base });
  if (grep !== undefined) mocha.grep(new RegExp(grep));
  mocha.addFile(path.resolve(file));
  try {
    await mocha.loadFilesAsync();
  } catch (error) {
    send({ type: 'done', loadError: describeError(error) });
    return;
  }
  const leftOut = takeOut(mocha.suite, new Set(leaveOut));
  await new Promise<void>((resolve) =>
    tellEvents(
      mocha.run(() => resolve()),
      measures ? sendMeasured() : send,
    ),
  );
  send({ type: 'done', leftOut });
}

/** Returns how many there were. A suite in which no test is left runs no hook. */
function takeOut(suite: Mocha.Suite, titles: ReadonlySet<string>): number {
  const all = suite.tests.length;
  suite.tests = suite.tests.filter((test) => !titles.has(test.fullTitle()));
  return suite.suites.reduce((sum, each) => sum + takeOut(each, titles), all - suite.tests.length);
}

/** From the end of the test before, so that what is done before and after each test counts with it. */
function sendMeasured(): (event: TestEvent) => void {
  let before = cpuTimeMs(process.pid) ?? 0;
  return (event) => {
    if (event.type !== 'pass') return send(event);
    const after = cpuTimeMs(process.pid) ?? 0;
    send({ ...event, cpuMs: after - before });
    before = after;
  };
}

// As mocha's own command does: the test that runs fails with what nobody heard. Mocha alone passes it on to nobody.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
setInterval(() => send({ type: 'alive' }), aliveMs).unref();
process.on('message', (request: FileRequest | 'end') => {
  // What a test left open does not keep the process; browsers and servers end in the handlers of `exit`.
  if (request === 'end') process.exit(0);
  void runFile(request);
});
process.on('disconnect', () => process.exit(1));
