import { bracketBalance } from '../../../edits/apply/repeated-lines.ts';
import { type LineTolerance, normalizeLine } from '../../../edits/match/line-tolerance.ts';
import { pairRows, sharedEnds } from '../../../edits/match/pair-rows.ts';
import { looksElided, type Row, toRows } from '../../../edits/match/rows.ts';

export interface SurroundedPart {
  lines: readonly string[];
  /** Lines count from 0, and both ends are included. */
  first: number;
  last: number;
}

/**
 * `wider` means that lines outside of the part are changed too. `unclear` means that a line at its edge may be a
 * repetition or a change.
 */
export type Inner =
  | {
      lines: readonly string[];
      /** Says that the repeated lines have the indentation of the document, so that the others have it as well. */
      isPlaced: boolean;
    }
  | { problem: 'wider' | 'unclear' };

interface Place {
  above: readonly string[];
  part: readonly KeyedRow[];
  below: readonly string[];
  counts: ReadonlyMap<string, number>;
  doubled: ReadonlySet<string>;
}

/**
 * Removes the lines around the part that an answer repeats: a line or two, everything that was sent, or the whole
 * document.
 */
export function withoutSurroundings(answer: readonly string[], whole: SurroundedPart): Inner {
  const part = whole.lines.slice(whole.first, whole.last + 1);
  // Only an answer that was moved as a whole may repeat lines at another depth than theirs.
  const form = depthOf(answer) === depthOf(part) ? 'exact' : 'body';
  const place = placeOf(whole, form);
  const all = keyedRows(answer, form);
  const rows = withoutElidedEnds(all, place);
  if (rows === undefined) return { problem: 'unclear' };
  const best = chooseCut(rows, place);
  if (best === undefined) return { problem: 'unclear' };
  const [from, to] = [best.above, rows.length - best.below];
  const inner = rows.slice(from, to);
  if (isWider(inner, place)) return { problem: 'wider' };
  if (inner.length === all.length) return { lines: answer, isPlaced: false };
  const [top, bottom] = [inner[0], inner.at(-1)];
  const known = new Set(whole.lines.map((line) => line.trimEnd()));
  const isPlaced = [...rows.slice(0, from), ...rows.slice(to)].some(({ text }) => known.has(text));
  return { lines: top && bottom ? answer.slice(top.line, bottom.line + 1) : [], isPlaced };
}

/** A row with the form in which it is compared, and the number of its line. */
interface KeyedRow extends Row {
  key: string;
  line: number;
}

function keyedRows(lines: readonly string[], form: LineTolerance): KeyedRow[] {
  const numbers = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]));
  return toRows(lines).rows.map((row, at) => ({ ...row, key: normalizeLine(row.text, form), line: numbers[at] ?? 0 }));
}

function depthOf(lines: readonly string[]): number {
  return Math.min(...toRows(lines).rows.map(({ indent }) => indent.length));
}

function placeOf({ lines, first, last }: SurroundedPart, form: LineTolerance): Place {
  const keys = (some: readonly string[]) => keyedRows(some, form).map(({ key }) => key);
  const all = keys(lines);
  const counts = new Map<string, number>();
  for (const key of all) counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    above: keys(lines.slice(0, first)),
    part: keyedRows(lines.slice(first, last + 1), form),
    below: keys(lines.slice(last + 1)),
    counts,
    doubled: new Set(all.filter((key, at) => all[at + 1] === key)),
  };
}

/**
 * Removes `// ... existing code ...` around the part, with the document lines beyond it. Returns undefined where one
 * end stands for lines around the part and the other for lines of the part itself.
 */
function withoutElidedEnds(
  rows: readonly KeyedRow[],
  { above, part, below, counts }: Place,
): readonly KeyedRow[] | undefined {
  const own = new Set(part.map(({ key }) => key));
  const isMark = (row: KeyedRow) => looksElided(row.body) && !own.has(row.key);
  const isFrom = (some: readonly KeyedRow[], side: readonly string[]) => {
    const keys = some.map(({ key }) => key);
    const isOther = keys.some((key) => counts.get(key) === 1) && !keys.some((key) => own.has(key));
    return isOther && pairRows(side, keys).every((at) => at >= 0);
  };
  const areSame = (some: readonly KeyedRow[], others: readonly KeyedRow[]) =>
    some.map(({ key }) => key).join('\n') === others.map(({ key }) => key).join('\n') &&
    some.some((row) => counts.get(row.key) === 1);
  const top = rows.findIndex(isMark);
  const isAbove = top > 0 ? isFrom(rows.slice(0, top), above) : areSame(rows.slice(1, 3), part.slice(0, 2));
  const from = top >= 0 && isAbove ? top + 1 : 0;
  const bottom = rows.findLastIndex(isMark);
  const tail = rows.slice(bottom + 1);
  const isBelow = tail.length > 0 ? isFrom(tail, below) : areSame(rows.slice(0, bottom).slice(-2), part.slice(-2));
  const to = bottom >= from && isBelow ? bottom : rows.length;
  const isLeft = rows.slice(from, to).some((row, at, all) => (at === 0 || at === all.length - 1) && isMark(row));
  return isLeft && (from > 0 || to < rows.length) ? undefined : rows.slice(from, to);
}

