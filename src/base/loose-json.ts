/**
 * Repairs two mistakes of models that leave one reading: control characters that stand in a string as they are, and a
 * comma behind the last entry. Throws the error of `JSON.parse` for the text as it was given.
 */
export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    try {
      return JSON.parse(mended(text));
    } catch {
      throw error;
    }
  }
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
    if (sign < ' ') {
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

function* tokensOf(text: string): Generator<{ sign: string; at: number; depth: number }> {
  let inString = false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (inString) {
      if (sign === '\\') at++;
      else if (sign === '"') inString = false;
      else if (sign < ' ') yield { sign, at, depth };
    } else if (sign === '"') inString = true;
    else if ('{['.includes(sign)) {
      yield { sign, at, depth };
      depth++;
    } else if ('}],'.includes(sign)) {
      yield { sign, at, depth };
      if (sign !== ',') depth--;
    }
  }
}
