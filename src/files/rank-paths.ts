export interface RankedPath {
  path: string;
  lower: string;
  nameAt: number;
}

export function rankedPath(path: string): RankedPath {
  const lower = folded(path);
  return { path, lower, nameAt: lower.lastIndexOf('/') + 1 };
}

function folded(text: string): string {
  const lower = text.toLowerCase();
  // A disk may write an accent apart from its letter, a keyboard in one with it.
  return /[^ -~]/.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '') : lower;
}

interface RankingOptions<T> {
  limit: number;
  wants?(path: T): boolean;
  boost?(path: T): number;
}

/**
 * Returns the best of `paths` for what was typed, best first: the whole name before its beginning, before a part of
 * it, before a part of the path, before letters in their order. Of equals the shorter comes first, then alphabetical
 * order counts.
 */
export function rankPaths<T extends RankedPath>(
  paths: readonly T[],
  typed: string,
  limit: number,
  boost?: (path: T) => number,
): T[] {
  return createRanking<T>({ limit, boost })(paths, typed);
}

/**
 * Ranks for one key after the other: a longer query is searched only among what matched before. `paths` may grow at
 * its end between two calls; any other list is searched from its beginning.
 */
export function createRanking<T extends RankedPath>(
  options: RankingOptions<T>,
): (paths: readonly T[], typed: string) => T[] {
  const { limit, wants = () => true, boost = () => 0 } = options;
  let last: { paths: readonly T[]; length: number; query: string; fitting: readonly T[]; best: T[] } | undefined;
  return (paths, typed) => {
    const query = folded(typed)
      .replaceAll('\\', '/')
      .replace(/^\.?\//, '');
    const narrows = last?.paths === paths && last.length <= paths.length && query.startsWith(last.query);
    if (narrows && last?.length === paths.length && last.query === query) return [...last.best];
    const fitting: T[] = [];
    const best: Scored<T>[] = [];
    const look = (item: T): void => {
      const score = scoreOf(item, query);
      if (score === undefined) return;
      fitting.push(item);
      insert(best, { item, score: score + boost(item) }, limit);
    };
    if (narrows) for (const item of last?.fitting ?? []) look(item);
    for (let at = narrows ? (last?.length ?? 0) : 0; at < paths.length; at++) {
      const item = paths[at];
      if (item !== undefined && wants(item)) look(item);
    }
    last = { paths, length: paths.length, query, fitting, best: best.map(({ item }) => item) };
    return [...last.best];
  };
}

interface Scored<T> {
  item: T;
  score: number;
}

function insert<T extends RankedPath>(best: Scored<T>[], candidate: Scored<T>, limit: number): void {
  const last = best.at(-1);
  if (best.length >= limit && (last === undefined || !isBefore(candidate, last))) return;
  let from = 0;
  let to = best.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = best[middle];
    if (other && isBefore(candidate, other)) to = middle;
    else from = middle + 1;
  }
  best.splice(from, 0, candidate);
  if (best.length > limit) best.pop();
}

function isBefore<T extends RankedPath>(a: Scored<T>, b: Scored<T>): boolean {
  if (a.score !== b.score) return a.score > b.score;
  return a.item.lower === b.item.lower ? a.item.path < b.item.path : a.item.lower < b.item.lower;
}

function scoreOf({ lower, nameAt }: RankedPath, query: string): number | undefined {
  if (query === '') return -lower.length;
  const shortness = -Math.min(90, lower.length / 4);
  const at = lower.indexOf(query, Math.max(0, nameAt));
  if (at === nameAt) {
    const rest = lower.slice(at + query.length);
    const whole = rest === '' ? 200 : rest.startsWith('.') ? 100 : 0;
    return 800 + whole + shortness;
  }
  if (at > nameAt) return (isBoundary(lower, at) ? 650 : 550) + shortness;
  const inPath = lower.indexOf(query);
  if (inPath >= 0) return (isBoundary(lower, inPath) ? 450 : 350) + shortness;
  const inName = gapsOf(lower, nameAt, query);
  if (inName !== undefined) return 250 - Math.min(80, inName * 4) + shortness;
  const gaps = gapsOf(lower, 0, query);
  return gaps === undefined ? undefined : 120 - Math.min(100, gaps * 2) + shortness;
}

function isBoundary(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

function gapsOf(text: string, from: number, query: string): number | undefined {
  let gaps = 0;
  let last = from - 1;
  for (const letter of query) {
    const at = text.indexOf(letter, last + 1);
    if (at < 0) return undefined;
    if (last >= from) gaps += at - last - 1;
    last = at + letter.length - 1;
  }
  return gaps;
}

export function parseFileQuery(query: string): { path: string; startLine?: number; endLine?: number } {
  const match = /^(.+?):(\d{1,7})?(?:-(\d{1,7})?)?$/.exec(query);
  if (!match) return { path: query };
  const path = match[1] ?? '';
  const start = Number(match[2] ?? 0);
  if (start < 1) return { path };
  const end = Number(match[3] ?? start);
  return { path, startLine: Math.min(start, end) || start, endLine: Math.max(start, end) };
}
