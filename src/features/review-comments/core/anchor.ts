import * as z from 'zod/mini';
import { diffLineHunks } from '../../../edits/apply/line-diff.ts';
import type { LineChange } from '../../../edits/pending/row-changes.ts';

const lines = z.array(z.string());

export const anchorSchema = z.object({
  /** Lines count from 0. */
  first: z.int(),
  /** The count is 0 when none of the lines is left. */
  count: z.int(),
  quote: lines,
  above: lines,
  below: lines,
});
export type Anchor = z.infer<typeof anchorSchema>;

const linesAround = 2;

export function anchorAt(text: readonly string[], first: number, count: number): Anchor {
  const end = first + count;
  return {
    first,
    count,
    quote: text.slice(first, end),
    above: text.slice(Math.max(0, first - linesAround), first),
    below: text.slice(end, end + linesAround),
  };
}

/** Moves the anchor after a change of the text `before`. Lines inserted at its edge do not belong to it. */
export function movedAnchor(anchor: Anchor, before: readonly string[], change: LineChange): Anchor {
  const there = before.slice(change.start, change.start + change.count);
  // One event can replace a whole file of which few lines differ: bottom up, so that none moves those that follow.
  return diffLineHunks(there, change.lines)
    .toReversed()
    .map((hunk) => ({ start: change.start + hunk.before.start, count: hunk.before.count, fresh: hunk.after.count }))
    .reduce(moved, anchor);
}

function moved(anchor: Anchor, { start, count, fresh }: { start: number; count: number; fresh: number }): Anchor {
  const [end, last] = [start + count, anchor.first + anchor.count];
  if (start >= last) return anchor;
  if (end <= anchor.first) return { ...anchor, first: anchor.first + fresh - count };
  const isWithin = start >= anchor.first && end <= last;
  if (isWithin) return { ...anchor, count: anchor.count + fresh - count };
  // Lines that came for some of these and some others are nobody's.
  if (start >= anchor.first) return { ...anchor, count: start - anchor.first };
  return { ...anchor, first: start + fresh, count: Math.max(0, last - end) };
}

/**
 * Finds the lines in a text that was not followed: where they occur once, else where the lines around them match
 * best, else nearest to the old position.
 */
export function foundAnchor(anchor: Anchor, text: readonly string[]): Anchor | undefined {
  const { quote, above, below, first } = anchor;
  const places = text.flatMap((_, at) => (isAt(text, at, quote) ? [at] : []));
  const around = (at: number) => {
    const end = at + quote.length;
    const over = above.filter((line, offset) => text[at - above.length + offset] === line);
    return over.length + below.filter((line, offset) => text[end + offset] === line).length;
  };
  const [best] = places.toSorted((a, b) => around(b) - around(a) || Math.abs(a - first) - Math.abs(b - first));
  return best === undefined || quote.length === 0 ? undefined : { ...anchor, first: best, count: quote.length };
}

export function isUnchanged({ first, count, quote }: Anchor, text: readonly string[]): boolean {
  return count === quote.length && isAt(text, first, quote);
}

function isAt(text: readonly string[], at: number, quote: readonly string[]): boolean {
  return quote.every((line, offset) => text[at + offset] === line);
}
