/** Lines count from 0, and both ends are included. */
export interface LineScope {
  first: number;
  last: number;
}

export interface Selected {
  start: { line: number; character: number };
  end: { line: number; character: number };
}

/** Lines count from 1, as in an outline. */
interface Entry {
  line: number;
  endLine: number;
}

const maxSymbolLines = 200;

/**
 * Chooses the lines of the selection, else of the smallest symbol around the cursor that is not very long, else the
 * line of the cursor. A selection that ends at the start of a line does not include that line.
 */
export function chooseScope({ start, end }: Selected, outline: readonly Entry[]): LineScope {
  const isEmpty = start.line === end.line && start.character === end.character;
  if (!isEmpty) {
    const endsBefore = end.character === 0 && end.line > start.line;
    return { first: start.line, last: endsBefore ? end.line - 1 : end.line };
  }
  const line = start.line + 1;
  const [symbol] = outline
    .filter((entry) => entry.line <= line && entry.endLine >= line && entry.endLine > entry.line)
    .toSorted((a, b) => a.endLine - a.line - (b.endLine - b.line));
  if (symbol === undefined || symbol.endLine - symbol.line >= maxSymbolLines)
    return { first: start.line, last: start.line };
  return { first: symbol.line - 1, last: symbol.endLine - 1 };
}

/** Moves a scope after a change that replaced lines `from` to `to` (from 0, both included) by `count` lines. */
export function shiftScope(scope: LineScope, from: number, to: number, count: number): LineScope {
  const delta = count - (to - from + 1);
  if (to < scope.first) return { first: scope.first + delta, last: scope.last + delta };
  if (from > scope.last) return scope;
  const first = Math.min(scope.first, from);
  return { first, last: Math.max(first, scope.last + delta) };
}
