import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ToolError } from '../../agent/tool.ts';

/** A pattern from a model gets this long for one file, in a thread that can be ended. */
const maxMatchMs = 2000;

export interface LineHit {
  line: number;
  column: number;
}

export interface RegexWorker {
  /**
   * Resolves with the matching lines in order. Rejects with `ToolError` when the pattern takes too long; the worker
   * is gone then.
   */
  match(lines: readonly string[]): Promise<readonly LineHit[]>;
  close(): Promise<void>;
}

/**
 * Throws `ToolError` when the pattern is invalid. The thread starts with the first lines; `thread` is the location of
 * `regex-thread.ts` or of its build.
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

/** Resolves with false for an expression that is invalid or takes too long. */
export async function matchesInThread(
  thread: string | URL,
  pattern: string,
  text: string,
  maxMs = maxMatchMs,
): Promise<boolean> {
  try {
    const worker = createRegexWorker(thread, pattern, '', maxMs);
    return (await worker.match([text]).finally(worker.close)).length > 0;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

function usableFlags(pattern: string, flags: string): string {
  try {
    new RegExp(pattern, `${flags}u`);
    return `${flags}u`;
  } catch {
    // Try again without the `u` flag, which rejects some valid patterns.
  }
  try {
    new RegExp(pattern, flags);
    return flags;
  } catch (error) {
    throw new ToolError(`The regular expression is not valid: ${error instanceof Error ? error.message : pattern}.`);
  }
}
