/** A path as the ranking wants it: made once, because a query looks at all of them. */
export interface RankedPath {
  path: string;
  lower: string;
  /** Where the last part begins. */
  nameAt: number;
}

export function rankedPath(path: string): RankedPath {
  return { path, lower: path.toLowerCase(), nameAt: path.lastIndexOf('/') + 1 };
}

/**
 * The best `limit` of `paths` for what was typed, best first: the whole name before its beginning, before a part of it,
 * before a part of the path, before letters in their order. Of equals the shorter, then the first in the order of letters.
 * `boost` puts some before others that fit as well.
 */
export function rankPaths<T extends RankedPath>(
  paths: Iterable<T>,
  typed: string,
  limit: number,
  boost: (path: T) => number = () => 0,
): T[] {
  const query = typed
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^\.?\//, '');
  const found: { item: T; score: number }[] = [];
  for (const item of paths) {
    const score = scoreOf(item, query);
    if (score !== undefined) found.push({ item, score: score + boost(item) });
  }
  found.sort((a, b) => b.score - a.score || (a.item.lower < b.item.lower ? -1 : 1));
  return found.slice(0, limit).map(({ item }) => item);
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

/** How many letters stand between those of the query; undefined when they do not all come, in their order. */
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

/** `src/a.ts:10-24` is lines 10 to 24 of what `src/a.ts` finds. */
export function parseFileQuery(query: string): { path: string; startLine?: number; endLine?: number } {
  const match = /^(.+?):(\d{1,7})?(?:-(\d{1,7})?)?$/.exec(query);
  if (!match) return { path: query };
  const path = match[1] ?? '';
  const start = Number(match[2] ?? 0);
  if (start < 1) return { path };
  const end = Number(match[3] ?? start);
  return { path, startLine: Math.min(start, end) || start, endLine: Math.max(start, end) };
}
