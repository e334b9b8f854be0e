/** Maximal runs of lines that differ, by the longest common subsequence of what lies between the equal ends (capped). */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): { start: number; old: string[]; new: string[] }[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++;
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  if (old.length * fresh.length > 4_000_000) return [];
  const width = fresh.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      const below = lengths[(i + 1) * width + j] ?? 0;
      const right = lengths[i * width + j + 1] ?? 0;
      lengths[i * width + j] =
        old[i] === fresh[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(below, right);
    }
  }
  return collect(old, fresh, lengths, head);
}

function collect(old: readonly string[], fresh: readonly string[], lengths: Uint16Array, offset: number) {
  const width = fresh.length + 1;
  const hunks: { start: number; old: string[]; new: string[] }[] = [];
  let [i, j] = [0, 0];
  let open: { start: number; old: string[]; new: string[] } | undefined;
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      open = undefined;
      i++;
      j++;
      continue;
    }
    if (open === undefined) {
      open = { start: offset + i, old: [], new: [] };
      hunks.push(open);
    }
    const down = lengths[(i + 1) * width + j] ?? 0;
    const right = lengths[i * width + j + 1] ?? 0;
    if (j >= fresh.length || (i < old.length && down >= right)) open.old.push(old[i++] ?? '');
    else open.new.push(fresh[j++] ?? '');
  }
  return hunks;
}
