import { matchesAll, type Token, tokensMatch } from './glob.ts';

export type IgnoreVerdict = 'ignored' | 'kept' | undefined;

interface Rule {
  order: number;
  kept: boolean;
  foldersOnly: boolean;
}

interface PatternRule extends Rule {
  matches(names: readonly string[]): boolean;
}

const maxPatternLength = 4096;
const maxPatterns = 2000;

/**
 * Parses the rules of one `.gitignore` as git reads them. `names` are the parts of a path from the folder of that
 * file on. Matching part by part takes at most pattern × path steps, which a regular expression with several `.*`
 * does not guarantee.
 */
export function parseIgnoreFile(text: string): (names: readonly string[], isDirectory: boolean) => IgnoreVerdict {
  const byName = new Map<string, Rule[]>();
  const patterns: PatternRule[] = [];
  let order = 0;
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    const rule = parseLine(line, order++);
    if (rule === undefined) continue;
    if (typeof rule.what === 'string') {
      const same = byName.get(rule.what);
      // Of the same name only the last word for files and the last for folders can count.
      if (same === undefined) byName.set(rule.what, [rule]);
      else if (same.at(-1)?.foldersOnly === rule.foldersOnly) same.splice(-1, 1, rule);
      else same.push(rule);
    } else if (patterns.length < maxPatterns) {
      patterns.push({ ...rule, matches: rule.what });
    }
  }
  patterns.reverse();
  return (names, isDirectory) => {
    const counts = (rule: Rule) => isDirectory || !rule.foldersOnly;
    const named = byName.get(names.at(-1) ?? '')?.findLast(counts);
    const matched = patterns.find((rule) => rule.order < (named?.order ?? -1) || (counts(rule) && rule.matches(names)));
    const last = matched !== undefined && matched.order > (named?.order ?? -1) ? matched : named;
    return last === undefined ? undefined : last.kept ? 'kept' : 'ignored';
  };
}

type ParsedLine = Rule & { what: string | PatternRule['matches'] };

function parseLine(line: string, order: number): ParsedLine | undefined {
  let pattern = withoutTrailingBlanks(line.endsWith('\r') ? line.slice(0, -1) : line);
  if (pattern === '' || pattern.startsWith('#') || pattern.length > maxPatternLength) return undefined;
  const kept = pattern.startsWith('!');
  if (kept) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const rule = { order, kept, foldersOnly };
  if (!/[/*?[\\]/.test(pattern)) return { ...rule, what: pattern };
  const anchored = pattern.includes('/');
  const parts = tokenise(anchored && pattern.startsWith('/') ? pattern.slice(1) : pattern);
  return parts === undefined ? undefined : { ...rule, what: matcherOf(parts, anchored) };
}

function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes++;
  return line.slice(0, end < line.length && backslashes % 2 === 1 ? end + 1 : end);
}

type Part = '**' | readonly Token[];

function tokenise(pattern: string): Part[] | undefined {
  const parts: Part[] = [];
  let tokens: Token[] = [];
  let isStars = true;
  const endPart = () => {
    parts.push(isStars && tokens.length > 1 ? '**' : tokens);
    tokens = [];
    isStars = true;
  };
  const chars = [...pattern];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    if (char === '/') {
      endPart();
    } else if (char === '*') {
      tokens.push({ kind: 'star' });
    } else {
      isStars = false;
      const read = readToken(chars, at);
      if (read === undefined) return undefined;
      if (read.token === 'slash') endPart();
      else tokens.push(read.token);
      at = read.last;
    }
  }
  endPart();
  return parts;
}

function readToken(chars: readonly string[], at: number): { token: Token | 'slash'; last: number } | undefined {
  const char = chars[at] ?? '';
  if (char === '?') return { token: { kind: 'any' }, last: at };
  if (char === '[') return readSet(chars, at);
  if (char !== '\\') return { token: { kind: 'char', char }, last: at };
  const escaped = chars[at + 1];
  if (escaped === undefined) return undefined;
  return { token: escaped === '/' ? 'slash' : { kind: 'char', char: escaped }, last: at + 1 };
}

const named: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is meant.
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

function readSet(chars: readonly string[], open: number): { token: Token; last: number } | undefined {
  let at = open + 1;
  const isNot = chars[at] === '!' || chars[at] === '^';
  if (isNot) at++;
  const members: ((char: string) => boolean)[] = [];
  let low: string | undefined;
  for (let first = true; first || chars[at] !== ']'; first = false, at++) {
    const char = chars[at];
    if (char === undefined) return undefined;
    const next = chars[at + 1];
    if (char === '-' && low !== undefined && next !== undefined && next !== ']') {
      const from = low;
      at += next === '\\' ? 2 : 1;
      const to = chars[at];
      if (to === undefined) return undefined;
      members.push((candidate) => candidate >= from && candidate <= to);
      low = undefined;
    } else if (char === '[' && next === ':') {
      const end = chars.indexOf(']', at + 2);
      if (end < 0) return undefined;
      if (chars[end - 1] === ':' && end - 1 >= at + 2) {
        const known = named[chars.slice(at + 2, end - 1).join('')];
        if (known === undefined) return undefined;
        members.push((candidate) => known.test(candidate));
        low = undefined;
        at = end;
      } else {
        members.push((candidate) => candidate === '[');
        low = '[';
      }
    } else {
      const member = char === '\\' ? chars[++at] : char;
      if (member === undefined) return undefined;
      members.push((candidate) => candidate === member);
      low = member;
    }
  }
  const has = (char: string) => members.some((is) => is(char)) !== isNot;
  return { token: { kind: 'set', has }, last: at };
}

function matcherOf(parts: readonly Part[], anchored: boolean): PatternRule['matches'] {
  if (!anchored) {
    const [only = []] = parts;
    return (names) => only === '**' || tokensMatch(only, [...(names.at(-1) ?? '')]);
  }
  // `a/**` is what lies below `a`, not `a` itself; `**` in the middle may be nothing at all.
  const endsOpen = parts.at(-1) === '**';
  const all = endsOpen ? [...parts.slice(0, -1), '**' as const, anything] : parts;
  const matches = (part: Part, name: string) => part === '**' || tokensMatch(part, [...name]);
  return (names) => matchesAll(all, names, matches, (part) => part === '**');
}

const anything: readonly Token[] = [{ kind: 'star' }];
