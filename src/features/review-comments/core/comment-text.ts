import type { HistoryMessage } from '../../../shared/messages.ts';
import type { Comment } from './comment-store.ts';

const heading = 'Comments on lines. Do what each asks, and answer it with answer_comment:';
const maxLines = 40;

/** `linesOf` returns the current lines, or undefined where they are gone. */
export function commentsText(
  comments: readonly Comment[],
  linesOf: (comment: Comment) => readonly string[] | undefined,
): string {
  const parts = comments.map((comment) => {
    const { id, path, anchor, text } = comment;
    const lines = linesOf(comment);
    // Code that is gone is never sent as if it were there.
    if (lines === undefined) return `${id} ${path} (its lines are gone)\n${text}`;
    const [first, last] = [anchor.first + 1, anchor.first + Math.max(1, lines.length)];
    const shown = lines.slice(0, maxLines).join('\n');
    const fence = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    const more = lines.length > maxLines ? `\n[${lines.length - maxLines} more lines]` : '';
    return `${id} ${path}:${first === last ? first : `${first}-${last}`}\n${fence}\n${shown}\n${fence}${more}\n${text}`;
  });
  return [heading, ...parts].join('\n\n');
}

export function bringsComments(history: readonly HistoryMessage[]): boolean {
  return history.findLast(({ role }) => role === 'user')?.text.includes(heading) ?? false;
}

/** Returns undefined where no comment waits. `estimate` prices the sending of a text in micro-dollars. */
export function waitingComments(
  waiting: readonly Comment[],
  estimate: (text: string) => number,
): { count: number; files: string[]; microUsd: number } | undefined {
  if (waiting.length === 0) return undefined;
  const files = [...new Set(waiting.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))];
  return { count: waiting.length, files, microUsd: estimate(commentsText(waiting, ({ anchor }) => anchor.quote)) };
}
