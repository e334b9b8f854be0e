import { estimateTokens } from '../../../service/tokens.ts';
import type { HistoryMessage } from '../../../shared/messages.ts';

/**
 * From this many tokens of history on, a subagent may cost less than the same reads with the whole history sent each
 * time.
 */
const worthFrom = 6000;

const mention = /(?:^|\s)@subagent\b/;

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
