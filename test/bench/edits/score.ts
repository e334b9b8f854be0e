import type { Case } from './case.ts';
import type { Contender } from './contenders.ts';

export interface Score {
  kind: string;
  /** The blocks have to be refused. */
  mustRefuse: boolean;
  cases: number;
  right: number;
  /** Something else than what was meant was written. */
  wrong: number;
  refused: number;
}

export interface Scores {
  contender: string;
  kinds: Score[];
  /** Of every case, in their order; the least of three each. */
  timesMs: number[];
  /** Cases that were not answered rightly, for whoever works on the applier. */
  failures: { of: Case; got: string | undefined }[];
}

export function scoreOf(contender: Contender, cases: readonly Case[]): Scores {
  const kinds = new Map<string, Score>();
  const timesMs: number[] = [];
  const failures: Scores['failures'] = [];
  for (const one of cases) {
    const { got, ms } = timed(() => contender.apply(one.text, one.blocks));
    timesMs.push(ms);
    const mustRefuse = one.expected === undefined;
    const score = kinds.get(one.kind) ?? { kind: one.kind, mustRefuse, cases: 0, right: 0, wrong: 0, refused: 0 };
    kinds.set(one.kind, score);
    score.cases++;
    if (got === one.expected) score.right++;
    else failures.push({ of: one, got });
    if (got === undefined) score.refused++;
    else if (got !== one.expected) score.wrong++;
  }
  return { contender: contender.name, kinds: [...kinds.values()], timesMs, failures };
}

/** The least of three, of the thread's own time where Node tells it: what the machine does beside it does not count. */
function timed(apply: () => string | undefined): { got: string | undefined; ms: number } {
  let got: string | undefined;
  let ms = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const before = ownTimeMs();
    got = apply();
    ms = Math.min(ms, ownTimeMs() - before);
  }
  return { got, ms };
}

function ownTimeMs(): number {
  const used = process.threadCpuUsage?.();
  return used === undefined ? performance.now() : (used.user + used.system) / 1000;
}

export interface Summary {
  contender: string;
  /** Shares of the cases that were meant, in percent. */
  right: number;
  wrong: number;
  refused: number;
  /** Of those that must be refused, in percent. */
  appliedAnyway: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

export function summaryOf({ contender, kinds, timesMs }: Scores): Summary {
  const meant = kinds.filter(({ mustRefuse }) => !mustRefuse);
  const barred = kinds.filter(({ mustRefuse }) => mustRefuse);
  const sum = (scores: readonly Score[], what: 'cases' | 'right' | 'wrong' | 'refused') =>
    scores.reduce((total, score) => total + score[what], 0);
  const share = (what: 'right' | 'wrong' | 'refused') => (100 * sum(meant, what)) / sum(meant, 'cases');
  const sorted = [...timesMs].sort((a, b) => a - b);
  const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
  return {
    contender,
    right: share('right'),
    wrong: share('wrong'),
    refused: share('refused'),
    appliedAnyway: (100 * sum(barred, 'wrong')) / sum(barred, 'cases'),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    maxMs: sorted.at(-1) ?? Number.NaN,
  };
}
