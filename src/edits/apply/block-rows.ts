import type { LineIndex } from '../match/line-index.ts';
import { isBlank, normalizeLine } from '../match/line-tolerance.ts';
import type { EditBlock } from '../match/readings.ts';
import { isBareDots, looksElided, type Rows, toRows } from '../match/rows.ts';

export interface BlockRows {
  search: Rows;
  replace: Rows;
}

export function sidesOf(block: EditBlock, index: LineIndex): BlockRows[] {
  const ways = [rowsOfBlock(block, index)];
  const isOwn = (line: string) => index.count('body', normalizeLine(line, 'body')) > 0;
  for (const isElision of [(line: string) => looksElided(line) && !isOwn(line), looksElided]) {
    const search = toRows(block.search.split('\n'), isElision);
    if (search.rows.some((row) => row.isElision))
      ways.push({ search, replace: toRows(block.replace.split('\n'), isElision) });
  }
  return ways;
}

export function rowsOfBlock({ search, replace }: EditBlock, index: LineIndex): BlockRows {
  const shown = toRows(search.split('\n'));
  const known = new Set(shown.rows.map(({ body }) => body));
  const lines = replace.split('\n').filter((line) => !isBlank(line));
  const bodies = new Set(lines.map((line) => line.trim()));
  const isComplete = shown.rows.every(({ body }) => bodies.has(body));
  const meant = new Set(
    lines.filter((line, at) => {
      const above = lines[at - 1]?.trim() ?? '';
      // Python's `...` as the whole of a new body is no elision.
      if (isBareDots(line) && above.endsWith(':') && !known.has(above)) return true;
      // Nor are dots that are a line of the file, when the replacement repeats every line of the search.
      return isComplete && at > 0 && at < lines.length - 1 && index.count('body', normalizeLine(line, 'body')) > 0;
    }),
  );
  const isElision = (line: string) => looksElided(line) && !known.has(line.trim()) && !meant.has(line);
  return { search: shown, replace: toRows(replace.split('\n'), isElision) };
}
