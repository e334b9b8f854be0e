import type { Match } from './find-block.ts';
import { createIndentMap, indentsOf, withoutStrays } from './indentation.ts';
import { indentOf } from './line-tolerance.ts';
import type { Row, Rows } from './rows.ts';

export interface RowIndentEvidence {
  lines: readonly string[];
  match: Match;
  search: Rows;
  replace: Rows;
  pairs: readonly number[];
}

/**
 * Returns the function that gives a row of the replacement its indentation in the file, whatever the block has done
 * to it.
 */
export function createRowIndent(evidence: RowIndentEvidence): (row: Row, at: number) => string {
  const base = baseIndent(evidence);
  const own = indentOf(evidence.lines[evidence.match.first] ?? '');
  const isCut = isFirstCut(evidence);
  return (row, at) => (isCut && at === 0 ? own : base(row, at));
}

function baseIndent(evidence: RowIndentEvidence): (row: Row, at: number) => string {
  const { lines, match, search, replace, pairs } = evidence;
  const matched = search.rows.flatMap((row, at) => {
    const line = match.lineOf[at] ?? -1;
    return line < 0 || (at === 0 && match.prefix !== '') ? [] : [[row.indent, indentOf(lines[line] ?? '')] as const];
  });
  const first = matched[0];
  const others = replace.rows.slice(1);
  const isTrimmed =
    first !== undefined && first[0] === '' && first[1] !== '' && isTrimmedBlock(first[1], matched, others);
  const known = isTrimmed ? [[first[1], first[1]] as const, ...matched.slice(1)] : matched;
  if (!isTrimmed && replacementIsRight(rewriteRows(replace.rows, pairs), search.rows, match, lines))
    return (row) => row.indent;
  const lost = lostIndent(evidence);
  if (lost !== undefined) return (row) => lost + row.indent;
  const block = [...search.rows, ...replace.rows].map((row) => row.indent);
  const map = createIndentMap({ pairs: known, block, file: indentsOf(lines) });
  const kept = withoutStrays(known);
  const isUnclear = (indent: string) => new Set(kept.flatMap(([from, to]) => (from === indent ? [to] : []))).size > 1;
  return (row, at) => {
    if (isTrimmed && at === 0 && row.indent === '') return first[1];
    return (isUnclear(row.indent) ? neighbourIndent(evidence, row, at) : undefined) ?? map(row.indent);
  };
}

function neighbourIndent(
  { lines, match, search, replace, pairs }: RowIndentEvidence,
  row: Row,
  at: number,
): string | undefined {
  const order = [...pairs.keys()].sort((a, b) => distance(a, at) - distance(b, at));
  const near = order.find((other) => {
    const partner = pairs[other] ?? -1;
    return partner >= 0 && search.rows[partner]?.indent === row.indent && replace.rows[other]?.indent === row.indent;
  });
  const line = match.lineOf[pairs[near ?? -1] ?? -1] ?? -1;
  return line < 0 ? undefined : indentOf(lines[line] ?? '');
}

function distance(other: number, at: number): number {
  return other < at ? at - other - 0.5 : other - at;
}

function isFirstCut({ search, replace, pairs }: RowIndentEvidence): boolean {
  const isCut = pairs[0] === 0 && replace.rows[0]?.indent === '' && search.rows[0]?.indent !== '';
  const others = replace.rows.flatMap((row, at) => {
    const shown = search.rows[pairs[at] ?? -1];
    return at === 0 || shown === undefined ? [] : [row.indent === shown.indent];
  });
  const isMore = changesMore({ search, replace, pairs }, () => undefined);
  return isCut && isMore && others.length > 0 && others.every((isSame) => isSame);
}

/**
 * Returns the indentation that a replacement written from column 0 lacks, when the search has the file's indentation.
 * Returns undefined when column 0 is meant.
 */
