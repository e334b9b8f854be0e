import type { LineHunk } from '../apply/line-diff.ts';
import type { ClipboardLines } from './clipboard-lines.ts';
import { anyOrigin, distinctOrigins, type EditOrigin } from './edit-origin.ts';
import { dependsOn, isBase, isMark, isVisible, originsIn, type Row, textOf } from './rows.ts';

/**
 * Holds a text with pending edits line by line: the present lines and, in their places, those that the edits removed.
 * It knows nothing of documents; whoever changes the text reports changes of the user and of the model separately. It
 * is immutable. Undo gives the text that the user would have if the edits had never been made and everything that the
 * user typed stood. Where that cannot be determined, because the user wrote into the lines of an edit or in place of
 * them, Undo changes nothing.
 */
export interface PendingText {
  readonly rows: readonly Row[];
  readonly clipboard?: ClipboardLines;
}

/**
 * Neighboring lines with pending edits form a hunk. `before` counts lines of the text before the edits, `after` those
 * of the present text.
 */
export interface Hunk extends LineHunk {
  origins: readonly EditOrigin[];
  removed: readonly string[];
  /** Is true when the user wrote into the hunk, so that Undo cannot take it back. */
  isMixed: boolean;
}

const knownLines = new WeakMap<PendingText, readonly string[]>();

export function linesOf(text: PendingText): readonly string[] {
  const lines = knownLines.get(text) ?? text.rows.filter(isVisible).map(textOf);
  knownLines.set(text, lines);
  return lines;
}

export interface PlacedHunk extends Hunk {
  removed: string[];
  from: number;
  to: number;
}

const knownHunks = new WeakMap<PendingText, readonly PlacedHunk[]>();

/** Avoids reading every row where the lines and hunks of a new text follow from those of the one before. */
export function rememberParts(
  text: PendingText,
  { lines, hunks }: { lines: readonly string[]; hunks: readonly PlacedHunk[] },
): void {
  knownLines.set(text, lines);
  knownHunks.set(text, hunks);
}

/**
 * Returns hunks in order. Edits of several conversations are separate hunks, unless one was made in the lines of
 * another.
 */
export function hunksOf(text: PendingText): readonly PlacedHunk[] {
  const known = knownHunks.get(text);
  if (known !== undefined) return known;
  const hunks: PlacedHunk[] = [];
  let [beforeAt, afterAt] = [0, 0];
  let open: { hunk: PlacedHunk; owners: Set<string | undefined> } | undefined;
  for (let at = 0; at < text.rows.length; at++) {
    const row = text.rows[at] ?? '';
    // Nearly all of a long text.
    if (!isMark(row)) {
      open = undefined;
      beforeAt++;
      afterAt++;
      continue;
    }
    const origins = originsIn([row]);
    const owners = origins.map(({ conversationId }) => conversationId);
    if (open === undefined || !owners.some((owner) => open?.owners.has(owner))) {
      const before = { start: beforeAt, count: 0 };
      const after = { start: afterAt, count: 0 };
      const hunk = { before, after, origins: [], removed: [], isMixed: false, from: at, to: at };
      open = { hunk, owners: new Set() };
      hunks.push(hunk);
    }
    const { hunk } = open;
    for (const owner of owners) open.owners.add(owner);
    hunk.origins = distinctOrigins([...hunk.origins, ...origins]);
    hunk.isMixed ||= dependsOn(row, anyOrigin);
    hunk.to = at + 1;
    if (isBase(row)) {
      hunk.before.count = hunk.removed.push(row.text);
      beforeAt++;
    }
    if (isVisible(row)) {
      hunk.after.count++;
      afterAt++;
    }
  }
  knownHunks.set(text, hunks);
  return hunks;
}
