import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Processor seconds of the tests that take long, by file and full title. */
export type Costs = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** From so many seconds on a test has its turn on one day of a week. */
const longSeconds = 0.5;
const week = 7;
const record = path.join(import.meta.dirname, 'long-tests.json');

export function readCosts(): Costs {
  return JSON.parse(readFileSync(record, 'utf8'));
}

export interface TestCost {
  file: string;
  title: string;
  seconds: number;
}

/** Takes what a run measured for what there was of the files that it ran. */
export function writeCosts(files: readonly string[], measured: readonly TestCost[]): void {
  const costs: Record<string, Record<string, number>> = { ...readCosts() };
  for (const file of files) delete costs[file];
  for (const { file, title, seconds } of measured) {
    if (seconds < longSeconds) continue;
    costs[file] ??= {};
    costs[file][title] = Math.round(seconds * 10) / 10;
  }
  const sorted = Object.entries(costs).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(record, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/**
 * The long tests of these files that a day leaves to other days, by file. Each day costs about the same, and each test has its
 * turn once in a week, on another day of the next: it must not meet the same case of a table each time. A test that the record does not know yet runs every day.
 */
export function leftToOtherDays(
  costs: Costs,
  files: readonly string[],
  day: number,
): ReadonlyMap<string, readonly string[]> {
  const left = new Map<string, string[]>();
  const today = (day + Math.floor(day / week)) % week;
  const loads = Array.from({ length: week }, () => 0);
  const all = files
    .flatMap((file) => Object.entries(costs[file] ?? {}).map(([title, seconds]) => ({ file, title, seconds })))
    .sort((a, b) => b.seconds - a.seconds || (a.title < b.title ? -1 : 1));
  for (const { file, title, seconds } of all) {
    const turn = loads.indexOf(Math.min(...loads));
    loads[turn] = (loads[turn] ?? 0) + seconds;
    if (turn !== today) left.set(file, [...(left.get(file) ?? []), title]);
  }
  return left;
}
