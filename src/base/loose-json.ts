/**
 * Repairs mistakes of models that leave one reading: control characters that stand in a string as they are, a string
 * in which no backslash begins an escape, a comma behind the last entry, and something around the only object. Throws
 * the error of `JSON.parse` for the text as it was given.
 */
export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    for (const candidate of [text, onlyObject(text)]) {
      try {
        if (candidate !== undefined) return JSON.parse(mended(candidate));
      } catch {
        // The text as it was given decides on the error.
      }
    }
    throw error;
  }
}

// The object in a fence, before or behind words, or in a second pair of braces.
function onlyObject(text: string): string | undefined {
  const braces = [...tokensOf(text)].filter(({ sign }) => '{}'.includes(sign));
  const opening = braces.filter(({ sign }) => sign === '{');
  const [first, second] = opening;
  if (first === undefined || opening.filter(({ depth }) => depth === 0).length !== 1) return undefined;
  const last = braces.findLast(({ sign, depth }) => sign === '}' && depth === 1);
  if (last === undefined || braces.length !== 2 * opening.length) return undefined;
  const isDoubled = second !== undefined && text.slice(first.at + 1, second.at).trim() === '';
  const end = isDoubled ? text.lastIndexOf('}', last.at - 1) : last.at;
  return text.slice(isDoubled ? second.at : first.at, end + 1);
}

const maxTries = 20;

/**
 * Returns the whole members at the beginning of an object that breaks off or breaks down later. Never throws; a text
 * that is no object has no members.
 */
export function leadingMembers(text: string): object {
  const ends = [...tokensOf(text)].filter(({ depth, sign }) => depth === 1 && sign === ',').map(({ at }) => at);
  for (const end of ends.slice(-maxTries).reverse()) {
    try {
      const value: unknown = parseLooseJson(`${text.slice(0, end)}}`);
      return typeof value === 'object' && value !== null ? value : {};
    } catch {
      // Broken before this comma already.
    }
  }
  return {};
}

function mended(text: string): string {
  let result = '';
  let from = 0;
  let before = { sign: '', at: -1 };
  const isBlank = (start: number, end: number) => text.slice(start, end).trim() === '';
  for (const token of tokensOf(text)) {
    const { sign, at } = token;
    if (sign < ' ' || sign === '\\') {
      result += text.slice(from, at) + JSON.stringify(sign).slice(1, -1);
      from = at + 1;
      continue;
    }
    // An entry, then a comma, then the end.
    if ('}]'.includes(sign) && before.sign === ',' && isBlank(before.at + 1, at)) {
      result += text.slice(from, before.at);
      from = before.at + 1;
    }
    before = sign === ',' && isBlank(before.at + 1, at) && '{[,'.includes(before.sign) ? { sign: '', at } : token;
  }
  return result + text.slice(from);
}

const knownEscape = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;

function* tokensOf(text: string): Generator<{ sign: string; at: number; depth: number }> {
  let inString = false;
  let hasEscapes = false;
  let literal: number[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (inString) {
      if (sign === '\\' && !knownEscape.test(text.slice(at, at + 6))) literal.push(at);
      else if (sign === '\\') {
        hasEscapes ||= text.charAt(at + 1) !== '"';
        at++;
      } else if (sign === '"') {
        inString = false;
        // Beside a true escape it is not certain which of both the others are.
        if (!hasEscapes) for (const place of literal) yield { sign: '\\', at: place, depth };
      } else if (sign < ' ') yield { sign, at, depth };
    } else if (sign === '"') {
      inString = true;
      hasEscapes = false;
      literal = [];
    } else if ('{['.includes(sign)) {
      yield { sign, at, depth };
      depth++;
    } else if ('}],'.includes(sign)) {
      yield { sign, at, depth };
      if (sign !== ',') depth--;
    }
  }
}
