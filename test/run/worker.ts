import path from 'node:path';
import Mocha from 'mocha';
import { describeError, type TestEvent, tellEvents } from './test-event.ts';

/** Asks for one file to be run. */
export interface FileRequest {
  /** Absolute path. */
  file: string;
  /** Source of a regular expression for full titles. */
  grep?: string;
  timeoutMs: number;
}

/** What comes back: events, and `done` after the last of a file. */
export type WorkerMessage = TestEvent | { type: 'done'; loadError?: { error: string; detail: string } };

const aliveMs = 5000;

function send(message: WorkerMessage): void {
  process.send?.(message);
}

/** A mocha of its own for each file: what one file does to its root suite does not concern the next. */
async function runFile({ file, grep, timeoutMs }: FileRequest): Promise<void> {
  const mocha = new Mocha({ timeout: timeoutMs, reporter: class {} as unknown as typeof Mocha.reporters.Base });
  if (grep !== undefined) mocha.grep(new RegExp(grep));
  mocha.addFile(path.resolve(file));
  try {
    await mocha.loadFilesAsync();
  } catch (error) {
    send({ type: 'done', loadError: describeError(error) });
    return;
  }
  await new Promise<void>((resolve) =>
    tellEvents(
      mocha.run(() => resolve()),
      send,
    ),
  );
  send({ type: 'done' });
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
