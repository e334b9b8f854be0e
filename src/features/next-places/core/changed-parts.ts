import { diffLineHunks } from '../../../edits/apply/line-diff.ts';

/** Lines of a text, without their ends, that were changed. `first`: from 0, in the text as it is now. */
export interface ChangedPart {
  first: number;
  before: readonly string[];
  after: readonly string[];
}

/** More than this is no change that could be carried to other places by what it shows. */
export const maxChangedLines = 40;

/** In order. What differs in blanks alone is left out: programs that format do that. */
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

/** The part on this line or, where only lines are gone, beside it; else the only one there is. */
export function partAt(parts: readonly ChangedPart[], line: number): ChangedPart | undefined {
  const here = parts.find(({ first, after }) =>
    after.length === 0 ? line === first || line === first - 1 : line >= first && line < first + after.length,
  );
  return here ?? (parts.length === 1 ? parts[0] : undefined);
}

/** The text without these changes. */
export function withoutParts(now: readonly string[], parts: readonly ChangedPart[]): string[] {
  return parts
    .toReversed()
    .reduce((lines, { first, before, after }) => lines.toSpliced(first, after.length, ...before), [...now]);
}

/** Without line ends and without the mark that a file may begin with. */
export function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
}
