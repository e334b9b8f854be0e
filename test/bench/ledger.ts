import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withTempDir } from '../support/temp-dir.ts';
import type { Figure } from './figure.ts';
import { writeLedgerYear } from './ledger-lines.ts';
import type { BenchContext, Part } from './part.ts';

const lines = 1_000_000;
const appends = 2000;

/** P15: a year of a million attempts. Each round is a process of its own, as a window that opens is. */
export const ledger: Part = {
  ids: ['P15'],
  measure: ({ seed, rounds, progress }: BenchContext) =>
    withTempDir(async (dir) => {
      progress(`P15: writing ${lines} lines`);
      await writeLedgerYear(dir, lines, seed);
      progress('P15: summing them for the first time');
      const first = await measure(dir, 0);
      const measured: Measured[] = [];
      for (let round = 0; round < rounds; round++) measured.push(await measure(dir, appends));
      const wanted = measured.map((_, round) => lines + round * appends);
      const requests = measured.map((one) => one.requests);
      if (requests.join() !== wanted.join()) throw new Error(`${requests.join()} requests instead of ${wanted.join()}`);
      return [
        figure('open, total and chart a million lines', 'ms', measured, 'open', 150),
        figure('the same without stored sums, once', 'ms', [first], 'open'),
        figure('the longest block of the extension host meanwhile', 'ms', [first], 'block', 30),
        figure('append one line', 'ms', measured, 'append', 0.2),
      ];
    }),
};

interface Measured {
  read: number;
  block: number;
  open: number;
  append: number;
  requests: number;
}

async function measure(dir: string, count: number): Promise<Measured> {
  const script = new URL('ledger-process.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script, dir, String(count)]);
  return JSON.parse(stdout) as Measured;
}

function figure(
  what: string,
  unit: Figure['unit'],
  measured: readonly Measured[],
  key: 'open' | 'append' | 'block',
  goal?: number,
): Figure {
  const beside = 'sequential read of the same bytes';
  return {
    id: 'P15',
    what,
    unit,
    rounds: measured.map((one) => ({ ours: one[key], [beside]: one.read })),
    ours: 'ours',
    comparisons: [{ by: 'alone', goal }, ...(key === 'open' ? [{ by: 'ratio', anchor: beside } as const] : [])],
  };
}
