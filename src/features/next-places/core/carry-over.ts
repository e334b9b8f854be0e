import { mergeLines } from '../../inline/core/merge-lines.ts';
import type { EditedWindow } from './place-edits.ts';

/**
 * Applies the edited windows of one file to its current text, wherever their lines are by now. `sent` holds all lines
 * of the file at the time the windows were taken. `lost` counts edits in windows whose own lines changed meanwhile.
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
