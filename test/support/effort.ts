/** `few` in `npm test`, `many` in `npm run test:all`: for tests that find more the longer they run. */
export function times(few: number, many: number): number {
  return process.env.SVC_TEST_ALL === '1' ? many : few;
}

/** For `npm test` alone: the number of the day, unless somebody repeats another. */
export function setDay(): void {
  process.env.SVC_TEST_SEED ??= String(Math.floor(Date.now() / 86_400_000));
}

function day(): number | undefined {
  const { SVC_TEST_SEED } = process.env;
  return SVC_TEST_SEED === undefined ? undefined : Number(SVC_TEST_SEED);
}

/**
 * In `npm test` one in `share`, and another one each day, so that all of them have run after so many days; everywhere else,
 * also under the mutants, all. One of them runs always.
 */
export function someOf<T>(all: readonly T[], share: number): readonly T[] {
  const today = day();
  const every = Math.min(share, all.length);
  return today === undefined ? all : all.filter((_, at) => (at + today) % every === 0);
}

/** So many of the seeds from 1 to `many`: all in `npm run test:all`, others each day in `npm test`, else the first. */
export function seeds(few: number, many: number): readonly number[] {
  const count = times(few, many);
  const from = (day() ?? 0) * count;
  return Array.from({ length: count }, (_, at) => ((from + at) % many) + 1);
}
