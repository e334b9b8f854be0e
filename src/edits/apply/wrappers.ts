import { parseJson } from '../../base/parse-json.ts';
import { decodeEntities } from '../match/line-tolerance.ts';

/** Joiners and selectors are not listed, because emoji and some scripts need them. */
const unseen = '\u200B\u2060\uFEFF';

export function withoutUnseenEnds(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && unseen.includes(text.charAt(start))) start++;
  while (end > start && unseen.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

export function withoutCdata(text: string): string {
  const [, inner] = /^\s*<!\[CDATA\[\n?([\s\S]*)\]\]>\s*$/.exec(text) ?? [];
  return inner === undefined || inner.includes(']]>') ? text : endedAs(text, inner);
}

const ownTagNames = [
  ...['file_content', 'file_text', 'replacement', 'replace', 'old_string', 'new_string', 'old_str', 'new_str'],
  ...['old_text', 'new_text', 'parameter', 'invoke'],
];
const tagNames = [...ownTagNames, 'content', 'contents', 'file', 'text', 'code', 'search', 'original', 'updated'].join(
  '|',
);
const tagged = new RegExp(`^\\s*<(${tagNames})(?:\\s[^<>\\n]*)?>\\n?([\\s\\S]*?)</\\1>\\s*$`);
const tagLine = new RegExp(`^\\s*</?(${tagNames})(?:\\s[^<>\\n]*)?>\\s*$`);

export function withoutTag(text: string): string {
  const [, name, inner] = tagged.exec(text) ?? [];
  return name === undefined || inner === undefined || inner.includes(`</${name}>`) ? text : endedAs(text, inner);
}

const closer = new RegExp(`^</([｜|]+\\w+[｜|]+)?(${tagNames})>$`);
const nextPart = /^<parameter name="[^"<>]*">[^<]*(?:<\/parameter>)?$/;

/**
 * Removes closing tags at the end that nothing in the text opens, and the call parts behind them. In markup, a name
 * that pages use too counts only before another such tag.
 */
export function withoutCallEnd(text: string, isMarkup: boolean): string {
  let inner = text;
  let isSure = !isMarkup;
  let isBehind = false;
  for (let found = lastCloser(inner); found !== undefined; found = lastCloser(inner)) {
    const { at, name, isOwn } = found;
    isSure ||= isOwn;
    const before = inner.slice(0, at);
    // In front of what surely closes a call, only an opening tag of its own line counts.
    const opening = isBehind ? `\n<${name}` : `<${name}`;
    if (!isSure || `\n${before}`.split(opening).length > `\n${before}`.split(`</${name}>`).length) break;
    isBehind ||= isOwn;
    inner = withoutLastBreak(before);
  }
  return inner === text ? text : endedAs(text, `${inner}\n`);
}

function withoutLastBreak(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return line.trim() === '' ? text.slice(0, Math.max(0, text.length - line.length - 1)) : text;
}

function lastCloser(text: string): { at: number; name: string; isOwn: boolean } | undefined {
  const shown = text.trimEnd();
  const part = shown.lastIndexOf('<parameter name="');
  const body = part >= 0 && nextPart.test(shown.slice(part)) ? shown.slice(0, part).trimEnd() : shown;
  const at = body.lastIndexOf('</');
  const [, signs, name] = (at >= 0 && closer.exec(body.slice(at))) || [];
  return name === undefined ? undefined : { at, name, isOwn: signs !== undefined || ownTagNames.includes(name) };
}

function endedAs(text: string, inner: string): string {
  const bare = inner.replace(/\n$/, '');
  return text.endsWith('\n') ? `${bare}\n` : bare;
}

export function isTagOfPrompt(text: string): boolean {
  return ownTagNames.includes(tagged.exec(text)?.[1] ?? '');
}

export function isTagLine(line: string): boolean {
  return tagLine.test(line);
}

export function isMarker(line: string): boolean {
  return /^(?:[<-]{5,9} ?(?:SEARCH|ORIGINAL)>?|[>+]{5,9} ?(?:REPLACE|UPDATED)>?|:(?:start|end)_line: ?\d+)\s*$/.test(
    line,
  );
}

/**
 * Removes markers before the first line and after the last one. A row of `=` or `-` counts only beside them or with
 * `isDivided`.
 */
