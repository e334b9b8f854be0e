import { diffLineHunks } from '../../../edits/apply/line-diff.ts';

/** Lines come without their ends, and `first` counts from 0 in the current text. */
export interface ChangedPart {
  first: number;
  before: readonly string[];
  after: readonly string[];
}

/** A longer change does not show what could be carried to other places. */
export const maxChangedLines = 40;

/** Parts are in order. One that differs only in blanks is left out, because formatters make such changes. */
export function changedParts(before: readonly string[], now: readonly string[]): ChangedPart[] {
  const withoutBlanks = (lines: readonly string[]) => lines.join('').replace(/\s/g, '');
  return diffLineHunks(before, now)
    .map((hunk) => ({
      first: hunk.after.start,
      before: before.slice(hunk.before.start, hunk.before.start + hunk.before.count),
      after: now.slice(hunk.after.start, hunk.after.start + hunk.after.count),
    }))
    .filter((part) => withoutBlanks(part.before) !== withoutBlanks(part.after));
}

export function countLines(parts: readonly ChangedPart[]): number {
  return parts.reduce((sum, { before, after }) => sum + Math.max(before.length, after.length), 0);
}

export function partAt(parts: readonly ChangedPart[], line: number): ChangedPart | undefined {
  const here = parts.find(({ first, after }) =>
    after.length === 0 ? line === first || line === first - 1 : line >= first && line < first + after.length,
  );
  return here ?? (parts.length === 1 ? parts[0] : undefined);
}

export function withoutParts(now: readonly string[], parts: readonly ChangedPart[]): string[] {
  return parts
    .toReversed()
    .reduce((lines, { first, before, after }) => lines.toSpliced(first, after.length, ...before), [...now]);
}

export function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
}
