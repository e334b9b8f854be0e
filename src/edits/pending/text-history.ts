import { type ClipboardLines, noClipboardLines } from './clipboard-lines.ts';
import { linesOf, type PendingText } from './hunks.ts';

const maxTexts = 200;
const maxLines = 1_000_000;

/**
 * Keeps the pending edits by earlier texts of a document: the editor's own Undo and Redo make the edits of that time
 * pending again, and what the user has cut since may still be pasted. It is emptied by every Keep, so that kept edits
 * stay kept.
 */
export interface TextHistory {
  now(): PendingText;
  /** Adds the present text; what was undone cannot be redone afterwards, unless the text reads as it did. */
  add(text: PendingText): void;
  /** Returns the nearest text in this direction with these lines, which then becomes the present one. */
  go(direction: 'undo' | 'redo', lines: readonly string[]): PendingText | undefined;
  reset(text: PendingText): void;
}

export function createTextHistory(first: PendingText): TextHistory {
  let texts = [first];
  let size = first.rows.length;
  let at = 0;
  let clipboard = first.clipboard;
  return {
    now: () => texts[at] ?? first,
    add(text) {
      clipboard = text.clipboard;
      const now = texts[at];
      if (now !== undefined && isSame(linesOf(now), linesOf(text))) {
        texts[at] = text;
        return;
      }
      for (const gone of texts.splice(at + 1)) size -= gone.rows.length;
      texts.push(text);
      size += text.rows.length;
      while (texts.length > maxTexts || (size > maxLines && texts.length > 1)) size -= texts.shift()?.rows.length ?? 0;
      at = texts.length - 1;
    },
    go(direction, lines) {
      const step = direction === 'undo' ? -1 : 1;
      for (let next = at + step; next >= 0 && next < texts.length; next += step) {
        const text = texts[next];
        if (text === undefined || !isSame(linesOf(text), lines)) continue;
        at = next;
        texts[at] = withClipboard(text, clipboard);
        return texts[at];
      }
      return undefined;
    },
    reset(text) {
      clipboard = text.clipboard;
      texts = [text];
      size = text.rows.length;
      at = 0;
    },
  };
}

/**
 * Adds the lines that were cut, unless they are in the earlier text, because the editor's Undo leaves the clipboard as
 * it is.
 */
function withClipboard(text: PendingText, clipboard: ClipboardLines | undefined): PendingText {
  if (clipboard === undefined || clipboard.taken.length === 0) return text;
  const there = new Set(text.rows);
  const { taken, copied } = text.clipboard ?? noClipboardLines;
  const lost = clipboard.taken.filter((one) => !there.has(one.row) && !taken.includes(one));
  return lost.length === 0 ? text : { ...text, clipboard: { taken: [...taken, ...lost], copied } };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}
