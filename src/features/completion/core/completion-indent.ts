import { bracketBalance } from '../../../edits/apply/repeated-lines.ts';
import { createIndentMap, indentsOf, styleOf } from '../../../edits/match/indentation.ts';
import { indentOf } from '../../../edits/match/line-tolerance.ts';
import type { CaretContext } from './completion-request.ts';
import type { Begun } from './repeated-prefix.ts';

/**
 * Gives the lines the style of the file and the depth that the caret's line requires, after a line break where one is
 * due.
 */
export function withIndentation({ lines, firstIndent }: Begun, place: CaretContext): readonly string[] {
  const own = place.before.slice(place.before.lastIndexOf('\n') + 1);
  const base = indentOf(own);
  const styled = inFileStyle(lines, place);
  const [first = '', ...rest] = styled;
  if (own.trim() === '') {
    const indent = indentOf(first);
    const isPlaced = indent === base && base !== '';
    const body = first.trimStart();
    const deeper = base === '' ? indent : '';
    return [deeper + body, ...(isPlaced ? rest : deepened({ head: body, rest, base: deeper || base }, place))];
  }
  if (first.trim() === '') return ['', ...deepened({ head: own, rest, base }, place)];
  if (firstIndent !== undefined && breaksLine(own, styled, place)) {
    const lost = base + (opens(own) && indentOf(first) === '' ? unitOf(place) : '');
    return ['', ...(isShallow({ head: own, rest: styled, base }, place) ? shifted(styled, lost) : styled)];
  }
  return [first, ...deepened({ head: own + first, rest, base }, place)];
}

function inFileStyle(lines: readonly string[], { before, after }: CaretContext): readonly string[] {
  const file = indentsOf(`${before}\n${after}`.split('\n'));
  const map = createIndentMap({ pairs: [], block: indentsOf(lines), file });
  return lines.map((line) => {
    const indent = indentOf(line);
    return indent === '' || line.trim() === '' ? line : map(indent) + line.slice(indent.length);
  });
}

interface Written {
  head: string;
  rest: readonly string[];
  base: string;
}

function deepened(written: Written, place: CaretContext): readonly string[] {
  return isShallow(written, place) ? shifted(written.rest, written.base) : written.rest;
}

/**
 * True when the next line is less deep than it can be: after an opening line it must be deeper, and a continuation is
 * at least as deep.
 */
function isShallow({ head, rest, base }: Written, place: CaretContext): boolean {
  const at = rest.findIndex((line) => line.trim() !== '' && !isDirective(line));
  const next = rest[at];
  if (base === '' || next === undefined || isInTemplate(head)) return false;
  const indent = indentOf(next);
  if (isStarred(next) && /^\s*\/?\*/.test(head)) return indent.length < base.length + (isStarred(head) ? 0 : 1);
  // What follows a comment stands a blank less deep than its lines.
  if (isCloser(next) || (isStarred(head) && base.length === 1)) return false;
  if (opens(head)) return indent === '' || (indent === unitOf(place) && indent.length <= base.length);
  if (isContinued(next) && !isContinued(head) && !isCloser(head)) return indent.length <= base.length;
  return indent === '' && !(at > 0 && isTop(next) && (isByDepth(place) || isAllClosed(head, place)));
}

function isInTemplate(line: string): boolean {
  return line.split('`').length % 2 === 0;
}

function isAllClosed(head: string, { before }: CaretContext): boolean {
  const above = before.slice(0, before.lastIndexOf('\n') + 1);
  return !/^[ \t]*end\b/m.test(before) && bracketBalance([above, head]).every((count) => count === 0);
}

function isStarred(line: string): boolean {
  return /^\s*\*/.test(line);
}

function isContinued(line: string): boolean {
  return /^\s*(?:\??\.\w|&&|\|\||[?:]\s)/.test(line);
}

function isByDepth({ before }: CaretContext): boolean {
  return before
    .split('\n')
    .some((line) => line.endsWith(':') && /^\s*(?:async def|def|class|if|for|with)\b/.test(line));
}

function isDirective(line: string): boolean {
  return /^#(?:if|ifdef|ifndef|elif|else|endif|include|define|undef|pragma|region|endregion)\b/.test(line);
}

function isTop(line: string): boolean {
  return /^(?:@|#|\/\/|\/\*|(?:async|def|class|export|import|from|function|fn|pub|impl|struct|enum|type|interface|const|let|var|static|public|private|internal|namespace|module|end|func|use|using|extern|typedef|void|int|char|if)\b)/.test(
    line,
  );
}

function shifted(lines: readonly string[], base: string): readonly string[] {
  return lines.map((line) => (line.trim() === '' || isDirective(line) ? line : base + line));
}

function opens(line: string): boolean {
  if (/^\s*(?:#|\/\/|\*)/.test(line)) return false;
  const end = line.trimEnd();
  if (/[{([]$|[^\s?]:$|=>$/.test(end)) return true;
  if (/^\s*(?:def|class|module)\b/.test(line)) return !/\bend$/.test(end);
  // Behind the names that a block of Ruby is given.
  const bare = end.endsWith('|') ? end.slice(0, end.lastIndexOf('|', end.length - 2)).trimEnd() : end;
  return /\b(?:do|then|else)$/.test(bare);
}

function isCloser(line: string): boolean {
  return /^\s*(?:[)\]}>]|\*\/|<\/|end\b|else\b|elif\b|except\b|finally\b|rescue\b|ensure\b|when\b|case\b)/.test(line);
}

function breaksLine(own: string, lines: readonly string[], { after }: CaretContext): boolean {
  const first = lines[0] ?? '';
  if ((after.split('\n', 1)[0] ?? '').trim() !== '') return false;
  if (/^(?: {2}|\t| \*)/.test(first)) return true;
  if (/[;}]$/.test(own)) return !/^\s*(?:[)\],;.?:]|else\b|catch\b|finally\b|while\b|as\b)/.test(first);
  return /\{\s*$/.test(own) && !/^\s*(?:\*|\/\/|#)/.test(own) && lines.length > 1 && !/^\s*\}/.test(first);
}

function unitOf({ before, after }: CaretContext): string {
  const style = styleOf(indentsOf(`${before}\n${after}`.split('\n')));
  return style?.tab === true ? '\t' : ' '.repeat(style?.width ?? 4);
}
