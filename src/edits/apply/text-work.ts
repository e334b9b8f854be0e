import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { applyEdits } from '../match/apply-edits.ts';
import { showDiff } from './edit-diff.ts';
import { newAddresses } from './new-addresses.ts';
import { readWholeText } from './whole-text.ts';

const functions = { applyEdits, readWholeText, showDiff, newAddresses };
type Functions = typeof functions;

export type TextWork = {
  [Name in keyof Functions]: (...args: Parameters<Functions[Name]>) => Promise<ReturnType<Functions[Name]>>;
};

export interface TextJob {
  name: keyof Functions;
  args: readonly unknown[];
}

/** A longer text would take about 20 milliseconds, which is felt by whoever types. */
const longText = 250_000;

/**
 * Processes short texts in this thread, and each long one in a thread of its own that ends with the job. `thread` is
 * the location of `text-thread.ts` or of its build.
 */
export function createTextWork(thread: string | URL): TextWork {
  const asked =
    <Name extends keyof Functions>(name: Name) =>
    async (...args: Parameters<Functions[Name]>): Promise<ReturnType<Functions[Name]>> => {
      const length = args.reduce<number>((sum, arg) => sum + (typeof arg === 'string' ? arg.length : 0), 0);
      const result = length < longText ? performTextJob({ name, args }) : await performIn(thread, { name, args });
      return result as ReturnType<Functions[Name]>;
    };
  return {
    applyEdits: asked('applyEdits'),
    readWholeText: asked('readWholeText'),
    showDiff: asked('showDiff'),
    newAddresses: asked('newAddresses'),
  };
}

export function performTextJob({ name, args }: TextJob): unknown {
  return (functions[name] as (...all: readonly unknown[]) => unknown)(...args);
}

async function performIn(thread: string | URL, job: TextJob): Promise<unknown> {
  const worker = new Worker(thread, { env: {}, workerData: job });
  try {
    // What the thread throws rejects this too.
    const [result] = await once(worker, 'message');
    return result;
  } finally {
    await worker.terminate();
  }
}
