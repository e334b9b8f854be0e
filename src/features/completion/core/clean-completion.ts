import { holdsFences } from '../../../edits/match/code-fence.ts';
import { looksElided } from '../../../edits/match/rows.ts';
import { type CompletionProblem, completionBody, isInText } from './completion-body.ts';
import { withIndentation } from './completion-indent.ts';
import type { CaretContext } from './completion-request.ts';
import { withoutPrefix } from './repeated-prefix.ts';
import { withoutBlankEnd, withoutLinesBelow, withoutRest } from './repeated-suffix.ts';

export interface CleanAsk extends CaretContext {
  languageId: string;
  /** Says that the answer ended at its limit, so its last line, which may be cut, is dropped. */
  isCut: boolean;
}

export type CleanCompletion = { text: string } | { problem: CompletionProblem };

const maxLines = 25;

/**
 * Extracts the text for the caret from a model's answer: without fences, the mark, repeated text around the caret and
 * brackets that are closed already, and with the indentation of the file.
 */
export function cleanCompletion(answer: string, place: CleanAsk): CleanCompletion {
  const line = place.before.slice(place.before.lastIndexOf('\n') + 1);
  const found = completionBody(answer, isInText(line, place.languageId), holdsFences(place.languageId));
  if ('problem' in found) return found;
  const whole = place.isCut ? found.lines.slice(0, -1) : found.lines;
  const marked = withoutMark(whole);
  const known = new Set(`${place.before}\n${place.after}`.split('\n').map((one) => one.trim()));
  if (marked.some((one) => looksElided(one) && !known.has(one.trim()))) return { problem: 'elided' };
  const begun = withoutPrefix(withoutBlankEnd(marked), place);
  // Again after the indentation is set: a line that is only a bracket is recognized by its depth.
  const placed = withIndentation({ ...begun, lines: withoutLinesBelow(begun.lines, place, false) }, place);
  const own = withoutRest(withoutLinesBelow(placed, place, true), place);
  if (repeatsFile(own, known)) return { problem: 'whole' };
  const text = own.slice(0, maxLines).join('\n').trimEnd();
  return text.trim() === '' ? { problem: 'empty' } : { text };
}

function withoutMark(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replaceAll(/⟦here(?: \d+)?⟧/g, ''));
}

function repeatsFile(lines: readonly string[], known: ReadonlySet<string>): boolean {
  const telling = lines.map((line) => line.trim()).filter((line) => line.length >= 12 && /\p{L}{3}/u.test(line));
  const repeated = telling.filter((line) => known.has(line));
  return repeated.length >= 4 && repeated.length * 2 > telling.length;
}
