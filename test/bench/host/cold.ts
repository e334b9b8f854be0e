import { setTimeout as delay } from 'node:timers/promises';
import { loadContender } from './load-contender.ts';
import { collectGarbage, longestBlockMsOf, memoryMb } from './measure.ts';
import type { ColdResult, ColdTask } from './task.ts';

/** A host that has just started works off its own start first. */
const idleMs = 3000;

/** P3 cold, and what a burst adds to the memory of a host that had nothing of the contender in it. */
export async function measureCold({ contender: { file }, origin }: ColdTask): Promise<ColdResult> {
  await delay(idleMs);
  await collectGarbage();
  const before = memoryMb();
  const from = performance.now();
  const contender = loadContender(file);
  await contender.prepare?.();
  const loadedAt = performance.now();
  let firstAt = Number.NaN;
  await contender.read(`${origin}/first/v1`, () => {
    if (Number.isNaN(firstAt)) firstAt = performance.now();
  });
  let peak = 0;
  let ticks = 0;
  await longestBlockMsOf(
    () => contender.read(`${origin}/burst-20000/v1`, () => {}),
    // Reading the figure costs about 1 ms, so not on every tick.
    () => {
      if (ticks++ % 5 === 0) peak = Math.max(peak, memoryMb());
    },
  );
  peak = Math.max(peak, memoryMb());
  await collectGarbage();
  return {
    coldMs: firstAt - from,
    loadedMs: firstAt - loadedAt,
    burstPeakMb: peak - before,
    keptMb: memoryMb() - before,
  };
}
