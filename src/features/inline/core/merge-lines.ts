import { diffLineHunks, type LineHunk } from '../../../edits/apply/line-diff.ts';

/** Merges both changes of `ancestor`. Returns undefined where they meet. */
export function mergeLines(
  ancestor: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string[] | undefined {
  const mine = diffLineHunks(ancestor, ours).map((hunk) => ({ hunk, lines: slice(ours, hunk.after) }));
  const other = diffLineHunks(ancestor, theirs).map((hunk) => ({ hunk, lines: slice(theirs, hunk.after) }));
  const same = (a: (typeof mine)[number], b: (typeof mine)[number]) =>
    a.hunk.before.start === b.hunk.before.start &&
    a.hunk.before.count === b.hunk.before.count &&
    a.lines.join('') === b.lines.join('');
  const fresh = other.filter((one) => !mine.some((known) => same(known, one)));
  if (fresh.some(({ hunk }) => mine.some((known) => touches(hunk.before, known.hunk.before)))) return undefined;
  const result = [...ancestor];
  const lastFirst = [...mine, ...fresh].sort((a, b) => b.hunk.before.start - a.hunk.before.start);
  for (const { hunk, lines } of lastFirst) result.splice(hunk.before.start, hunk.before.count, ...lines);
  return result;
}

type Range = LineHunk['before'];

function touches(a: Range, b: Range): boolean {
  const [aEnd, bEnd] = [a.start + a.count, b.start + b.count];
  return a.count === 0 || b.count === 0 ? a.start <= bEnd && b.start <= aEnd : a.start < bEnd && b.start < aEnd;
}

function slice(lines: readonly string[], { start, count }: Range): string[] {
  return lines.slice(start, start + count);
}
