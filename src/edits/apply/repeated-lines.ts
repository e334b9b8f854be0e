import { isBlank } from '../match/line-tolerance.ts';
import type { LineChange } from '../match/text-lines.ts';

const maxRepeated = 5;
const pairs = ['{}', '()', '[]'] as const;

/**
 * Drops lines at the ends of a replacement that duplicate the lines of the file above or below it if that restores
 * the bracket balance; else keeps them and returns a note.
 */
export function dropRepeatedLines(
  changes: readonly LineChange[],
  lines: readonly string[],
): { changes: LineChange[]; note?: string } {
  const notes: string[] = [];
  const mended = changes.flatMap((change) => {
    let rest = change;
    for (const side of ['below', 'above'] as const) {
      const count = countRepeated(rest, lines, side, changes.length > 1);
      if (count === 0) continue;
      const [from, to] = side === 'below' ? [rest.lines.length - count, rest.lines.length] : [0, count];
      const first = (side === 'below' ? rest.end : rest.start - count) + 1;
      const which = count === 1 ? `line ${first}` : `lines ${first}–${first + count - 1}`;
      if ([[rest], changes].some((all) => isSecond(all, rest.lines.slice(from, to), lines))) {
        notes.push(`the replacement repeated ${which}, which was left out`);
        rest = { ...rest, lines: rest.lines.toSpliced(from, count) };
      } else {
        const [verb, place] = side === 'below' ? ['ends', 'follows'] : ['begins', 'comes before'];
        notes.push(
          `the replacement ${verb} like ${which} of the file before, which ${place} it: check that it should stand twice`,
        );
      }
    }
    const [begin = ''] = rest.lines;
    // As where the search has only the first line of what is rewritten.
    const goesOn = rest.lines.length > 2 && begin === lines[rest.end] && /\p{L}{3}/u.test(begin);
    if (goesOn && rest.start === rest.end && notes.length === 0)
      notes.push(
        `line ${rest.end + 1} of the file before is in the replacement and still follows it: check that it should stand twice`,
      );
    return rest.lines.length === 0 && rest.start === rest.end ? [] : [rest];
  });
  return { changes: mended, ...(notes.length > 0 && { note: notes.join('; ') }) };
}

function countRepeated(
  { start, end, lines: fresh }: LineChange,
  lines: readonly string[],
  side: 'above' | 'below',
  isPart: boolean,
): number {
  // Read from the end that touches the repeated lines; what is outermost comes last.
  const [own, near, old] =
    side === 'below'
      ? [fresh, lines.slice(end, end + maxRepeated), lines[end - 1]]
      : [fresh.toReversed(), lines.slice(Math.max(0, start - maxRepeated), start).toReversed(), lines[start]];
  const max = isPart && start === end ? own.length : own.length - 1;
  for (let count = Math.min(maxRepeated, max); count > 0; count--) {
    const part = own.slice(own.length - count);
    const stands = part.every((line, at) => line === near[at]);
    // Lines of the same kind one after another, as in a list, say nothing.
    const isRun = (start < end && old === part[0]) || own[own.length - count - 1] === part[0];
    if (stands && !isRun && !isBlank(part[0] ?? '') && !isBlank(part.at(-1) ?? '')) return count;
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
