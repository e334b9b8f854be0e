import { indentOf } from '../../../edits/match/line-tolerance.ts';
import type { CaretContext } from './completion-request.ts';
import { createUnevenness } from './unevenness.ts';

export interface Begun {
  lines: readonly string[];
  /** Holds the indentation of the first line; it is undefined where text in front of it was cut off in its line. */
  firstIndent: string | undefined;
}

const maxAbove = 3;

/** Removes the longest repetition of the lines above and of the caret's line up to the caret. */
export function withoutPrefix(lines: readonly string[], place: CaretContext): Begun {
  const { before } = place;
  const above = before.split('\n');
  const own = above.pop() ?? '';
  const filled = above.filter((line) => line.trim() !== '');
  for (let count = Math.min(maxAbove, filled.length); count > 0; count--) {
    const rest = afterLines(lines, filled.slice(-count));
    if (rest === undefined || isRepeating(filled, count)) continue;
    const isEmpty = own.trim() === '';
    const cut = isEmpty ? undefined : cutOwn(rest, own, true);
    if (cut !== undefined) return cut;
    if (isEmpty && isDistinct(lines, filled.slice(-count))) return begin(rest, own);
  }
  if (own.trim() === '') return begin(lines, own);
  return cutOwn(lines, own, false) ?? cutBracket(lines, place) ?? begin(lines, own);
}

function cutBracket(lines: readonly string[], place: CaretContext): Begun | undefined {
  const [first = '', ...rest] = lines;
  const line = first.trimStart();
  if (!/[([{]$/.test(place.before) || line[0] !== place.before.at(-1)) return undefined;
  const cut = [line.slice(1), ...rest];
  const unevenness = createUnevenness(place);
  return unevenness(cut) < unevenness(lines) ? { lines: cut, firstIndent: undefined } : undefined;
}

function begin(lines: readonly string[], own: string): Begun {
  if (own.trim() !== '') return { lines, firstIndent: indentOf(lines[0] ?? '') };
  const first = lines.findIndex((line) => line.trim() !== '');
  const kept = first < 0 ? [] : lines.slice(first);
  return { lines: kept, firstIndent: indentOf(kept[0] ?? '') };
}

function afterLines(lines: readonly string[], known: readonly string[]): readonly string[] | undefined {
  let at = 0;
  for (const line of known) {
    while (at < lines.length && lines[at]?.trim() === '') at++;
    if (lines[at]?.trim() !== line.trim()) return undefined;
    at++;
  }
  return at < lines.length ? lines.slice(at) : undefined;
}

/**
 * A line is recognized by its words. Brackets and short words count only at the same depth, because no two close at
 * one depth.
 */
function isDistinct(lines: readonly string[], known: readonly string[]): boolean {
  return known.some((line) => (/\p{L}{2}/u.test(line) && line.trim().length >= 8) || lines.includes(line));
}

function isRepeating(filled: readonly string[], count: number): boolean {
  const key = (some: readonly string[]) => some.map((line) => line.trimEnd()).join('\n');
  return key(filled.slice(-count)) === key(filled.slice(-2 * count, -count));
}

function cutOwn(lines: readonly string[], own: string, isSure: boolean): Begun | undefined {
  const first = lines.findIndex((line) => line.trim() !== '');
  const raw = lines[first] ?? '';
  const line = raw.trimStart();
  const written = own.trimStart();
  const isPlaced = own !== written && raw.startsWith(own);
  // Behind a line break, or with an indentation that is not that of the caret's line.
  const isElsewhere = first > 0 || (line !== raw && indentOf(raw) !== indentOf(own));
  for (let at = 0; at < written.length; at++) {
    const end = written.slice(at);
    const length = lengthRepeated(line, end);
    if (length === 0 || !isStart(written, at)) continue;
    const isSaid = at === 0 ? isSure || isPlaced || isWholeDistinct(line, end, isElsewhere) : isEndDistinct(line, end);
    if (isSaid) return { lines: [line.slice(length), ...lines.slice(first + 1)], firstIndent: undefined };
  }
  return undefined;
}

function lengthRepeated(line: string, end: string): number {
  if (line.startsWith(end)) return end.length;
  const bare = end.trimEnd();
  return bare !== end && line.startsWith(bare) && !/^[\p{L}\p{N}_$]/u.test(line.slice(bare.length)) ? bare.length : 0;
}

function isWholeDistinct(line: string, end: string, isElsewhere: boolean): boolean {
  return /[\p{L}\p{N}]|\s$|^.{2}/u.test(end) || (!isElsewhere && line.trimEnd() === end.trimEnd());
}

function isEndDistinct(line: string, end: string): boolean {
  const isInWord = /[\p{L}\p{N}_$]$/u.test(end) && /^[\p{L}\p{N}_$]/u.test(line.slice(end.length));
  return (end.match(/[\p{L}\p{N}_$]/gu)?.length ?? 0) >= (isInWord ? 2 : 4);
}

function isStart(written: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}_$]/u.test(written[at - 1] ?? '') || !/[\p{L}\p{N}_$]/u.test(written[at] ?? '');
}
