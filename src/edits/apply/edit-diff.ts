import { replaceUnseen, writeOutInvisible } from '../../shared/invisible-signs.ts';
import { diffLineHunks, type LineHunk, splitLines } from './line-diff.ts';

export interface FormattedDiff {
  /**
   * The diff is unified, without file headers. Invisible characters are written out, and what is too long is cut with
   * a note.
   */
  diff: string;
  added: number;
  removed: number;
  invisible: number;
  /**
   * Lines of the new text that changed, such as `3–5, 9`; counted from 1, at most eight ranges, absent where lines were
   * only removed.
   */
  lines?: string;
}

const contextLines = 3;
const maxPlaces = 8;
const maxDiffLines = 4000;
const maxDiffLength = 200_000;

export function formatDiff(before: string, after: string): FormattedDiff {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const hunks = diffLineHunks(old, fresh);
  const addedLines = hunks.flatMap((hunk) => fresh.slice(hunk.after.start, hunk.after.start + hunk.after.count));
  const places = hunks.map(({ after: { start, count } }) =>
    count < 2 ? `${Math.min(start + 1, fresh.length)}` : `${start + 1}–${start + count}`,
  );
  const result: FormattedDiff = {
    diff: cut(groupNear(hunks).flatMap((group) => formatGroup(group, old, fresh, lineEndsShown(before, after)))),
    added: addedLines.length,
    removed: hunks.reduce((sum, hunk) => sum + hunk.before.count, 0),
    invisible: addedLines.reduce((sum, line) => sum + countInvisible(line), 0),
  };
  if (addedLines.length > 0)
    result.lines = [...places.slice(0, maxPlaces), ...(places.length > maxPlaces ? ['…'] : [])].join(', ');
  return result;
}

function groupNear(hunks: readonly LineHunk[]): LineHunk[][] {
  const groups: LineHunk[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const hunk of hunks) {
    const last = groups.at(-1);
    if (last !== undefined && hunk.before.start - end <= 2 * contextLines) last.push(hunk);
    else groups.push([hunk]);
    end = hunk.before.start + hunk.before.count;
  }
  return groups;
}

type ShownEnd = (line: string) => string;

/** Line ends are shown where the texts differ in them: CR as itself, a missing one in Git's words. */
function lineEndsShown(before: string, after: string): ShownEnd {
  const isMixed = [/\r\n/, /(?<!\r)\n/].every((end) => end.test(before) || end.test(after));
  const differsAtEnd = before.endsWith('\n') !== after.endsWith('\n');
  return (line) => {
    if (!line.endsWith('\n')) return differsAtEnd ? '\n\\ No newline at end of file' : '';
    return isMixed && line.endsWith('\r\n') ? '\r' : '';
  };
}

function formatGroup(
  group: readonly LineHunk[],
  old: readonly string[],
  fresh: readonly string[],
  endOf: ShownEnd,
): string[] {
  const shown = (sign: string, line: string) => `${sign}${writeOutInvisible(line.replace(/\r?\n$/, ''))}${endOf(line)}`;
  const first = group.at(0);
  const last = group.at(-1);
  if (first === undefined || last === undefined) return [];
  const context = Math.min(contextLines, first.before.start);
  const lastEnd = last.before.start + last.before.count;
  const end = Math.min(old.length, lastEnd + contextLines);
  let at = first.before.start - context;
  const lines = group.flatMap(({ before, after }) => {
    const kept = old.slice(at, before.start);
    at = before.start + before.count;
    return [
      ...kept.map((line) => shown(' ', line)),
      ...old.slice(before.start, at).map((line) => shown('-', line)),
      ...fresh.slice(after.start, after.start + after.count).map((line) => shown('+', line)),
    ];
  });
  const behind = old.slice(at, end).map((line) => shown(' ', line));
  const start = first.before.start - context;
  const freshStart = first.after.start - context;
  const freshEnd = last.after.start + last.after.count + (end - lastEnd);
  return [`@@ -${range(start, end)} +${range(freshStart, freshEnd)} @@`, ...lines, ...behind];
}

function range(start: number, end: number): string {
  return end === start ? `${start},0` : `${start + 1},${end - start}`;
}

function cut(lines: readonly string[]): string {
  const kept = lines.slice(0, maxDiffLines).join('\n').slice(0, maxDiffLength).toWellFormed();
  const total = lines.reduce((sum, line) => sum + line.length + 1, -1);
  return kept.length >= total ? kept : `${kept}\n… cut here: the whole diff has ${lines.length} lines`;
}

function countInvisible(line: string): number {
  let count = 0;
  replaceUnseen(line, () => {
    count++;
    return '';
  });
  return count;
}
