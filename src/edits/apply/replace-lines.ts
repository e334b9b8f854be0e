import { expandElisions } from '../match/expand-elisions.ts';
import { matchOfLines } from '../match/find-block.ts';
import { createLineIndex } from '../match/line-index.ts';
import { indentOf, isBlank, normalizeLine, unicodeFormOf } from '../match/line-tolerance.ts';
import { pairRows, sharedEnds } from '../match/pair-rows.ts';
import { rewriteMatch } from '../match/rewrite-match.ts';
import { isBareDots, type Row } from '../match/rows.ts';
import { settleIndent } from '../match/settle-indent.ts';
import { type BlockRows, rowsOfBlock } from './block-rows.ts';
import { bracketBalance } from './repeated-lines.ts';
import { findStandIn } from './stand-ins.ts';

export interface KnownPart {
  lines: readonly string[];
  first: number;
  last: number;
}

export type ReplacedLines = { lines: readonly string[] } | { problem: 'elided' | 'partial' | 'indentation' };

/**
 * Puts `replacement` in place of the part: lines that stay are as the file has them, and new ones take its
 * indentation unless they are known to have it (`isPlaced`). Refuses rather than guesses.
 */
export function replaceLines(part: KnownPart, replacement: readonly string[], isPlaced = false): ReplacedLines {
  const { lines, first, last } = part;
  const own = lines.slice(first, last + 1);
  if (replacement.every(isBlank)) return { lines: [] };
  const replace = replacement.join('\n');
  const form = unicodeFormOf(lines.join('\n'));
  const fresh = form ? replace.normalize(form) : replace;
  if (own.every(isBlank)) return { lines: indented(trimmedEnds(fresh.split('\n')), part) };
  const sides = rowsOfBlock({ search: own.join('\n'), replace: fresh }, createLineIndex(lines));
  const expanded = expandElisions(sides.search, sides.replace);
  if (expanded === undefined || findStandIn(own, fresh.split('\n'), lines) !== undefined) return { problem: 'elided' };
  return rewritten(part, expanded, isPlaced);
}

function rewritten(
  { lines, first, last }: KnownPart,
  { search, replace }: BlockRows,
  isPlaced: boolean,
): ReplacedLines {
  const key = ({ text }: Row) => normalizeLine(text, 'body');
  const pairs = pairRows(search.rows.map(key), replace.rows.map(key));
  // A line `...` may be a Python body; where lines are missing it stands for them.
  const isStub = replace.rows.some(({ body }, at) => isBareDots(body) && (pairs[at] ?? -1) < 0);
  if (isStub && search.rows.some((_row, at) => !pairs.includes(at))) return { problem: 'elided' };
  if (isPartial(search.rows, replace.rows, pairs)) return { problem: 'partial' };
  const rows = isPlaced ? replace.rows : settleIndent({ old: search.rows, fresh: replace.rows, pairs, lines });
  if (rows === undefined) return { problem: 'indentation' };
  const own = lines.slice(first, last + 1);
  const lineOf = own.flatMap((line, at) => (isBlank(line) ? [] : [first + at]));
  const match = matchOfLines('exact', lineOf);
  const changes = rewriteMatch({ lines, match, search, replace: { ...replace, rows } });
  const result = [...own];
  for (const { start, end, lines: coming } of changes.toReversed())
    result.splice(start - first, end - start, ...coming);
  return { lines: result };
}

const minRemovedLines = 4;

function isPartial(old: readonly Row[], fresh: readonly Row[], pairs: readonly number[]): boolean {
  if (isBlock(old) && (isCutOff(fresh) || isInnerOf(old, fresh))) return true;
  const lost = old.length - pairs.filter((at) => at >= 0).length;
  if (lost < minRemovedLines || lost * 2 < old.length || fresh.length * 2 > old.length) return false;
  const [begins, ends] = [areAlike(fresh[0], old[0]), areAlike(fresh.at(-1), old.at(-1))];
  if (begins !== ends) return isUnbalanced(old, fresh);
  const isDeeper = (fresh[0]?.indent.length ?? 0) > (old[0]?.indent.length ?? 0);
  return !begins && (isDeeper || fresh.some((row) => old.slice(1, -1).some((inner) => areAlike(row, inner))));
}

function areAlike(one: Row | undefined, other: Row | undefined): boolean {
  return one !== undefined && other !== undefined && sharedEnds(one.body, other.body) > 0.6;
}

function isBlock(rows: readonly Row[]): boolean {
  return balanceOf(rows).every((count) => count === 0) && /^[)}\]]+[;,]?$/.test(rows.at(-1)?.body ?? '');
}

function isCutOff(fresh: readonly Row[]): boolean {
  const counts = balanceOf(fresh);
  return counts.some((count) => count > 0) && counts.every((count) => count >= 0);
}

function isInnerOf(old: readonly Row[], fresh: readonly Row[]): boolean {
  const isInner = (row: Row) => old.slice(1, -1).some((inner) => areAlike(row, inner));
  return !areAlike(fresh[0], old[0]) && !areAlike(fresh.at(-1), old.at(-1)) && fresh.every(isInner);
}

function isUnbalanced(old: readonly Row[], fresh: readonly Row[]): boolean {
  return balanceOf(old).join() !== balanceOf(fresh).join();
}

function balanceOf(rows: readonly Row[]): readonly number[] {
  return bracketBalance(rows.map(({ body }) => body));
}

function trimmedEnds(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => !isBlank(line));
  return lines.slice(from, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

function indented(fresh: readonly string[], { lines, first, last }: KnownPart): readonly string[] {
  if (fresh.every((line) => isBlank(line) || indentOf(line) !== '')) return fresh;
  const above = lines.slice(0, first).findLast((line) => !isBlank(line)) ?? '';
  const below = lines.slice(last + 1).find((line) => !isBlank(line)) ?? '';
  const [up, down] = [indentOf(above), indentOf(below)];
  const around = down.length > up.length || !/^\s*[)}\]]/.test(below) ? down : up;
  // The editor has indented the empty line already.
  const wanted = [around, ...lines.slice(first, last + 1)].reduce((one, other) =>
    other.length > one.length ? other : one,
  );
  return fresh.map((line) => (isBlank(line) ? '' : wanted + line));
}
