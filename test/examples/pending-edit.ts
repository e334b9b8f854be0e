import { hunksOf } from '../../src/edits/pending/hunks.ts';
import { currentText, settledText, withKept, withUndone, withWritten } from '../../src/edits/pending/pending-text.ts';

/** The model writes a text; the user keeps its first hunk and undoes the rest. */
export function keepFirst(before: string, after: string): string {
  const pending = withWritten(settledText(before), after, { conversationId: 'c1', turnId: 't1', callId: 'call-1' });
  const kept = withKept(pending, { hunks: hunksOf(pending).slice(0, 1) });
  return currentText(withUndone(kept).text);
}
