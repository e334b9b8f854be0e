/** Line numbers count from 1, as in git. A place without lines stands behind its number. */
export interface UnifiedHunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
  text: string;
}

/** Splits a one-file diff, as git writes it, into what stands before its first hunk and its hunks. */
export function splitDiff(diff: string): { head: string; hunks: UnifiedHunk[] } {
  const parts = diff.split(/^(?=@@ )/m);
  const head = parts[0]?.startsWith('@@ ') === false ? parts.shift() : undefined;
  return { head: head ?? '', hunks: parts.filter((text) => text !== '').map(hunkOf) };
}

function hunkOf(text: string): UnifiedHunk {
  const [, ...found] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?/.exec(text) ?? [];
  const [oldStart, oldCount, newStart, newCount] = found.map((number) => Number(number ?? 1));
  return { oldStart: oldStart ?? 0, oldCount: oldCount ?? 1, newStart: newStart ?? 0, newCount: newCount ?? 1, text };
}

/**
 * Returns the hunks of a one-file diff that hold these lines, counted from 1 in the new text, with the head of the
 * diff. Returns all hunks when none does.
 */
export function hunksAround(diff: string, { start, end }: { start: number; end: number }): string {
  const { head, hunks } = splitDiff(diff);
  const found = hunks.filter(({ newStart, newCount }) => newStart <= end && newStart + Math.max(1, newCount) > start);
  return found.length === 0 ? diff : [head, ...found.map(({ text }) => text)].join('');
}
