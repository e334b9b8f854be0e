import { type Match, matchOfLines } from './find-block.ts';
import type { LineIndex } from './line-index.ts';
import { normalizeLine } from './line-tolerance.ts';
import { pairRows } from './pair-rows.ts';
import type { Row } from './rows.ts';

const minRows = 6;
const maxRows = 200;
const maxPlacesOfRow = 40;

/**
 * Finds rows that lack exactly one line of the file, where all others match in order at one position only. The lines
 * around the gap must follow each other in the replacement, so that what is between them is neither changed nor
 * known.
 */
export function findForgotten(
  index: LineIndex,
  search: readonly Row[],
  replace: readonly Row[],
): { match: Match; line: number } | undefined {
  if (search.length < minRows || search.length > maxRows || search.some(({ isElision }) => isElision)) return undefined;
  const keys = search.map(({ text }) => normalizeLine(text, 'plain'));
  const forms = index.forms('plain');
  const found = [...startsOf(index, keys)].flatMap((start) => {
    const gap = keys.findIndex((key, at) => key !== forms[start + at]);
    const isOne = gap > 0 && keys.slice(gap).every((key, at) => key === forms[start + gap + 1 + at]);
    return isOne ? [{ start, gap }] : [];
  });
  const [one, other] = found;
  if (one === undefined || other !== undefined) return undefined;
  const fresh = replace.map(({ text }) => normalizeLine(text, 'plain'));
  const pairs = pairRows(keys, fresh);
  const above = pairs.indexOf(one.gap - 1);
  if (above < 0 || pairs[above + 1] !== one.gap || fresh.includes(forms[one.start + one.gap] ?? '')) return undefined;
  const places = keys.map((_key, at) => one.start + at + (at < one.gap ? 0 : 1));
  const lines = places.map((place) => index.lineAt[place] ?? -1);
  return { match: matchOfLines('plain', lines), line: index.lineAt[one.start + one.gap] ?? -1 };
}

function startsOf(index: LineIndex, keys: readonly string[]): Set<number> {
  const counts = keys.map((key) => index.count('plain', key));
  const least = Math.min(...counts);
  if (least === 0 || least > maxPlacesOfRow) return new Set();
  const rarest = counts.indexOf(least);
  const places = index.places('plain', keys[rarest] ?? '');
  return new Set(places.flatMap((place) => [place - rarest, place - rarest - 1]).filter((start) => start >= 0));
}
