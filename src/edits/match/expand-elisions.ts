import { bracketBalance } from '../apply/repeated-lines.ts';
import type { Row, Rows } from './rows.ts';

/**
 * Pairs every elision of the replacement with one of the search, or fills in the rows of the search that it stands
 * for. Returns undefined when the two cannot be matched.
 */
export function expandElisions(search: Rows, replace: Rows): { search: Rows; replace: Rows } | undefined {
  const shown = withoutEndElisions(search.rows, replace.rows);
  const inSearch = shown.search.filter(({ isElision }) => isElision).length;
  const inReplace = shown.replace.filter(({ isElision }) => isElision).length;
  const rows = inSearch === 0 && inReplace > 0 ? expand(shown.search, shown.replace) : shown.replace;
  if (rows === undefined || (inSearch > 0 && inReplace > 0 && inSearch !== inReplace)) return undefined;
  return { search: { ...search, rows: shown.search }, replace: { ...replace, rows } };
}

/** At an end of the search an elision says only that the file goes on there, so it is dropped. */
function withoutEndElisions(search: readonly Row[], replace: readonly Row[]): { search: Row[]; replace: Row[] } {
  const sides = { search: [...search], replace: [...replace] };
  if (sides.search[0]?.isElision) {
    sides.search.shift();
    if (sides.replace[0]?.isElision) sides.replace.shift();
    for (const side of [sides.search, sides.replace])
      if (side[0]) side[0] = { ...side[0], blanksAbove: 0, blankLines: [] };
  }
  if (sides.search.at(-1)?.isElision) {
    sides.search.pop();
    if (sides.replace.at(-1)?.isElision) sides.replace.pop();
  }
  return sides;
}

function expand(search: readonly Row[], replace: readonly Row[]): Row[] | undefined {
  const rows: Row[] = [];
  let from = 0;
  for (const [at, row] of replace.entries()) {
    if (!row.isElision) {
      const isBehind = at > 0 && replace[at - 1]?.isElision;
      // The blank lines above it were hidden too.
      rows.push(
        isBehind
          ? { ...row, blanksAbove: search[from]?.blanksAbove ?? 0, blankLines: search[from]?.blankLines ?? [] }
          : row,
      );
      continue;
    }
    const above = at === 0 ? -1 : onlyPlace(search, replace[at - 1]);
    const below = at === replace.length - 1 ? search.length : onlyPlace(search, replace[at + 1]);
    if (above === undefined || below === undefined || above < from - 1 || below <= above) return undefined;
    if (below === above + 1 && !search[below]?.blanksAbove) return undefined;
    // At an end, all of the search up to its neighbour; alone it says nothing.
    if (replace.length === 1) return undefined;
    for (const between of search.slice(above + 1, below)) rows.push(between);
    from = below;
  }
  const isDistinct = replace.every(
    ({ isElision }, at) =>
      !isElision || [replace[at - 1], replace[at + 1]].every((row) => row === undefined || isDistinctive(row)),
  );
  return isDistinct || balanceOf(rows) === balanceOf(search) ? rows : undefined;
}

function isDistinctive({ body }: Row): boolean {
  return /[\p{L}\p{N}]{2}/u.test(body);
}

function balanceOf(rows: readonly Row[]): string {
  return bracketBalance(rows.map(({ body }) => body)).join();
}

function onlyPlace(search: readonly Row[], row: Row | undefined): number | undefined {
  const places = search.flatMap((other, at) => (other.body === row?.body ? [at] : []));
  return places.length === 1 ? places[0] : undefined;
}
