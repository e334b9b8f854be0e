const maxAlternatives = 64;
const maxPatternLength = 300;

export type Token =
  | { kind: 'char'; char: string }
  | { kind: 'any' }
  | { kind: 'star' }
  | { kind: 'set'; has(char: string): boolean };
type Part = '**' | readonly (readonly Token[])[];

/**
 * Supports globs of paths with `/`: `*`, `?`, `**`, `[a-z]`, `{a,b}`, ignoring case. Matching takes at most pattern ×
 * path steps for any pattern, which a translation to a regular expression does not guarantee. A part with brackets
 * also matches itself, because `[id]` is a common file name. Returns undefined when the pattern is too long or has
 * too many braces.
 */
export function createGlob(pattern: string): ((path: string) => boolean) | undefined {
  if (pattern.length > maxPatternLength) return undefined;
  const alternatives = expandBraces(pattern.toLowerCase());
  if (alternatives === undefined) return undefined;
  const compiled = alternatives.map((alternative) => {
    const names = alternative.split('/').filter((part) => part !== '' && part !== '.');
    return { needs: longestLiteral(names), parts: names.map(compilePart) };
  });
  return (path) => {
    const lower = path.toLowerCase();
    let names: readonly string[] | undefined;
    return compiled.some(({ needs, parts }) => {
      if (!lower.includes(needs)) return false;
      names ??= lower.split('/');
      return matchesAll(parts, names, matchesPart, (part) => part === '**');
    });
  };
}

function longestLiteral(names: readonly string[]): string {
  const literals = names.filter((name) => !name.includes('[')).flatMap((name) => name.split(/[*?]+/));
  return literals.reduce((longest, literal) => (literal.length > longest.length ? literal : longest), '');
}

/**
 * Combines globs that are separated by commas outside of braces; one that begins with `!` excludes what it matches.
 * `widen` is applied to each. Returns undefined where `createGlob` would.
 */
export function createGlobs(list: string, widen: (pattern: string) => string): ((path: string) => boolean) | undefined {
  const wanted: ((path: string) => boolean)[] = [];
  const unwanted: ((path: string) => boolean)[] = [];
  for (const pattern of splitOutsideBraces(list)) {
    const isOut = pattern.startsWith('!');
    const glob = createGlob(widen(isOut ? pattern.slice(1) : pattern));
    if (glob === undefined) return undefined;
    (isOut ? unwanted : wanted).push(glob);
  }
  if (wanted.length === 0) wanted.push(() => true);
  return (path) => wanted.some((matches) => matches(path)) && !unwanted.some((matches) => matches(path));
}

function splitOutsideBraces(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of list) {
    depth += char === '{' ? 1 : char === '}' ? -1 : 0;
    if (char === ',' && depth <= 0) parts.push('');
    else parts.push(`${parts.pop()}${char}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

export function expandBraces(pattern: string): string[] | undefined {
  let pending = [pattern];
  for (;;) {
    const next = pending.flatMap(expandInnermost);
    if (next.length > maxAlternatives) return undefined;
    if (next.length === pending.length) return next;
    pending = next;
  }
}

function expandInnermost(pattern: string): string[] {
  const braces = /\{([^{},]*,[^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const before = pattern.slice(0, braces.index);
  const after = pattern.slice(braces.index + braces[0].length);
  return (braces[1] ?? '').split(',').map((choice) => `${before}${choice}${after}`);
}

function compilePart(part: string): Part {
  if (part === '**') return '**';
  const literal = [...part].map(tokenOf);
  return part.includes('[') ? [tokensWithSets(part), literal] : [literal];
}

function tokenOf(char: string): Token {
  if (char === '*') return { kind: 'star' };
  return char === '?' ? { kind: 'any' } : { kind: 'char', char };
}

function tokensWithSets(part: string): Token[] {
  return [...part.matchAll(/\[([!^]?)([^\]]+)\]|(.)/gsu)].map(([, not, members, char]): Token => {
    if (members === undefined) return tokenOf(char ?? '');
    const ranges = [...members.matchAll(/(.)-(.)|(.)/gsu)].map(([, low, high, single]) => ({
      low: low ?? single ?? '',
      high: high ?? single ?? '',
    }));
    return {
      kind: 'set',
      has: (candidate) => ranges.some(({ low, high }) => candidate >= low && candidate <= high) === (not === ''),
    };
  });
}

function matchesPart(part: Part, name: string): boolean {
  if (part === '**') return true;
  const chars = [...name];
  return part.some((tokens) => tokensMatch(tokens, chars));
}

export function tokensMatch(tokens: readonly Token[], chars: readonly string[]): boolean {
  return matchesAll(tokens, chars, matchesChar, (token) => token.kind === 'star');
}

function matchesChar(token: Token, char: string): boolean {
  return token.kind === 'char' ? token.char === char : token.kind === 'set' ? token.has(char) : true;
}

/** Matches wildcards with one step back: only the last wildcard ever needs to take more, so the time stays bounded. */
export function matchesAll<P, V>(
  pattern: readonly P[],
  values: readonly V[],
  matches: (item: P, value: V) => boolean,
  isWild: (item: P) => boolean,
): boolean {
  let at = 0;
  let wildAt = -1;
  let takenTo = 0;
  for (let index = 0; index < values.length; ) {
    const item = pattern[at];
    if (item !== undefined && isWild(item)) {
      wildAt = at++;
      takenTo = index;
    } else if (item !== undefined && matches(item, values[index] as V)) {
      at++;
      index++;
    } else if (wildAt >= 0) {
      at = wildAt + 1;
      index = ++takenTo;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isWild);
}
