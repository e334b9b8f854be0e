export interface ChangedRange {
  from: number;
  to: number;
  fresh: readonly string[];
}

/**
 * Returns a range of lines outside of which two texts with `\n` ends are equal; it may end with equal lines. `lines`
 * are those of the first. The texts are compared as blocks and not split again: in a long text that costs ten times as
 * much and leaves its lines to the garbage collector.
 */
export function changedRange(lines: readonly string[], old: string, now: string): ChangedRange {
  const common = commonStart(old, now);
  // The end of a text ends a line like any other.
  const isEnd = (text: string) => common === text.length || text[common] === '\n';
  const same = common + (isEnd(old) && isEnd(now) ? 1 : 0);
  let [from, start] = [0, 0];
  for (let line = lines[0]; line !== undefined && start + line.length < same; line = lines[from]) {
    start += line.length + 1;
    from++;
  }
  const sameEnd = commonEnd(old.slice(start), now.slice(start));
  let [to, end] = [lines.length, 0];
  // A line is equal only if the line end before it is, too.
  for (let line = lines[to - 1]; line !== undefined && end + line.length < sameEnd; line = lines[to - 1]) {
    end += line.length + 1;
    to--;
  }
  const isNone = start + end > now.length;
  return { from, to, fresh: isNone ? [] : now.slice(start, now.length - end).split('\n') };
}

function commonStart(one: string, other: string): number {
  let [low, high] = [0, Math.min(one.length, other.length)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (one.slice(low, middle) === other.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function commonEnd(one: string, other: string): number {
  let [low, high] = [0, Math.min(one.length, other.length)];
  const part = (text: string, far: number, near: number) => text.slice(text.length - far, text.length - near);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (part(one, middle, low) === part(other, middle, low)) low = middle;
    else high = middle - 1;
  }
  return low;
}
