export const lastLine = 9_999_999;

const countNames = ['limit', 'numlines', 'maxlines', 'linecount', 'nlines'];
const rangeNames = ['viewrange', 'linerange', 'range', 'lines'];

/**
 * Reads the ways to name lines of a file: a line or a range behind the path, a range as a list or text, a count of
 * lines, 0 for the beginning, −1 for the end. It moves what it reads from `unknown` to `known`, and returns clauses
 * for the model about what has no single reading.
 */
export function readLineNumbers(
  known: Map<string, unknown>,
  unknown: Map<string, unknown>,
  names: readonly string[],
): string[] {
  const problems: string[] = [];
  const set = (name: string, line: number, from: string) => {
    const there = known.get(name);
    if (there === undefined || there === line) known.set(name, line);
    else problems.push(`${from} and \`${name}\` name different lines`);
  };
  readPathEnd(known, names, set, problems);
  if (!names.includes('startLine') || !names.includes('endLine')) return problems;
  if (known.get('startLine') === 0) {
    known.set('startLine', 1);
    if (known.get('endLine') === 0) known.delete('endLine');
  }
  if (known.get('endLine') === -1) known.set('endLine', lastLine);
  for (const [key, value] of [...unknown]) {
    const plain = key.replaceAll(/[_-]/g, '').toLowerCase();
    const range = rangeNames.includes(plain) ? rangeOf(value) : undefined;
    const count = countNames.includes(plain) ? Number(value) : 0;
    if (range === undefined && !(Number.isInteger(count) && count > 0)) continue;
    unknown.delete(key);
    const first = typeof known.get('startLine') === 'number' ? Number(known.get('startLine')) : 1;
    const { start, end } = range ?? { start: first, end: first + count - 1 };
    if (range !== undefined || known.has('startLine')) set('startLine', start, `\`${key}\``);
    set('endLine', end, `\`${key}\``);
  }
  return problems;
}

/** No file that a tool may touch has a colon in its name. */
const pathWithLine = /^(.*?[^:/\\#])(?::|#L)(\d{1,7})(?:-L?(\d{1,7})|:\d{1,7})?$/s;

function readPathEnd(
  known: Map<string, unknown>,
  names: readonly string[],
  set: (name: string, line: number, from: string) => void,
  problems: string[],
): void {
  const path = known.get('path');
  if (typeof path !== 'string') return;
  const found = pathWithLine.exec(path.trimEnd());
  if (found === null) return;
  const [, file = '', first, last] = found;
  const name = ['startLine', 'line'].find((candidate) => names.includes(candidate));
  if (name === undefined || (last !== undefined && name === 'line')) {
    problems.push('`path` must be without line numbers');
    return;
  }
  known.set('path', file);
  set(name, Number(first), 'the line in `path`');
  if (last !== undefined) set('endLine', Number(last), 'the lines in `path`');
}

function rangeOf(value: unknown): { start: number; end: number } | undefined {
  const written = Array.isArray(value) ? value.join('-') : value;
  if (typeof written !== 'string') return undefined;
  const found = /^(\d{1,7})[-–,:](-1|\d{1,7})$/.exec(written.replaceAll(/[\s[\]()]/g, ''));
  if (found === null) return undefined;
  const end = Number(found[2]);
  return { start: Math.max(1, Number(found[1])), end: end === -1 ? lastLine : end };
}
