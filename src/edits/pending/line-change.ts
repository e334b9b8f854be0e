import type { LineChange } from './row-changes.ts';

/** Lines and characters count from 0. */
export interface DocumentChange {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  text: string;
}

/**
 * Turns an event of the editor into a change of lines; `lines` are those before it. Unchanged lines are left out,
 * because a line that is inserted or removed as a whole says nothing of its neighbors.
 */
export function lineChangeOf(lines: readonly string[], { range, text }: DocumentChange): LineChange {
  const { start, end } = range;
  // In a text without lines nothing is above or below.
  const within = lines.length > 0 && { first: start.line, last: end.line };
  const fresh = text.replaceAll('\r\n', '\n').split('\n');
  const [first, last] = [lines[start.line] ?? '', lines[end.line] ?? ''];
  const isThere = end.line < lines.length;
  // An empty text has no lines, but a document has one.
  if (isThere && start.character === 0 && end.character === 0 && fresh.at(-1) === '') {
    return { start: start.line, count: end.line - start.line, lines: fresh.slice(0, -1), ...(within && { within }) };
  }
  if (isThere && start.character === first.length && end.character === last.length && fresh[0] === '') {
    return { start: start.line + 1, count: end.line - start.line, lines: fresh.slice(1), ...(within && { within }) };
  }
  const joined = `${first.slice(0, start.character)}${fresh.join('\n')}${last.slice(end.character)}`;
  const count = Math.min(end.line + 1, lines.length) - Math.min(start.line, lines.length);
  // Nothing is left at all: an empty line would come back as one between others.
  const isAll = joined === '' && count === lines.length;
  return {
    start: Math.min(start.line, lines.length),
    count,
    lines: isAll ? [] : joined.split('\n'),
    ...(within && { within }),
  };
}

/** Each change of the event counts in the text that the ones before it leave, as an editor reports them. */
export function lineChangesOf(lines: readonly string[], changes: readonly DocumentChange[]): LineChange[] {
  let now = lines;
  return changes.map((change) => {
    const result = lineChangeOf(now, change);
    now = [...now.slice(0, result.start), ...result.lines, ...now.slice(result.start + result.count)];
    return result;
  });
}
