import type { TestRun } from './contest.ts';

const before = /(?<!\d)(\d{1,7}) (?:tests? )?(?:failed|failing|failures?)\b/gi;
const behind = /\b(?:failed|failing|failures?|fail)\b[ \t]{0,8}[:=]?[ \t]{0,8}(\d+)/gi;

/** Returns how many tests failed, where the output says it in a way that most programs use. */
export function failedIn(output: string): number | undefined {
  const found = [before, behind].flatMap((form) => [...output.matchAll(form)]);
  const last = found.toSorted((a, b) => a.index - b.index).at(-1)?.[1];
  return last === undefined ? undefined : Number(last);
}

export type Verdict = 'green' | 'red' | 'red-before' | 'unknown';

/** Holds nothing against a model that was red before, unless more is red now. */
export function verdictOf(base: TestRun | undefined, now: TestRun | undefined): Verdict {
  if (now?.exitCode === undefined) return 'unknown';
  if (now.exitCode === 0) return 'green';
  if (base === undefined || base.exitCode === 0) return 'red';
  return (now.failed ?? 0) > (base.failed ?? Number.POSITIVE_INFINITY) ? 'red' : 'red-before';
}
