import { Session } from 'node:inspector/promises';

export interface StepCounter {
  /**
   * How often blocks of our own code and of libraries were entered while `work` ran. What the engine does itself, such as a search
   * in a string, counts as nothing.
   */
  count(work: () => unknown): Promise<number>;
  stop(): void;
}

/** Counts what a program does in steps that are the same on any machine: V8 tells how often each block ran. */
export async function startCounting(): Promise<StepCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  /** Since the last call. */
  const taken = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    let sum = 0;
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue;
      for (const { ranges } of functions) for (const { count } of ranges) sum += count;
    }
    return sum;
  };
  return {
    async count(work) {
      await taken();
      await work();
      return taken();
    },
    stop: () => session.disconnect(),
  };
}
