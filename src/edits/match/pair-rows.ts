import type { Row } from './rows.ts';

/** Beyond this many comparisons, what lies between the equal ends counts as changed. */
const maxCells = 400_000;

/** Returns for each of `after` the index of its partner in `before`, or -1, by a longest common subsequence. */
export function pairRows(before: readonly string[], after: readonly string[]): number[] {
  const pairs: number[] = after.map(() => -1);
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) {
    pairs[head] = head;
    head++;
  }
  let tail = 0;
  const shorter = Math.min(before.length, after.length) - head;
  while (tail < shorter && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail++;
    pairs[after.length - tail] = before.length - tail;
  }
  const [rows, columns] = [before.length - head - tail, after.length - head - tail];
  if (rows <= 0 || columns <= 0 || rows * columns > maxCells) return pairs;
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const isSame = before[head + i] === after[head + j];
      lengths[i * width + j] = isSame ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (before[head + i] === after[head + j]) pairs[head + j++] = head + i++;
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** Returns for each new row the row that it replaces, in order, and the most similar when their numbers differ. */
export function counterpartsOf(search: readonly Row[], replace: readonly Row[], pairs: readonly number[]): number[] {
  const counterparts = pairs.map(() => -1);
  let previous = -1;
  for (let at = 0; at < pairs.length; ) {
    if ((pairs[at] ?? -1) >= 0) {
      previous = pairs[at++] ?? previous;
      continue;
    }
    let end = at;
    while (end < pairs.length && (pairs[end] ?? -1) < 0) end++;
    const next = end < pairs.length ? (pairs[end] ?? search.length) : search.length;
    const gone = search.slice(previous + 1, next);
    let from = 0;
    for (let row = at; row < end; row++) {
      const which = gone.length === end - at ? row - at : likest(replace[row], gone, from);
      if (which < 0) continue;
      counterparts[row] = previous + 1 + which;
      from = which + 1;
    }
    at = end;
  }
  return counterparts;
}

function likest(row: Row | undefined, gone: readonly Row[], from: number): number {
  let best = -1;
  let bestShare = 0.5;
  for (let at = from; row !== undefined && at < gone.length; at++) {
    const share = sharedEnds(row.body, gone[at]?.body ?? '');
    if (share > bestShare) [best, bestShare] = [at, share];
  }
  return best;
}

export function sharedEnds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return (head + tail) / Math.max(1, a.length, b.length);
}
