import type { EditHunk } from '../../shared/panel/panel-info.ts';
import { ofConversation } from './edit-origin.ts';
import { type Hunk, linesOf, type PendingText } from './hunks.ts';
import { groupsOf } from './pending-text.ts';

const maxLines = 60;
const maxParts = 50;
const maxLetters = 400;
const contextLines = 2;

export type ShownHunk = Omit<EditHunk, 'uri' | 'path'> & { callId: string };

/**
 * Returns the pending parts that a conversation's calls wrote, in the order of the text, each with the call that
 * shows it: where several wrote one part, the last of its lines. `line` and `diff` together distinguish a part from
 * what becomes of it.
 */
export function shownHunks(text: PendingText, conversationId: string): ShownHunk[] {
  const isOwn = ofConversation(conversationId);
  const current = linesOf(text);
  return groupsOf(text)
    .flatMap((group) => {
      const [first] = group;
      const callId = group.flatMap(({ origins }) => origins.filter(isOwn)).at(-1)?.callId;
      if (first === undefined || callId === undefined) return [];
      const lines = group.flatMap((hunk) => diffLines(hunk, current));
      const diff = lines.slice(0, maxLines).map((line) => line.slice(0, maxLetters).toWellFormed());
      return [{ callId, line: first.after.start, diff: diff.join('\n'), more: Math.max(0, lines.length - maxLines) }];
    })
    .slice(0, maxParts);
}

export function hunkShownAs(
  text: PendingText,
  conversationId: string,
  shown: Pick<EditHunk, 'line' | 'diff'>,
): Hunk | undefined {
  const same = shownHunks(text, conversationId).some(({ line, diff }) => line === shown.line && diff === shown.diff);
  const isOwn = ofConversation(conversationId);
  if (!same) return undefined;
  return groupsOf(text)
    .map(([first]) => first)
    .find((first) => first?.after.start === shown.line && first.origins.some(isOwn));
}

function diffLines({ before, after, removed }: Hunk, current: readonly string[]): string[] {
  const from = Math.max(0, after.start - contextLines);
  const end = after.start + after.count;
  const above = current.slice(from, after.start);
  const below = current.slice(end, end + contextLines);
  const start = before.start - above.length;
  const counts = [before.count, after.count].map((count) => count + above.length + below.length);
  return [
    `@@ -${start + 1},${counts[0]} +${from + 1},${counts[1]} @@`,
    ...above.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...current.slice(after.start, end).map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
  ];
}
