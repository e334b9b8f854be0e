/** Beyond this many comparisons what lies between the equal ends counts as changed. */
const maxCells = 400_000;

/** For each of `after` the index of the one of `before` that it is, or -1: a longest common subsequence. */
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
