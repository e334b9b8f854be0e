import { noClipboardLines } from './clipboard-lines.ts';
import { hunksOf, linesOf, type PendingText, type PlacedHunk, rememberParts } from './hunks.ts';
import { isDistinctive, touchedLines } from './moved-lines.ts';
import type { LineChange } from './row-changes.ts';

const maxLines = 1000;

/**
 * Applies a change of lines that touches no edit, at the cost of the change and not of the text. Returns undefined
 * when it may concern an edit, or lines that left one.
 */
export function applyUnrelatedChange(text: PendingText, change: LineChange): PendingText | undefined {
  const { clipboard = noClipboardLines } = text;
  const lines = linesOf(text);
  if (lines.length === 0 || change.lines.length > maxLines) return undefined;
  if (clipboard.taken.length > 0 || clipboard.copied.length > 0) return undefined;
  const { fresh } = touchedLines(lines, [change]);
  if (fresh.some((one) => one.isWhole && isDistinctive(one.text))) return undefined;
  const hunks = hunksOf(text);
  const { start, count } = change;
  const first = hunks.findIndex(({ after }) => after.start + after.count >= start);
  const behind = first < 0 ? hunks.length : first;
  const below = hunks[behind];
  if (below !== undefined && below.after.start <= start + count) return undefined;
  const above = hunks[behind - 1];
  const at = above === undefined ? start : above.to + start - (above.after.start + above.after.count);
  const next = { rows: copiedWith(text.rows, at, change), clipboard };
  const shift = change.lines.length - count;
  const moved =
    shift === 0 ? hunks : [...hunks.slice(0, behind), ...hunks.slice(behind).map((hunk) => shifted(hunk, shift))];
  rememberParts(next, { lines: copiedWith(lines, start, change), hunks: moved });
  return next;
}

function copiedWith<T>(list: readonly T[], at: number, { count, lines }: LineChange & { lines: readonly T[] }): T[] {
  const copy = list.slice();
  copy.splice(at, count, ...lines);
  return copy;
}

function shifted(hunk: PlacedHunk, by: number): PlacedHunk {
  const { before, after, from, to } = hunk;
  return {
    ...hunk,
    before: { ...before, start: before.start + by },
    after: { ...after, start: after.start + by },
    from: from + by,
    to: to + by,
  };
}
