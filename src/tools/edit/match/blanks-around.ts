import type { Sides } from '../sides.ts';
import type { Match } from './find-block.ts';
import { isBlank } from './line-forms.ts';
import type { LineChange } from './text-lines.ts';

/** More than the one line end by which models differ without meaning it. */
export function endsTellMore({ search, replace }: Sides): boolean {
  return Math.abs(search.leading - replace.leading) > 1 || Math.abs(search.trailing - replace.trailing) > 1;
}

/** Blank lines before and after that only one side has. One line end more or less says nothing, unless nothing else changes. */
export function blanksAround(
  { search, replace }: Sides,
  match: Match,
  lines: readonly string[],
  alone: boolean,
): LineChange[] {
  if (match.prefix !== '' || match.suffix !== '') return [];
  const more = (wanted: number, shown: number) => {
    if (alone || (wanted > 0 && shown > 0)) return wanted - shown;
    return Math.max(0, wanted - 1) - Math.max(0, shown - 1);
  };
  const above = more(replace.rows.length === 0 ? 0 : replace.leading, search.leading);
  const below = more(replace.rows.length === 0 ? 0 : replace.trailing, search.trailing);
  const changes: LineChange[] = [];
  const blanksFrom = (from: number, step: number) => {
    let count = 0;
    while (lines[from + count * step] !== undefined && isBlank(lines[from + count * step] ?? '')) count++;
    return count;
  };
  if (above > 0) changes.push({ start: match.first, end: match.first, lines: Array.from({ length: above }, () => '') });
  const up = Math.min(-above, blanksFrom(match.first - 1, -1));
  if (up > 0) changes.push({ start: match.first - up, end: match.first, lines: [] });
  if (below > 0)
    changes.push({ start: match.last + 1, end: match.last + 1, lines: Array.from({ length: below }, () => '') });
  const down = Math.min(-below, blanksFrom(match.last + 1, 1));
  if (down > 0) changes.push({ start: match.last + 1, end: match.last + 1 + down, lines: [] });
  return changes;
}
