import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CodeColors } from '../shared/panel/protocol.ts';
import type { ColorRequest, ColorSetup } from './catalog.ts';

export interface ColorWorkerDeps {
  thread: string | URL;
  wasm: string;
  setup(): ColorSetup;
  log: { error(line: string, error?: unknown): void };
  maxRequestMs?: number;
  idleMs?: number;
}

export interface ColorWorker {
  /**
   * Resolves to undefined when the code stays as it is, because there is no grammar, or it fails or takes too long.
   * Never rejects.
   */
  color(request: ColorRequest): Promise<CodeColors | undefined>;
  /** Must be called when `setup` returns something else. */
  restart(): void;
  dispose(): void;
}

/** Starts its thread with the first request and ends it after a while without requests. */
export function createColorWorker(deps: ColorWorkerDeps): ColorWorker {
  const { maxRequestMs = 10_000, idleMs = 30_000 } = deps;
  const failing = new Set<string>();
  let worker: Promise<Worker> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let stopping = new AbortController();

  const stop = () => {
    clearTimeout(idle);
    stopping.abort();
    stopping = new AbortController();
    const stopped = worker;
    worker = undefined;
    void stopped?.then(
      (thread) => thread.terminate(),
      () => undefined,
    );
  };
  const start = async (): Promise<Worker> => {
    const thread = new Worker(deps.thread, { env: {}, workerData: { setup: deps.setup(), wasm: deps.wasm } });
    thread.unref();
    await once(thread, 'online');
    return thread;
  };
  const ask = async (request: ColorRequest): Promise<CodeColors | undefined> => {
    worker ??= start();
    const current = worker;
    const stopped = stopping.signal;
    clearTimeout(idle);
    try {
      const thread = await current;
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(maxRequestMs)]);
      const answered = once(thread, 'message', { signal });
      thread.postMessage(request);
      const [answer] = (await answered) as [{ colored?: CodeColors } | { error: string }];
      if ('error' in answer) throw new Error(answer.error);
      return answer.colored;
    } catch (error) {
      if (stopped.aborted) return undefined;
      stop();
      failing.add(request.language);
      deps.log.error(`Code in "${request.language}" stays without colours`, error);
      return undefined;
    } finally {
      if (worker === current) idle = setTimeout(stop, idleMs).unref();
    }
  };
  return {
    color(request) {
      const answer = queue.then(() => (failing.has(request.language) ? undefined : ask(request)));
      queue = answer;
      return answer;
    },
    restart() {
      failing.clear();
      stop();
    },
    dispose: stop,
  };
}
