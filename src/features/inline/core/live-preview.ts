import { cutText } from '../../../base/cut-text.ts';
import { diffLineHunks } from '../../../edits/apply/line-diff.ts';
import { fenceOf } from '../../../edits/match/code-fence.ts';

/** Lines count from 0 at the start of the part. */
export interface LivePreview {
  removed: readonly number[];
  added: readonly { after: number; text: string }[];
}

const nothing: LivePreview = { removed: [], added: [] };
const maxLength = 160;
const maxRemoved = 40;

/**
 * Lines that the answer has not reached yet do not count as removed. Its unfinished last line and lines that differ
 * only in indentation do not count as changed. `above` holds the lines before the part, which an answer may repeat.
 */
export function livePreview(answer: string, scope: string, above: readonly string[] = []): LivePreview {
  const received = withoutAbove(receivedLines(answer), above, scope);
  if (received.length === 0 || isOtherForm(received[0] ?? '')) return nothing;
  // Not all of a long part with every piece that comes: the answer runs along it.
  const source = bodies(scope.replaceAll('\r\n', '\n').split('\n', received.length + maxRemoved));
  const removed: number[] = [];
  const added: { after: number; text: string }[] = [];
  for (const { before, after } of diffLineHunks(source, bodies(received))) {
    const isOpen = before.start + before.count === source.length;
    // At the open end as many lines are replaced as have come.
    const gone = isOpen ? Math.min(before.count, after.count) : before.count;
    for (let at = 0; at < gone; at++) removed.push(before.start + at);
    const text = received
      .slice(after.start, after.start + after.count)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' ⏎ ');
    if (text !== '') added.push({ after: Math.max(0, before.start + gone - 1), text: cutText(text, maxLength) });
  }
  return { removed, added };
}

function receivedLines(answer: string): string[] {
  const lines = answer.replaceAll('\r\n', '\n').split('\n').slice(0, -1);
  const open = lines.findIndex((line) => fenceOf(line));
  if (open < 0) return [];
  const mark = fenceOf(lines[open] ?? '')?.mark;
  const close = lines.findIndex((line, at) => at > open && line.trim() === mark);
  return lines.slice(open + 1, close < 0 ? undefined : close);
}

function bodies(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim());
}

function withoutAbove(received: readonly string[], above: readonly string[], scope: string): readonly string[] {
  const [shown, known] = [bodies(received), bodies(above)];
  const first = shown[0] ?? '';
  if (first === '' || first === scope.split('\n', 1)[0]?.trim()) return received;
  const start = known.findIndex((_line, at) =>
    shown.slice(0, known.length - at).every((line, i) => line === known[at + i]),
  );
  return start < 0 ? received : received.slice(known.length - start);
}

function isOtherForm(line: string): boolean {
  return /^(?:@@|--- |diff --git |[<-]{5,9} ?(?:SEARCH|ORIGINAL)|\*\*\* Begin Patch)/.test(line);
}
