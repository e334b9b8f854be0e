import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds: how long it took, and the longest that a timer of this thread had to wait meanwhile. */
export async function timed(work: () => Promise<unknown>): Promise<{ ms: number; block: number }> {
  let [longest, last] = [0, performance.now()];
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await turn();
  last = performance.now();
  const began = last;
  await work();
  const ms = performance.now() - began;
  look();
  clearInterval(timer);
  return { ms, block: longest };
}

export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  return (await timed(work)).block;
}