function isAlike(one: KeyedRow | undefined, other: KeyedRow | undefined): boolean {
  return one !== undefined && other !== undefined && (one.key === other.key || sharedEnds(one.body, other.body) > 0.5);
}

interface Cut {
  above: number;
  below: number;
}

function chooseCut(rows: readonly KeyedRow[], place: Place): Cut | undefined {
  const keys = rows.map(({ key }) => key);
  // A trimmed answer lost the indentation of its first line.
  const aboves = repeats(keys, place.above, (key) => key.trimStart());
  const belows = repeats(keys.toReversed(), place.below.toReversed());
  const cuts = aboves.flatMap((above) => belows.map((below) => ({ above, below })));
  const scored = cuts
    .filter(({ above, below }) => above + below <= rows.length)
    .map((cut) => ({ cut, score: scoreOf(rows, place, cut) }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  return best !== undefined && second !== undefined && best.score - second.score < 1 ? undefined : best?.cut;
}

function repeats(keys: readonly string[], side: readonly string[], asFirst = (key: string) => key): number[] {
  const found = [0];
  const max = Math.min(keys.length, side.length);
  for (let count = 1; count <= max; count++) {
    const start = side.length - count;
    const first = side[start] ?? '';
    let at = keys[0] === first || keys[0] === asFirst(first) ? 1 : 0;
    while (at > 0 && at < count && keys[at] === side[start + at]) at++;
    if (at === count) found.push(count);
  }
  return found;
}

const maxReported = 3;

function scoreOf(rows: readonly KeyedRow[], { part, counts, doubled }: Place, { above, below }: Cut): number {
  const inner = rows.slice(above, rows.length - below);
  const bodies = (some: readonly Row[]) => some.map(({ body }) => body);
  const isBalanced = bracketBalance(bodies(inner)).join() === bracketBalance(bodies(part)).join();
  const ends = new Set([part[0], part.at(-1)].map((row) => row?.key));
  const isDistinctive = (row: KeyedRow) => {
    const key = row.key;
    return counts.has(key) && !doubled.has(key) && !ends.has(key) && /[\p{L}\p{N}]{2}/u.test(key);
  };
  const told = (some: readonly KeyedRow[]) => Math.min(maxReported, some.filter(isDistinctive).length);
  const depth = (some: readonly Row[]) => (some.at(-1)?.indent.length ?? 0) - (some[0]?.indent.length ?? 0);
  return (
    (isBalanced ? 0 : -3) +
    (isAlike(inner[0], part[0]) ? 2 : 0) +
    (isAlike(inner.at(-1), part.at(-1)) ? 2 : 0) +
    (depth(inner) === depth(part) ? 1 : 0) +
    told(rows.slice(0, above)) +
    told(below === 0 ? [] : rows.slice(-below))
  );
}

/**
 * True when the answer has other lines of the document with new ones between them and the part. It is recognized by a
 * unique line at the answer's end, by the line beside the part, or by a majority of known lines.
 */
function isWider(inner: readonly KeyedRow[], { above, part, below, counts }: Place): boolean {
  const keys = inner.map(({ key }) => key);
  const own = new Set(part.map(({ key }) => key));
  const isDistinctive = (key: string) => counts.get(key) === 1 && /[\p{L}\p{N}]{2}/u.test(key);
  const isPart = (key: string) => isDistinctive(key) && own.has(key);
  const isFrom = (some: readonly string[], side: readonly string[]) => {
    const known = new Set(side.filter((key) => !own.has(key)));
    const shown = some.filter((key) => known.has(key));
    const others = some.filter((key) => !own.has(key));
    const isDistinct = (key = '') => isDistinctive(key) && known.has(key);
    const beside = side.at(-1);
    const hasBeside = isDistinct(beside) && some.some((key) => key === beside);
    return isDistinct(some[0]) || hasBeside || (shown.length * 5 >= others.length * 3 && shown.some(isDistinctive));
  };
  const isAt = (row: KeyedRow | undefined, end: KeyedRow | undefined) => row && end && row.key === end.key;
  const top = keys.findIndex(isPart);
  const head = top < 0 ? keys : keys.slice(0, top);
  const tail = keys.slice(keys.findLastIndex(isPart) + 1).toReversed();
  return (
    (!isAt(inner[0], part[0]) && isFrom(head, above)) ||
    (!isAt(inner.at(-1), part.at(-1)) && isFrom(tail, below.toReversed()))
  );
}
