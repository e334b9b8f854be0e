import { readFileSync } from 'node:fs';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Twice, with a turn of the loop between: finalizers of the first may free what the second collects. */
export async function collectGarbage(): Promise<void> {
  if (typeof collect !== 'function') throw new Error('this Node gives no garbage collector');
  collect();
  await nextTurn();
  collect();
}

/** CPU of the whole process in milliseconds while `work` ran, all threads, kernel included. */
export async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  await nextTurn();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The longest time that a 1 ms timer had to wait while `work` ran, in milliseconds over its period. */
export async function longestBlockMsOf(work: () => Promise<unknown>, onTick?: () => void): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    onTick?.();
  };
  const timer = setInterval(tick, 1);
  try {
    await delay(5);
    longest = 0;
    await work();
    await delay(2);
  } finally {
    clearInterval(timer);
  }
  return Math.max(0, longest - 1);
}

/** Proportional set size of this process in MB. Linux only: other systems give the resident size. */
export function memoryMb(): number {
  try {
    const kb = /^Pss:\s+(\d+) kB/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))?.[1];
    return Number(kb) / 1024;
  } catch {
    return process.memoryUsage.rss() / 1024 / 1024;
  }
}
