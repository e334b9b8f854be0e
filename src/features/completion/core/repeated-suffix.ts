import { indentOf } from '../../../edits/match/line-tolerance.ts';
import type { CaretContext } from './completion-request.ts';
import { createUnevenness } from './unevenness.ts';

const maxBelow = 3;

/**
 * Removes the longest repetition of the lines below the caret at the end of the answer, and the rest of the caret's
 * line in front of them. Lines without words, such as brackets, count only at the same depth, because no two close at
 * one depth. `knowsDepth` means that the answer has its final indentation.
 */
export function withoutLinesBelow(
  lines: readonly string[],
  { before, after }: CaretContext,
  knowsDepth: boolean,
): readonly string[] {
  const [rest = '', ...below] = after.split('\n');
  const next = below.filter((line) => line.trim() !== '').slice(0, maxBelow);
  const own = indentOf(before.slice(before.lastIndexOf('\n') + 1));
  for (let count = next.length; count > 0; count--) {
    const kept = beforeLines(lines, next.slice(0, count), knowsDepth ? own : undefined);
    if (kept === undefined || isRepeating(kept, next.slice(0, count))) continue;
    if (rest.trim() === '') return kept;
    const last = (kept.at(-1) ?? '').trimEnd();
    if (last.endsWith(rest.trim())) return [...kept.slice(0, -1), last.slice(0, -rest.trim().length)];
  }
  return lines;
}

function beforeLines(lines: readonly string[], known: readonly string[], own?: string): readonly string[] | undefined {
  let end = lines.length;
  let isPlaced = false;
  for (const line of known.toReversed()) {
    while (end > 0 && lines[end - 1]?.trim() === '') end--;
    const written = lines[end - 1];
    if (written?.trim() !== line.trim()) return undefined;
    isPlaced ||= own !== undefined && (end === 1 ? own : indentOf(written)) === indentOf(line);
    end--;
  }
  const isDistinct =
    (known.length > 1 || own === undefined) && known.some((line) => /\p{L}{3}/u.test(line) && line.trim().length >= 8);
  return isPlaced || isDistinct ? withoutBlankEnd(lines.slice(0, end)) : undefined;
}

function isRepeating(kept: readonly string[], known: readonly string[]): boolean {
  const key = (some: readonly string[]) => some.map((line) => line.trimEnd()).join('\n');
  return key(kept.slice(-known.length)) === key(known);
}

export function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/**
 * Removes what follows the caret in its line: all of it where it has words, else as many brackets, quotes and signs
 * as leave the file balanced.
 */
export function withoutRest(lines: readonly string[], place: CaretContext): readonly string[] {
  const rest = (place.after.split('\n', 1)[0] ?? '').trim();
  const last = (lines.at(-1) ?? '').trimEnd();
  const ends = Array.from({ length: rest.length }, (_, at) => rest.slice(0, at + 1));
  const ways = ends
    .filter((end) => last.endsWith(end) && (isSigns(end) || (end === rest && rest.length > 1)))
    .map((end) => [...lines.slice(0, -1), last.slice(0, -end.length)]);
  const all = [lines, ...ways];
  const inFile = all.map(createUnevenness(place));
  // A file that is uneven in any case says nothing: then the line does.
  const scores = Math.min(...inFile) === 0 ? inFile : all.map(createUnevenness(lineOf(place)));
  const scored = all.map((way, at) => ({ way, score: scores[at] ?? 0, at }));
  // The longest where several leave it as even.
  return scored.toSorted((a, b) => a.score - b.score || b.at - a.at)[0]?.way ?? lines;
}

function lineOf({ before, after }: CaretContext): CaretContext {
  return { before: before.slice(before.lastIndexOf('\n') + 1), after: after.split('\n', 1)[0] ?? '' };
}

function isSigns(text: string): boolean {
  return /^[)\]}"'`;,>{(:=\s]+$/.test(text);
}
