import { isBlank } from '../match/line-forms.ts';
import type { LineChange } from '../match/text-lines.ts';

const maxRepeated = 5;
const pairs = ['{}', '()', '[]'] as const;

/**
 * Drops trailing replacement lines that duplicate the next lines of the file if that restores the bracket balance;
 * else keeps them and returns a note.
 */
export function dropRepeatedLines(
  changes: readonly LineChange[],
  lines: readonly string[],
): { changes: LineChange[]; note?: string } {
  const notes: string[] = [];
  const mended = changes.flatMap((change) => {
    const count = repeatedBehind(change, lines, changes.length > 1);
    if (count === 0) return [change];
    const rest = { ...change, lines: change.lines.slice(0, change.lines.length - count) };
    const which = count === 1 ? `line ${change.end + 1}` : `lines ${change.end + 1}–${change.end + count}`;
    const tail = change.lines.slice(-count);
    if (![[change], changes].some((all) => isSecond(all, tail, lines))) {
      notes.push(`the replacement ends as ${which} before it, which follows it: check that it should stand twice`);
      return [change];
    }
    notes.push(`the replacement repeated ${which}, which was left out`);
    return rest.lines.length === 0 && rest.start === rest.end ? [] : [rest];
  });
  return { changes: mended, ...(notes.length > 0 && { note: notes.join('; ') }) };
}

function repeatedBehind({ start, end, lines: fresh }: LineChange, lines: readonly string[], isPart: boolean): number {
  const max = isPart && start === end ? fresh.length : fresh.length - 1;
  for (let count = Math.min(maxRepeated, max); count > 0; count--) {
    const tail = fresh.slice(fresh.length - count);
    const stands = tail.every((line, at) => line === lines[end + at]);
    // Lines of the same kind one after another, as in a list, say nothing.
    const isRun = (start < end && lines[end - 1] === tail[0]) || fresh[fresh.length - count - 1] === tail[0];
    if (stands && !isRun && !isBlank(tail[0] ?? '') && !isBlank(tail.at(-1) ?? '')) return count;
  }
  return 0;
}

function isSecond(changes: readonly LineChange[], tail: readonly string[], lines: readonly string[]): boolean {
  const old = changes.flatMap(({ start, end }) => lines.slice(start, end));
  const fresh = changes.flatMap((change) => change.lines);
  const counted = pairs.map((pair) => {
    const repeated = balance(tail, pair);
    return [balance(old, pair), balance(fresh, pair) - repeated, repeated];
  });
  const isUneven = counted.some(([, , repeated]) => repeated !== 0);
  const isKept = counted.every(([before, after]) => before === after);
  const concerned = pairs.filter((_pair, at) => counted[at]?.[2] !== 0);
  return isUneven && isKept && concerned.every((pair) => balance(lines, pair) === 0);
}

export function bracketBalance(lines: readonly string[]): number[] {
  return pairs.map((pair) => balance(lines, pair));
}

function balance(lines: readonly string[], [open, close]: string): number {
  let depth = 0;
  for (const line of lines) {
    for (const sign of line) depth += sign === open ? 1 : sign === close ? -1 : 0;
  }
  return depth;
}
