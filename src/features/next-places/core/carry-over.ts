import { mergeLines } from '../../inline/core/merge-lines.ts';
import type { EditedWindow } from './place-edits.ts';

/**
 * The text with these windows of one file, wherever their lines are by now. `sent`: all lines of the file when the windows were
 * taken from it. `lost`: edits in
 * windows whose own lines were changed meanwhile.
 */
export function carriedOver(
  sent: readonly string[],
  now: readonly string[],
  edited: readonly EditedWindow[],
): { lines: string[]; lost: number } {
  let lines = [...now];
  let lost = 0;
  for (const { window, lines: wanted, edits } of edited) {
    const theirs = sent.toSpliced(window.first, window.lines.length, ...wanted);
    const merged = mergeLines(sent, lines, theirs);
    if (merged === undefined) lost += edits;
    else lines = merged;
  }
  return { lines, lost };
}
