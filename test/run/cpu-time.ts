import { readdirSync, readFileSync } from 'node:fs';

/** Of a clock tick in `/proc`, which is the same on every Linux that Node.js runs on. */
const tickMs = 10;

interface ProcessTimes {
  parent: number;
  ticks: number;
}

/**
 * The processor time of a process, of what it started, and of those of them that have ended, in milliseconds. Unlike the time
 * that passes it says the same on a busy machine. Only Linux tells it of other processes.
 */
export function cpuTimeMs(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  const all = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? readTimes(name) : undefined;
    if (times !== undefined) all.set(Number(name), times);
  }
  let ticks = 0;
  for (const [each, times] of all) {
    let at: number | undefined = each;
    while (at !== undefined && at !== pid) at = all.get(at)?.parent;
    if (at === pid) ticks += times.ticks;
  }
  return ticks * tickMs;
}

/** A process may end while its file is being read. */
function readTimes(pid: string): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets and may have spaces. User and system, and both of children that were waited for.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: fields[1] ?? 0, ticks: fields.slice(11, 15).reduce((a, b) => a + b, 0) };
  } catch {
    return undefined;
  }
}