function lostIndent({ lines, match, search, replace, pairs }: RowIndentEvidence): string | undefined {
  const isOwn = search.rows.every(
    (row, at) => row.isElision || row.indent === indentOf(lines[match.lineOf[at] ?? -1] ?? ''),
  );
  const least = leastIndent(search.rows);
  if (!isOwn || least === '' || match.prefix !== '' || leastIndent(replace.rows) !== '') return undefined;
  const hasPairs = pairs.some((at) => at >= 0);
  const lost = hasPairs ? lackOf(replace.rows, search.rows, pairs) : least;
  if (lost === undefined || lost === '') return undefined;
  const isShifted = (at: number) => {
    const [row, shown] = [replace.rows[at], search.rows[pairs[at] ?? -1]];
    return shown === undefined ? undefined : lost + (row?.indent ?? '') === shown.indent;
  };
  const last = pairs.length - 1;
  const isFramed = pairs[0] === 0 && pairs[last] === search.rows.length - 1 && isShifted(0) && isShifted(last);
  const isEverywhere = replace.rows.every(
    (row, at) => row.isElision || (hasPairs ? isShifted(at) !== false : row.indent.length < least.length),
  );
  const isLost = isFramed || (lost === least && isEverywhere);
  return isLost && (!hasPairs || changesMore({ search, replace, pairs }, isShifted)) ? lost : undefined;
}

function lackOf(rows: readonly Row[], shown: readonly Row[], pairs: readonly number[]): string | undefined {
  const at = pairs.findIndex((partner, row) => partner >= 0 && !rows[row]?.isElision);
  const [wanted, own] = [rows[at]?.indent ?? '', shown[pairs[at] ?? -1]?.indent ?? ''];
  return own.endsWith(wanted) ? own.slice(0, own.length - wanted.length) : undefined;
}

function changesMore(
  { search, replace, pairs }: Pick<RowIndentEvidence, 'search' | 'replace' | 'pairs'>,
  isShifted: (at: number) => boolean | undefined,
): boolean {
  if (pairs.length !== search.rows.length) return true;
  return replace.rows.some(
    (row, at) => pairs[at] !== at || row.blanksAbove !== search.rows[at]?.blanksAbove || isShifted(at) === false,
  );
}

export function leastIndent(rows: readonly Row[]): string {
  const indents = rows.flatMap(({ isElision, indent }) => (isElision ? [] : [indent]));
  return indents.reduce((a, b) => (b.length < a.length ? b : a), indents[0] ?? '');
}

function isTrimmedBlock(own: string, matched: readonly (readonly [string, string])[], others: readonly Row[]): boolean {
  const rest = matched.slice(1);
  if (rest.length > 0) return rest.every(([block, file]) => block === file);
  return others.length > 0 && others.every(({ indent }) => indent.startsWith(own));
}

function rewriteRows(rows: readonly Row[], pairs: readonly number[]): { row: Row; partner: number }[] {
  return rows.map((row, at) => ({ row, partner: pairs[at] ?? -1 })).filter(({ row }) => !row.isElision);
}

function replacementIsRight(
  rows: readonly { row: Row; partner: number }[],
  search: readonly Row[],
  match: Match,
  lines: readonly string[],
): boolean {
  let [right, wrong] = [0, 0];
  const vote = (indent: string, at: number) => {
    const shown = search[at]?.indent;
    const own = indentOf(lines[match.lineOf[at] ?? -1] ?? '');
    if (shown === own) return;
    if (indent === own) right++;
    else if (indent === shown) wrong++;
  };
  if (isWithinSearch(rows, search, match, lines)) return false;
  for (const { row, partner } of rows) if (partner >= 0) vote(row.indent, partner);
  const [first] = rows;
  if (right + wrong === 0 && first !== undefined && match.prefix === '') vote(first.row.indent, 0);
  return right > 0 && wrong === 0;
}

function isWithinSearch(
  rows: readonly { row: Row; partner: number }[],
  search: readonly Row[],
  match: Match,
  lines: readonly string[],
): boolean {
  const own = match.lineOf.filter((line) => line >= 0).map((line) => indentOf(lines[line] ?? '').length);
  const margin = leastIndent(search).length;
  if (margin >= Math.min(...own)) return false;
  const isNew = (end: { row: Row; partner: number } | undefined) =>
    end !== undefined && end.partner < 0 && end.row.indent.length === margin;
  // Where a colon opens a block, nothing closes it.
  return isNew(rows[0]) && (isNew(rows.at(-1)) || (search.length > 1 && rows[0]?.row.body.endsWith(':') === true));
}
