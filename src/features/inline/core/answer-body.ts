import { type CodeFence, fenceOf } from '../../../edits/match/code-fence.ts';
import { sharedEnds } from '../../../edits/match/pair-rows.ts';

export type BodyProblem =
  /** The answer has no complete code block and no text that is certainly code. */
  | 'none'
  /** There are several candidates, and nothing decides between them. */
  | 'several';

/**
 * Holds the lines of an answer, with the text behind its opening fence (`info`, usually a language), or why there are
 * none.
 */
export type AnswerBody = { lines: readonly string[]; info: string } | { problem: BodyProblem };

export interface AnswerTarget {
  part: readonly string[];
  /** Returns whether the document has this line, which comes without blanks at its ends. */
  isKnown(line: string): boolean;
  /** True for Markdown and similar formats, where fenced blocks are part of the text. */
  holdsFences: boolean;
}

export function answerBody(answer: string, place: AnswerTarget): AnswerBody {
  const { part, holdsFences } = place;
  const lines = answer.split('\n');
  const open = lines.findIndex((line) => fenceOf(line) !== undefined);
  if (open < 0) return bare(lines, place);
  if (!holdsFences && !part.some((line) => fenceOf(line) !== undefined)) return blockIn(lines, open);
  const close = lines.findLastIndex((line) => fenceOf(line) !== undefined);
  const outside = [...lines.slice(0, open), ...lines.slice(close + 1)];
  // A fence around all of it is around the answer, unless the part begins with one itself.
  const isAround = outside.every((line) => line.trim() === '') && close > open;
  const begin = part.find((line) => line.trim() !== '');
  if (isAround && fenceOf(begin ?? '') === undefined) return blockIn(lines, open, fencesIn(part));
  const isText = outside.some((line) => part.some((own) => isLike(line.trim(), own.trim())));
  // The fences are those of the text itself.
  if (isText || isCode(lines, place)) return bare(lines, place);
  return blockIn(lines, open, fencesIn(part));
}

function fencesIn(lines: readonly string[]): readonly CodeFence[] {
  return lines.flatMap((line) => fenceOf(line) ?? []);
}

function blockIn(lines: readonly string[], open: number, own?: readonly CodeFence[]): AnswerBody {
  const fence = fenceOf(lines[open] ?? '');
  if (fence === undefined) return { problem: 'none' };
  // A fence that stands deeper belongs to the text, as in a comment.
  const closes = lines.flatMap((line, at) => {
    const other = at > open ? fenceOf(line) : undefined;
    return other?.mark === fence.mark && other.info === '' && other.indent <= fence.indent ? [at] : [];
  });
  const [first] = closes;
  const last = closes.at(-1);
  if (first === undefined || last === undefined) return { problem: 'none' };
  const until = (end: number) => ({ lines: lines.slice(open + 1, end), info: fence.info });
  // What holds code blocks ends with the last fence; everything else with the first, and then no other block may follow.
  const inner = fencesIn(lines.slice(open + 1, last));
  // A longer fence than those within, or one of another sign, leaves nothing open.
  const isOuter = inner.every(({ mark }) => !mark.startsWith(fence.mark));
  if (own) return isOuter || fit(inner, own) ? until(last) : { problem: 'several' };
  if (lines.slice(open + 1, first).some((line) => isOpening(line, fence))) return until(last);
  if (lines.slice(first + 1).some((line) => fenceOf(line) !== undefined)) return { problem: 'several' };
  return until(first);
}

function fit(fences: readonly CodeFence[], own: readonly CodeFence[]): boolean {
  const areBlocks = fences.length % 2 === 0 && fences.every(({ info }, at) => at % 2 === 0 || info === '');
  return fences.length === own.length || (areBlocks && (fences.length > 0 || own.length === 0));
}

function isOpening(line: string, outer: CodeFence): boolean {
  const inner = fenceOf(line);
  return inner !== undefined && inner.info !== '' && inner.mark === outer.mark && inner.indent <= outer.indent;
}

/**
 * Accepts an answer without a fence only if it shows lines of the part, or is a list, heading, table or quotation as
 * the part is one, and has no prose at either end, or has the part's paragraphs in other words.
 */
function bare(lines: readonly string[], place: AnswerTarget): AnswerBody {
  const [fences, own] = [fencesIn(lines), fencesIn(place.part)];
  const isText = place.holdsFences && (isSameKind(lines, place.part) || isReworded(lines, place.part));
  const isMeant = isText || isCode(lines, place);
  return fit(fences, own) && isMeant ? { lines, info: '' } : { problem: 'none' };
}

function isSameKind(lines: readonly string[], part: readonly string[]): boolean {
  const [fresh, own] = [lines, part].map((some) => {
    const kinds = some.filter((line) => line.trim() !== '').map(kindOf);
    return kinds[0] === kinds.at(-1) ? kinds[0] : undefined;
  });
  return own !== undefined && fresh === own;
}

function kindOf(line: string): string | undefined {
  return /^\s*(?:(#)+ |([-*+]) |\d+([.)]) |(\|)|(>))/
    .exec(line)
    ?.slice(1)
    .find((sign) => sign !== undefined);
}

/** Returns whether there are as many paragraphs as in the part, each with most of its words from its own one. */
function isReworded(lines: readonly string[], part: readonly string[]): boolean {
  const [fresh, own] = [lines, part].map(wordsOf);
  const isOf = (words: readonly string[], others: readonly string[] = []) =>
    words.filter((word) => others.includes(word)).length * 2 > words.length;
  return fresh?.length === own?.length && fresh?.every((words, at) => isOf(words, own?.[at])) === true;
}

function wordsOf(lines: readonly string[]): string[][] {
  const paragraphs = lines
    .join('\n')
    .trim()
    .split(/\n\s*\n/);
  return paragraphs.map((text) =>
    [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.toLowerCase())].flatMap((one) =>
      one.isWordLike ? [one.segment] : [],
    ),
  );
}

function isCode(lines: readonly string[], { part, isKnown, holdsFences }: AnswerTarget): boolean {
  const [own, written] = [part, lines].map((some) => some.map((line) => line.trim()).filter((line) => line !== ''));
  const isEdge = (line = '', edge = '') => isLike(line, edge) || isKnown(line) || (!holdsFences && looksLikeCode(line));
  const isAbout = written?.some((line) => own?.includes(line)) || isLike(written?.[0], own?.[0]);
  return isAbout === true && isEdge(written?.[0], own?.[0]) && isEdge(written?.at(-1), own?.at(-1));
}

function isLike(one = '', other = ''): boolean {
  return one !== '' && (one === other || sharedEnds(one, other) > 0.5);
}

const words = /^[\p{L}'’`]+(?:,? [\p{L}\p{N}'’`()"/-]+){2,}[.:!?…]*$/u;

function looksLikeCode(line: string): boolean {
  return !words.test(line) && /[^\p{L}\p{N}\s.,:'’`!?-]/u.test(line);
}
