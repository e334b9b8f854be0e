/** What is being typed that the host can complete: the sign at `start`, what follows it up to the cursor. */
export interface CompletionPlace {
  kind: 'context' | 'command';
  query: string;
  start: number;
  end: number;
}

const maxQuery = 500;

/**
 * A slash command stands at the very beginning; `@` and `#` begin a word, so that addresses and anchors are left alone. A
 * space ends it.
 */
export function completionPlace(text: string, caret: number): CompletionPlace | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([\w.-]*)$/.exec(before);
  if (command) return { kind: 'command', query: command[1] ?? '', start: 0, end: caret };
  const context = /(?:^|[\s([{"'])[@#]([^\s@#]*)$/.exec(before);
  const query = context?.[1];
  if (query === undefined || query.length > maxQuery) return undefined;
  return { kind: 'context', query, start: caret - query.length - 1, end: caret };
}
