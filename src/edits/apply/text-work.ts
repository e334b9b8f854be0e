import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { applyEdits } from '../match/apply-edits.ts';
import { showDiff } from './edit-diff.ts';
import { newAddresses } from './new-addresses.ts';
import { readWholeText } from './whole-text.ts';

/** They look at all of a text. */
const functions = { applyEdits, readWholeText, showDiff, newAddresses };
type Functions = typeof functions;

/** The functions of these names, each where the editor's other extensions need not wait for it. */
export type TextWork = {
  [Name in keyof Functions]: (...args: Parameters<Functions[Name]>) => Promise<ReturnType<Functions[Name]>>;
};

/** A call, as a thread is told of it. */
export interface TextJob {
  name: keyof Functions;
  args: readonly unknown[];
}

/** Characters from which a look at all of a text would be felt by whoever types: about 20 milliseconds. */
const longText = 250_000;

/**
 * Short texts are looked at in this thread, long ones in one of their own, which ends with the job. `thread` is where
 * `text-thread.ts`, or what it was built into, lies.
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

/** In whatever thread this is called. */
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
