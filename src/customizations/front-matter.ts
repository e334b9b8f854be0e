import { parseJson } from '../base/parse-json.ts';

const maxHeaderLength = 8 * 1024;
const maxHeaderLines = 200;

export type HeaderValue = string | readonly string[];

/**
 * Reads `key: value` lines between two lines of `---` at the beginning; the rest gets `\n` as line ends. Of YAML it
 * reads what such headers use: scalars with or without quotes, `[a, b]`, `- a`, and texts of several lines (`>`, `|`,
 * more deeply indented ones), and comments. Deeper nesting is skipped; anchors and tags are plain characters, because
 * globs that begin with `*` are common and are no YAML. The work is linear in the text.
 */
export function splitFrontMatter(text: string): { values: ReadonlyMap<string, HeaderValue>; body: string } {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const none = { values: new Map<string, HeaderValue>(), body: plain };
  const head = plain.slice(0, maxHeaderLength);
  const lines: string[] = [];
  for (let start = 0, count = 0; count < maxHeaderLines; count++) {
    const found = head.indexOf('\n', start);
    if (found < 0 && head.length < plain.length) return none;
    const end = found < 0 ? head.length : found;
    const line = head.slice(start, end).trimEnd();
    if (count > 0 && line === '---') return { values: readHeaderLines(lines), body: plain.slice(end + 1) };
    if (found < 0 || (count === 0 && line !== '---')) return none;
    if (count > 0) lines.push(line);
    start = end + 1;
  }
  return none;
}

export function readHeaderLines(lines: readonly string[]): Map<string, HeaderValue> {
  const values = new Map<string, HeaderValue>();
  for (let at = 0; at < lines.length; ) {
    const line = lines[at++] ?? '';
    const colon = line.indexOf(':');
    const key = unquoted(line.slice(0, Math.max(0, colon)));
    const isEntry = /^[A-Za-z][\w-]*$/.test(key) && /^(?:$|\s)/.test(line.slice(colon + 1));
    const below: string[] = [];
    const isOneLine = isEntry && /^\s+[^\s|>[]/.test(line.slice(colon + 1));
    // A list may stand as far to the left as its key.
    while (at < lines.length && /^(?:$|\s|- )/.test(lines[at] ?? '')) {
      // A text that goes on holds no key, so this line is one that is indented by mistake.
      if (isOneLine && /^\s+[A-Za-z][\w-]*:\s/.test(lines[at] ?? '')) break;
      below.push(lines[at++] ?? '');
    }
    if (isEntry) values.set(key, readValue(line.slice(colon + 1).trim(), below));
  }
  return values;
}

function readValue(written: string, below: readonly string[]): HeaderValue {
  const first = withoutComment(written);
  const isBlock = /^[|>][+-]?$/.test(first);
  const more = below.map((line) => (isBlock ? line : withoutComment(line)).trim()).filter((line) => line !== '');
  if (/^\|[+-]?$/.test(first)) return withoutIndent(below);
  if (/^>[+-]?$/.test(first)) return more.join(' ');
  if (first.startsWith('[') && first.endsWith(']')) return listOf(first.slice(1, -1));
  if (first === '' && more.every((line) => /^-(?:\s|$)/.test(line))) return more.map((line) => unquoted(line.slice(1)));
  // A key below a key: nested settings, which nobody here asks for.
  if (first === '' && more.some((line) => line.includes(': ') || line.endsWith(':'))) return '';
  return unquoted([first, ...more].filter((line) => line !== '').join(' '));
}

function withoutIndent(lines: readonly string[]): string {
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const indent = first.length - first.trimStart().length;
  return lines
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)))
    .join('\n')
    .trim();
}

function listOf(inner: string): string[] {
  const items: string[] = [];
  let quote = '';
  let item = '';
  // A comma within braces is part of a glob.
  let depth = 0;
  for (const sign of inner) {
    if (sign === quote) quote = '';
    else if (quote === '' && (sign === '"' || sign === "'")) quote = sign;
    else if (quote === '') depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
    if (sign === ',' && quote === '' && depth <= 0) {
      items.push(item);
      item = '';
    } else {
      item += sign;
    }
  }
  return [...items, item].map(unquoted).filter((one) => one !== '');
}

function unquoted(text: string): string {
  const value = text.trim();
  // Word processors write these for the quotes that were typed.
  const typographic = /^\p{Pi}(.*)\p{Pf}$/su.exec(value)?.[1];
  if (typographic !== undefined) return typographic;
  const quote = value.at(0);
  if (value.length < 2 || (quote !== '"' && quote !== "'") || !value.endsWith(quote)) return value;
  const inner = value.slice(1, -1);
  if (quote === "'") return inner.replaceAll("''", "'");
  const read = parseJson(value);
  return typeof read === 'string' ? read : inner;
}

/** A comment begins with a `#` behind a blank, outside of quotes. */
function withoutComment(line: string): string {
  let quote = '';
  let isEscaped = false;
  for (const [at, sign] of [...line].entries()) {
    const before = line[at - 1] ?? ' ';
    if (isEscaped) isEscaped = false;
    else if (sign === '\\' && quote === '"') isEscaped = true;
    else if (sign === quote) quote = '';
    // A quote within a word, as in "don't", opens nothing.
    else if (quote === '' && (sign === '"' || sign === "'") && /[\s[,]/.test(before)) quote = sign;
    else if (quote === '' && sign === '#' && /\s/.test(before)) return line.slice(0, at).trimEnd();
  }
  return line;
}