export function withoutMarkers(text: string, isDivided: boolean): string {
  const lines = text.split('\n');
  const isEnd = (line: string | undefined) => line !== undefined && isMarker(line);
  const isDivider = (line: string | undefined) => /^(?:={5,9}|-{7})\s*$/.test(line ?? '');
  const tail = lines.at(-1) === '' ? 1 : 0;
  let [from, to] = [0, lines.length - tail];
  const hasMarker = isDivided || isEnd(lines[from]) || isEnd(lines[to - 1]);
  if (!hasMarker) return text;
  while (from < to && (isEnd(lines[from]) || isDivider(lines[from]))) from++;
  while (to > from && (isEnd(lines[to - 1]) || isDivider(lines[to - 1]))) to--;
  return from === 0 && to === lines.length - tail ? text : lines.slice(from, to).join('\n') + (tail ? '\n' : '');
}

export function withoutPath(text: string, path: string): string {
  const end = text.indexOf('\n');
  const line = (end < 0 ? '' : text.slice(0, end)).trim().replace(/^(?:File: |`)|[:`]$/g, '');
  const isLonger = line.endsWith(`/${path}`) && !/\s/.test(line.slice(0, -path.length));
  const isPath = line !== '' && /[./]/.test(line) && (line === path || path.endsWith(`/${line}`) || isLonger);
  return isPath ? text.slice(end + 1) : text;
}

export function withTabs(text: string): string {
  if (text.includes('\\n') && !text.trim().includes('\n')) return text;
  const sign = String.raw`(?:\\t|&#0*9;|&#x0*9;)`;
  return text.replace(new RegExp(`^\\t*${sign}+`, 'gim'), (found) => found.replace(new RegExp(sign, 'gi'), '\t'));
}

/**
 * Decodes `\n` in code that came as one line, if all of them are outside of strings or one of the resulting lines is
 * among `shown`, lines that the file has.
 */
export function withLineEnds(text: string, shown: readonly string[] = []): string {
  const body = text.trim();
  if (body.includes('\n') || !body.includes('\\n')) return text;
  const whole = parseJson(`"${text.replace(/(?<!\\)((?:\\\\)*)"/g, '$1\\"')}"`);
  const known = new Set(shown.map((line) => line.trim()).filter((line) => line !== ''));
  const alike = typeof whole === 'string' ? whole.split('\n').filter((line) => known.has(line.trim())) : [];
  const isQuoted = /\\"/.test(body) && !/(?<!\\)"/.test(body) && !shown.some((line) => line.includes('\\"'));
  const isDistinct = isQuoted || alike.length > 1 || alike.some((line) => /[\p{L}\p{N}]{2}/u.test(line));
  if (typeof whole === 'string' && isDistinct) return whole;
  if (shown.some((line) => line.includes('\\n'))) return text;
  const parts = body.split('\\n');
  const areWhole = parts.every((part) => ['"', "'", '`'].every((quote) => part.split(quote).length % 2 === 1));
  const areLines = parts.every(
    (part, at) => at === 0 || /(?:[;{}(),:>\]]\s*|^\s*)$/.test(parts[at - 1] ?? '') || /^(?:\s|[)}\]]|$)/.test(part),
  );
  const lines = parts.join('\n').replaceAll('\\t', '\t').replaceAll('\\"', '"');
  return areWhole && areLines ? text.replace(body, () => lines) : text;
}

export function hasBareLineEnd(line: string): boolean {
  const code = line.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '');
  return /(?<![/[(|^+*?\\])\\n(?![/\])|+*?{'"`])/.test(code);
}

/**
 * Decodes `&lt;` where the file has no entities and a line proves that one of the file's lines was meant; text of a
 * page, and text in quotes, may mean an entity.
 */
export function withoutEntities(text: string, file: string): string {
  if (!/&(?:lt|gt);/.test(text)) return text;
  const own = new Set(file.split('\n').map((line) => line.trim()));
  const isOwn = (line: string) => /&(?:lt|gt);/.test(line) && own.has(decodeEntities(line).trim());
  const lines = text.split('\n');
  const shown = lines.filter(isOwn);
  // All of it was encoded, also where the file has entities itself.
  if (shown.length > 1 && !/[<>]/.test(text) && !shown.some((line) => own.has(line.trim())))
    return decodeEntities(text);
  if (/&(?:lt|gt|amp|quot);/.test(file)) return text;
  const isMarkup = /<\/[a-zA-Z]/.test(file);
  const isCode = (line: string) => {
    const [code = ''] = line.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '').split(/\/\/|#|\*/, 1);
    return /&(?:lt|gt);/.test(code);
  };
  const words = new Set(text.split(/[\s"'`(),{}]+/).filter((word) => /&(?:lt|gt);/.test(word)));
  const isKnown = (word: string) => file.includes(decodeEntities(word));
  // Nothing was left as it is, and several of them are words of the file.
  const isAll = !/[<>]/.test(text) && [...words].filter(isKnown).length > 1;
  const isCertain = shown.length > 0 || (!isMarkup && (isAll || lines.some(isCode)));
  return isCertain ? decodeEntities(text) : text;
}
