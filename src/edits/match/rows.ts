import { indentOf } from './line-tolerance.ts';

/** A row is a line of a block that is not blank, together with the blank lines above it. */
export interface Row {
  text: string;
  indent: string;
  body: string;
  trail: string;
  blanksAbove: number;
  blankLines: readonly string[];
  /** An elision stands for lines that are not shown: in a search any, in a replacement those of the search. */
  isElision: boolean;
}

export interface Rows {
  rows: Row[];
  leading: number;
  trailing: number;
}

/** Blank lines are counted and not kept as rows, because models add and lose them. Nothing is elided by default. */
export function toRows(lines: readonly string[], isElision = (_line: string) => false): Rows {
  const rows: Row[] = [];
  let blanks: string[] = [];
  let leading = 0;
  for (const text of lines) {
    const body = text.trim();
    if (body === '') {
      blanks.push(text);
      continue;
    }
    if (rows.length === 0) leading = blanks.length;
    const blankLines = rows.length === 0 ? [] : blanks;
    const shown = text.trimEnd();
    const trail = text.slice(shown.length);
    rows.push({
      text: shown,
      indent: indentOf(text),
      body,
      trail,
      blanksAbove: blankLines.length,
      blankLines,
      isElision: isElision(text),
    });
    blanks = [];
  }
  return { rows, leading, trailing: rows.length === 0 ? 0 : blanks.length };
}

const bareOpener = '(?://+|#+|/\\*+|<!--|\\{/\\*|--|;+|%+)';
const opener = `(?:${bareOpener}|\\*)`;
const dots = '(?:\\.{3}|…)';
const lines = '(?:code|lines?|content|implementation|file|function|method|class|component|body)';
const whats =
  '(?:code|file|function|methods?|class|implementation|body|lines?|cases?|fields?|imports?|tests?|props|properties|logic|contents?|parts?)';
const phrases = [
  `rest(?: of)?(?: (?:the|your|this))?(?: \\w+)?(?: ${whats})?`,
  `(?:all )?(?:the )?(?:existing|remaining|previous|original|same|unchanged)(?: \\w+)? ${whats}`,
  'same(?: \\w+){0,2} as (?:before|above|in the original)',
  '(?:unchanged|omitted(?: for brevity)?|no changes?(?: here| needed)?)',
];
const ending = '(?: (?:is|are|remains?|stays?|goes?|as))*(?: (?:unchanged|the same|here|before|is|omitted))?';
const elisions = [
  // Nothing but the phrase.
  new RegExp(
    `^(?:${bareOpener}\\s*${dots}?|${dots})\\s*[[(]?(?:keep )?(?:the )?(?:${phrases.join('|')})${ending}[\\])]?[.:]?\\s*(?:${dots})?\\s*(?:\\*/\\}?|-->)?$`,
    'i',
  ),
  new RegExp(`^${opener}\\s*\\[\\s*${dots}\\s*\\]$`),
  new RegExp(`^(?:${opener}\\s*)?${dots}\\s*(?:\\*/\\}?|-->)?$`),
  // `...rest` is a spread; with a blank, or behind the sign of a comment, it is not.
  new RegExp(
    `^(?:${opener}\\s*[[(<]?\\s*${dots}|${dots}\\s|[[(<]\\s*${dots}).*\\b(?:existing|rest|unchanged|remain\\w*|other|others|previous|same|omitted|elided|snip|truncated|keep|code|content|lines|methods|functions)\\b`,
    'i',
  ),
  new RegExp(
    `^${opener}\\s*.*\\b(?:existing|rest of|unchanged|remains?|remaining|omitted|elided|truncated|keep)\\b.*${dots}\\W*$`,
    'i',
  ),
  new RegExp(`^${opener}\\s*[[(]?\\s*(?:keep )?(?:the )?rest of (?:the |your |this )?${lines}\\b`, 'i'),
  new RegExp(
    `^${opener}\\s*[[(]?\\s*(?:keep )?(?:the )?(?:existing|remaining|unchanged|original) ${lines}\\b.{0,40}$`,
    'i',
  ),
  new RegExp(
    `^${opener}\\s*[[(]?\\s*(?:${lines} )?(?:unchanged|omitted|elided)(?: (?:${lines}|here|above|below|for \\w+))*\\W{0,6}$`,
    'i',
  ),
];

/** Recognizes `// ... existing code ...` and similar, by which a model says that lines stay. */
export function looksElided(line: string): boolean {
  const body = line.trim();
  return body.length <= 100 && elisions.some((pattern) => pattern.test(body));
}

/** Recognizes dots alone, which are ambiguous: they are also a Python statement and a line of a document. */
export function isBareDots(line: string): boolean {
  return /^(?:\.{3}|…)$/.test(line.trim());
}
