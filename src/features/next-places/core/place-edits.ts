import { applyEdits, type EditBlock, type EditResult } from '../../../edits/match/apply-edits.ts';
import type { PlaceWindow } from './place-windows.ts';

export interface PlaceEdit {
  path: string;
  edits: readonly EditBlock[];
}

export interface EditedWindow {
  window: PlaceWindow;
  lines: readonly string[];
  edits: number;
}

export interface TakenEdits {
  edited: readonly EditedWindow[];
  count: number;
  /** Counts edits of lines that were not sent, or that fit more than one window. */
  refused: number;
  more: number;
}

export const maxEdits = 5;

/**
 * Applies an answer's edits within the windows. Each edit is matched against their lines alone, so that no other line
 * can change, and against these lines as they were sent, so that the order of edits does not matter.
 */
export function takeEdits(windows: readonly PlaceWindow[], answer: readonly PlaceEdit[]): TakenEdits {
  const all = windows.map((window) => ({ window, taken: [] as EditBlock[], lines: window.lines }));
  let [count, refused, more] = [0, 0, 0];
  for (const { path, edits } of answer) {
    const inFile = all.filter(({ window }) => window.path === bare(path));
    for (const edit of edits) {
      const tried = inFile.map((one) => ({ one, result: applied(one.window, [edit]) }));
      const fits = tried.filter(({ result }) => result.ok);
      const isThere = tried.some(({ result }) => !result.ok && result.reason === 'no-change');
      if (fits.length === 0 && isThere) continue;
      if (fits.length !== 1 && !(edit.replaceAll && fits.length > 0)) {
        refused += 1;
        continue;
      }
      for (const { one } of fits) {
        const result = applied(one.window, [...one.taken, edit]);
        if (!result.ok || result.text.includes('\0')) refused += 1;
        else if (count >= maxEdits) more += 1;
        else {
          count += 1;
          one.taken.push(edit);
          one.lines = result.text.toWellFormed().split('\n');
        }
      }
    }
  }
  const edited = all.filter(({ taken }) => taken.length > 0);
  return {
    edited: edited.map(({ window, lines, taken }) => ({ window, lines, edits: taken.length })),
    count,
    refused,
    more,
  };
}

function applied({ path, lines }: PlaceWindow, edits: readonly EditBlock[]): EditResult {
  return applyEdits(lines.join('\n'), edits, path);
}

function bare(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
}
