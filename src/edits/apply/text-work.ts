import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { applyEdits } from '../match/apply-edits.ts';
import { formatDiff } from './edit-diff.ts';
import { readReplacement } from './file-replacement.ts';
import { newAddresses } from './new-addresses.ts';

const functions = { applyEdits, readWholeText: readReplacement, showDiff: formatDiff, newAddresses };
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

const restMs = 5000;

/**
 * Processes short texts in this thread, and long ones in others: an edit has several jobs, so a thread that has done
 * one waits for the next for some seconds. `thread` is the location of `text-thread.ts` or of its build.
 */
export function createTextWork(thread: string | URL): TextWork {
  const resting = new Map<Worker, NodeJS.Timeout>();

  const start = () => {
    const worker = new Worker(thread, { env: {} });
    // Whoever waits for a job hears of it too; one that rests has nobody else.
    worker.on('error', () => resting.delete(worker));
    return worker;
  };

  const performIn = async (job: TextJob): Promise<unknown> => {
    const [worker = start()] = resting.keys();
    clearTimeout(resting.get(worker));
    resting.delete(worker);
    worker.ref();
    worker.postMessage(job);
    // What the thread throws rejects this, and ends it.
    const [result] = await once(worker, 'message');
    const end = () => resting.delete(worker) && void worker.terminate();
    resting.set(worker, setTimeout(end, restMs).unref());
    worker.unref();
    return result;
  };

  const asked =
    <Name extends keyof Functions>(name: Name) =>
    async (...args: Parameters<Functions[Name]>): Promise<ReturnType<Functions[Name]>> => {
      const length = args.reduce<number>((sum, arg) => sum + (typeof arg === 'string' ? arg.length : 0), 0);
      const result = length < longText ? performTextJob({ name, args }) : await performIn({ name, args });
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
