import { estimateTokens } from '../../../service/tokens.ts';
import type { HistoryMessage } from '../../../shared/messages.ts';

/** Tokens of history from which a subagent may cost less than the same looks with all of it sent each time. */
const worthFrom = 6000;

/** The user names it, as a word of its own. */
const mention = /(?:^|\s)@subagent\b/;

/** Whether there is enough to keep the looks of a task apart from, or the user's last message asks for it. */
export function worthSubagent(history: readonly HistoryMessage[]): boolean {
  if (mention.test(history.findLast(({ role }) => role === 'user')?.text ?? '')) return true;
  let tokens = 0;
  // The latest first: a long history is not counted to its beginning.
  for (const { text } of history.toReversed()) {
    tokens += estimateTokens(text);
    if (tokens > worthFrom) return true;
  }
  return false;
}
