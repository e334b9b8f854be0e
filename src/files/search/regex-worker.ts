import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ToolError } from '../../agent/tool.ts';

/** A pattern that a model wrote gets this long for one file, in a thread that can be ended. */
const maxMatchMs = 2000;

export interface LineHit {
  /** From 0. */
  line: number;
  column: number;
}

export interface RegexWorker {
  /** The lines that match, in order. Rejects with `ToolError` when the pattern takes too long; the worker is gone then. */
  match(lines: readonly string[]): Promise<readonly LineHit[]>;
  close(): Promise<void>;
}

/**
 * Throws `ToolError` when the pattern is none. The thread starts with the first lines; `thread` is where `regex-thread.ts`, or
 * what it was built into, lies.
 */
export function createRegexWorker(
  thread: string | URL,
  pattern: string,
  flags: string,
  maxMs = maxMatchMs,
): RegexWorker {
  const workerData = { pattern, flags: usableFlags(pattern, flags) };
  let starting: Promise<Worker> | undefined;
  const start = async (): Promise<Worker> => {
    const worker = new Worker(thread, { env: {}, workerData });
    // The time to start a thread is not the pattern's.
    await once(worker, 'online');
    return worker;
  };
  return {
    async match(lines) {
      starting ??= start();
      const worker = await starting;
      const tooLong = AbortSignal.timeout(maxMs);
      const answered = once(worker, 'message', { signal: tooLong });
      worker.postMessage(lines);
      try {
        const [hits] = await answered;
        return hits;
      } catch (error) {
        await worker.terminate();
        if (!tooLong.aborted) throw error;
        throw new ToolError('The regular expression takes too long. Make it simpler or search for plain text.');
      }
    },
    async close() {
      const worker = await starting;
      await worker?.terminate();
    },
  };
}

/** With the Unicode flag where the pattern allows it: it is stricter about escapes, which models write freely. */
function usableFlags(pattern: string, flags: string): string {
  try {
    new RegExp(pattern, `${flags}u`);
    return `${flags}u`;
  } catch {
    // Valid without the flag, or not valid at all, which is told now.
  }
  try {
    new RegExp(pattern, flags);
    return flags;
  } catch (error) {
    throw new ToolError(`The regular expression is not valid: ${error instanceof Error ? error.message : pattern}.`);
  }
}
