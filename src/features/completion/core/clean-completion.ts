import { looksElided } from '../../../edits/match/rows.ts';
import { type CompletionProblem, completionBody, isInText } from './completion-body.ts';
import { withIndentation } from './completion-indent.ts';
import type { CompletionPlace } from './completion-request.ts';
import { withoutPrefix } from './repeated-prefix.ts';
import { withoutBlankEnd, withoutLinesBelow, withoutRest } from './repeated-suffix.ts';

export interface CleanAsk extends CompletionPlace {
  languageId: string;
  /** The answer ended at its limit: what is cut off in the middle of a line goes. */
  isCut: boolean;
}

export type CleanCompletion = { text: string } | { problem: CompletionProblem };

/** Lines of a completion; what comes behind them is nobody's wish. */
const maxLines = 25;

/**
 * The text for the caret out of what a model answered: without fences, the mark, what stands before and after the caret, and
 * brackets that are closed already, with the indentation of the file.
 */
export function cleanCompletion(answer: string, place: CleanAsk): CleanCompletion {
  const line = place.before.slice(place.before.lastIndexOf('\n') + 1);
  const found = completionBody(answer, isInText(line, place.languageId));
  if ('problem' in found) return found;
  const whole = place.isCut ? withoutCutLine(found.lines) : found.lines;
  const marked = withoutMark(whole);
  const known = new Set(`${place.before}\n${place.after}`.split('\n').map((one) => one.trim()));
  if (marked.some((one) => looksElided(one) && !known.has(one.trim()))) return { problem: 'elided' };
  const begun = withoutPrefix(withoutBlankEnd(marked), place);
  // Again behind it: a bracket alone is told by how deep it stands.
  const placed = withIndentation({ ...begun, lines: withoutLinesBelow(begun.lines, place, false) }, place);
  const own = withoutRest(withoutLinesBelow(placed, place, true), place);
  if (repeatsFile(own, known)) return { problem: 'whole' };
  const text = own.slice(0, maxLines).join('\n').trimEnd();
  return text.trim() === '' ? { problem: 'empty' } : { text };
}

function withoutCutLine(lines: readonly string[]): readonly string[] {
  return lines.slice(0, -1);
}

function withoutMark(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replaceAll(/⟦here(?: \d+)?⟧/g, ''));
}

/** More of it than not stands in the file, in lines that are told from others. */
function repeatsFile(lines: readonly string[], known: ReadonlySet<string>): boolean {
  const telling = lines.map((line) => line.trim()).filter((line) => line.length >= 12 && /\p{L}{3}/u.test(line));
  const repeated = telling.filter((line) => known.has(line));
  return repeated.length >= 4 && repeated.length * 2 > telling.length;
}
