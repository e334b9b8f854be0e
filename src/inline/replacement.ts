import { matchIndentation } from './match-indentation.ts';

/** Why an answer replaces nothing. */
export type ReplacementProblem =
  /** No complete code block. */
  | 'none'
  /** Several, and nobody can tell which one is meant. */
  | 'several'
  /** Lines that are there now are only hinted at. */
  | 'elided';

/** The part of a document that an answer replaces, in lines that end with `\n`. */
export interface Replaced {
  scope: string;
  /** Lines around it, for the style of a part that shows none. */
  around?: readonly string[];
  /** Markdown and its like: blocks of code in the text are part of it. */
  holdsFences?: boolean;
}

/**
 * The replacement out of a complete answer, in lines that end with `\n`, indented as the part that it replaces. An answer
 * that leaves anything open replaces nothing.
 */
export function parseReplacement(
  answer: string,
  replaced: Replaced,
): { text: string } | { problem: ReplacementProblem } {
  const source = replaced.scope.replaceAll('\r\n', '\n').split('\n');
  const mayHoldFences = replaced.holdsFences === true || source.some((line) => fenceOf(line) !== undefined);
  const found = blockIn(answer.replaceAll('\r\n', '\n').split('\n'), mayHoldFences);
  if (!Array.isArray(found)) return found;
  const body = found.filter((line) => !/^(?:<{7} marked part begins|>{7} marked part ends)$/.test(line));
  if (elides(body, source)) return { problem: 'elided' };
  return { text: matchIndentation(body, source, replaced.around ?? []).join('\n') };
}

interface Fence {
  indent: number;
  mark: string;
  info: string;
}

function fenceOf(line: string): Fence | undefined {
  const [, indent = '', mark, info = ''] = /^(\s*)(`{3,}|~{3,}(?!~))([^`]*)$/.exec(line) ?? [];
  return mark === undefined ? undefined : { indent: indent.length, mark, info: info.trim() };
}

function blockIn(lines: readonly string[], mayHoldFences: boolean): string[] | { problem: ReplacementProblem } {
  const open = lines.findIndex((line) => fenceOf(line) !== undefined);
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
  // What holds code blocks ends with the last fence; everything else with the first, and then no other block may follow.
  if (mayHoldFences) return lines.slice(open + 1, last);
  if (lines.slice(open + 1, first).some((line) => isOpening(line, fence))) return lines.slice(open + 1, last);
  if (lines.slice(first + 1).some((line) => fenceOf(line) !== undefined)) return { problem: 'several' };
  return lines.slice(open + 1, first);
}

/** True for a block inside another: unlike a closing fence it names its language. */
function isOpening(line: string, outer: Fence): boolean {
  const inner = fenceOf(line);
  return inner !== undefined && inner.info !== '' && inner.mark === outer.mark && inner.indent <= outer.indent;
}

/** A new line that stands for lines that were left out, as in `// ... rest of the code`. */
function elides(body: readonly string[], source: readonly string[]): boolean {
  const known = new Set(source.map((line) => line.trim()));
  return body.some((line) => !known.has(line.trim()) && isElision(line.trim()));
}

const dots = /(?:\.{3}|…)/;
const what =
  '(?:code|file|function|method|methods|class|implementation|body|lines?|cases?|fields?|imports?|tests?|props|properties|logic|content|contents|part|parts)';
const phrases = [
  `rest(?: of)?(?: (?:the|your|this))?(?: \\w+)?(?: ${what})?`,
  `(?:all )?(?:the )?(?:existing|remaining|previous|other|original|same|unchanged)(?: \\w+)? ${what}`,
  '(?:unchanged|same as (?:before|above)|omitted(?: for brevity)?|no changes?(?: here| needed)?)',
];
const elision = new RegExp(
  `^\\(?(?:the )?(?:${phrases.join('|')})(?: (?:is|are|remains?|stays?|goes?|as))*(?: (?:unchanged|the same|here|before|is|omitted))?\\)?[.:]?$`,
  'i',
);

function isElision(line: string): boolean {
  const commented = /^(?:\/\/+|#+|--+|;+|%+|\/\*+|<!--|\{\/\*|\*)\s*(.*?)\s*(?:\*\/\}?|-->)?$/.exec(line)?.[1];
  const text = commented ?? line;
  const bare = text
    .replace(new RegExp(`^\\s*\\[?${dots.source}\\]?`), '')
    .replace(new RegExp(`${dots.source}\\]?\\s*$`), '')
    .trim();
  const hasDots = bare !== text.trim();
  if (bare === '') return commented !== undefined && hasDots;
  // Without a comment mark and without dots it is code, or a sentence.
  return (commented !== undefined || hasDots) && elision.test(bare);
}
