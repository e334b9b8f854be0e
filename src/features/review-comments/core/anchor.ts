import * as z from 'zod/mini';
import { diffLineHunks } from '../../../edits/apply/line-diff.ts';
import type { LineChange } from '../../../edits/pending/row-changes.ts';

const lines = z.array(z.string());

/** Lines of a text that something is said about, as they were then; with two around them, to be found again. */
export const anchorSchema = z.object({
  /** From 0. */
  first: z.int(),
  /** 0: nothing of them is left. */
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

/** Where the lines are after a change of the text `before` it. What is put in at their edge is not theirs. */
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

/** The lines in a text that was not followed: where they are alone, else where most around them is as it was, else the nearest. */
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

/** Whether exactly the lines that something was said about stand there. */
export function isUnchanged({ first, count, quote }: Anchor, text: readonly string[]): boolean {
  return count === quote.length && isAt(text, first, quote);
}

function isAt(text: readonly string[], at: number, quote: readonly string[]): boolean {
  return quote.every((line, offset) => text[at + offset] === line);
}
