/**
 * Returns the hunks of a one-file diff that hold these lines, counted from 1 in the new text, with the head of the
 * diff. Returns all hunks when none does.
 */
export function hunksAround(diff: string, { start, end }: { start: number; end: number }): string {
  const [head = '', ...hunks] = diff.split(/^(?=@@ )/m);
  const found = hunks.filter((hunk) => {
    const match = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(hunk);
    if (match === null) return false;
    const first = Number(match[1]);
    const count = match[2] === undefined ? 1 : Number(match[2]);
    return first <= end && first + Math.max(1, count) > start;
  });
  return found.length === 0 ? diff : [head, ...found].join('');
}
