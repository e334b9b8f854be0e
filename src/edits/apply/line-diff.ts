import { diffArrays } from 'diff';

export interface LineHunk {
  before: { start: number; count: number };
  after: { start: number; count: number };
}

/**
 * Beyond these limits (`timeout` in milliseconds), one hunk spans the first to the last difference, because an uncapped diff can take half a
 * minute.
 */
const limits = { maxEditLength: 4000, timeout: 300 };

export function splitLines(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Returns the hunks in order, never adjacent. Lines count from 0. */
export function diffLineHunks(before: readonly string[], after: readonly string[]): LineHunk[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const middle: LineHunk = {
    before: { start: head, count: before.length - head - tail },
    after: { start: head, count: after.length - head - tail },
  };
  if (middle.before.count === 0 && middle.after.count === 0) return [];
  if (middle.before.count === 0 || middle.after.count === 0) return [middle];
  return diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail), head) ?? [middle];
}

function diffMiddle(before: string[], after: string[], offset: number): LineHunk[] | undefined {
  const changes = diffArrays(before, after, limits);
  if (changes === undefined) return undefined;
  const hunks: LineHunk[] = [];
  let open: LineHunk | undefined;
  let beforeAt = offset;
  let afterAt = offset;
  for (const { added, removed, count } of changes) {
    if (!added && !removed) {
      open = undefined;
      beforeAt += count;
      afterAt += count;
      continue;
    }
    if (open === undefined) {
      open = { before: { start: beforeAt, count: 0 }, after: { start: afterAt, count: 0 } };
      hunks.push(open);
    }
    if (added) {
      open.after.count += count;
      afterAt += count;
    } else {
      open.before.count += count;
      beforeAt += count;
    }
  }
  return hunks;
}
