import { expandElisions } from '../match/expand-elisions.ts';
import { type Found, findRows, type Match } from '../match/find-block.ts';
import type { LineIndex } from '../match/line-index.ts';
import { indentOf, isBlank } from '../match/line-tolerance.ts';
import { counterpartsOf, pairRows } from '../match/pair-rows.ts';
import type { Reading } from '../match/readings.ts';
import { rewriteMatch, trimmed } from '../match/rewrite-match.ts';
import { type Row, toRows } from '../match/rows.ts';
import type { LineChange, TextLines } from '../match/text-lines.ts';
import type { BlockRows } from './block-rows.ts';
import { dropRepeatedLines } from './repeated-lines.ts';

export interface Target {
  file: TextLines;
  index: LineIndex;
  joined: string;
  path?: string;
}

export type Located =
  | { kind: 'changes'; changes: LineChange[]; note?: string }
  | { kind: 'ambiguous' /** There are two or more, counted from 0. */; lines: readonly number[] }
  | { kind: 'no-change'; line?: number }
  | { kind: 'not-found' | 'empty' | 'elision' | 'fence' | 'indentation' };

export function rewritten(target: Target, reading: Reading, sides: BlockRows, found: Found): Located {
  if (found.kind === 'none') return { kind: 'not-found' };
  if (found.kind === 'one') return rewrittenAt(target, reading, sides, found.match);
  const matches = reading.replaceAll ? found.matches() : [];
  if (matches.length === 0) return { kind: 'ambiguous', lines: found.lines };
  return inAll(matches.map((match) => rewrittenAt(target, reading, sides, match)));
}

function inAll(all: readonly Located[]): Located {
  const bad = all.find(({ kind }) => kind !== 'changes' && kind !== 'no-change');
  const changes = all.flatMap((one) => (one.kind === 'changes' ? one.changes : []));
  const [first = { kind: 'not-found' }] = all;
  return bad ?? (first.kind === 'no-change' && changes.length === 0 ? first : { ...first, kind: 'changes', changes });
}

function rewrittenAt(target: Target, { note }: Reading, sides: BlockRows, match: Match): Located {
  const expanded = expandElisions(sides.search, sides.replace);
  if (expanded === undefined) return { kind: 'elision' };
  const { lines } = target.file;
  if (isWrapped(target, expanded, match) || isRead(expanded, match, lines))
    return { kind: 'no-change', line: match.first };
  if (hasLostBlocks(expanded, match, lines, target.path)) return { kind: 'indentation' };
  const blanks = blankChanges(sides, match, lines);
  if (blanks !== undefined) return changed(blanks, lines, note, match.first);
  const changes = rewriteMatch({ lines, match, ...expanded });
  const withEnds = changes.length === 0 || sides.replace.rows.length === 0 || endsDecide(sides);
  const all = withEnds ? [...changes, ...blanksAround(sides, match, lines, changes.length === 0)] : changes;
  if (isRepeated(all, lines)) return { kind: 'no-change', line: match.first };
  all.sort((a, b) => a.start - b.start);
  return changed(all, lines, note, match.first);
}

/**
 * Handles a block that only adds or removes blank lines. Nothing changes where the file already has as many, so that
 * the block can be applied twice. Returns undefined for every other block.
 */
function blankChanges(
  { search, replace }: BlockRows,
  match: Match,
  lines: readonly string[],
): LineChange[] | undefined {
  const isOther = search.rows.length !== replace.rows.length || match.prefix !== '' || match.suffix !== '';
  const isSame = (row: Row, at: number) => {
    const { text, trail, isElision } = replace.rows[at] ?? row;
    return text === row.text && trail === row.trail && !isElision && !row.isElision && (match.lineOf[at] ?? -1) >= 0;
  };
  if (isOther || !search.rows.every(isSame)) return undefined;
  const gap = (start: number, end: number, shown: number, wanted: number): LineChange[] => {
    const more = wanted - (end - start);
    if (wanted > shown && more > 0) return [{ start: end, end, lines: Array.from({ length: more }, () => '') }];
    return wanted < shown && more < 0 ? [{ start: end + more, end, lines: [] }] : [];
  };
  const inner = search.rows.flatMap((row, at) => {
    const above = match.lineOf[at - 1];
    const wanted = replace.rows[at]?.blanksAbove ?? 0;
    return above === undefined ? [] : gap(above + 1, match.lineOf[at] ?? above + 1, row.blanksAbove, wanted);
  });
  let [top, bottom] = [match.first, match.last + 1];
  while (top > 0 && isBlank(lines[top - 1] ?? '')) top--;
  while (bottom < lines.length && isBlank(lines[bottom] ?? '')) bottom++;
  const isAlone = search.rows.every((row, at) => row.blanksAbove === replace.rows[at]?.blanksAbove);
  // Beside other blank lines one line end at the ends says nothing; behind the last line the first one is its own.
  const less = (count: number) => Math.max(0, count - 1);
  const above = isAlone ? [search.leading, replace.leading] : [less(search.leading), less(replace.leading)];
  const isBare = isAlone && search.trailing === 0;
  const below = isBare ? [0, replace.trailing] : [less(search.trailing), less(replace.trailing)];
  return [
    ...gap(top, match.first, above[0] ?? 0, above[1] ?? 0),
    ...inner,
    ...gap(match.last + 1, bottom, below[0] ?? 0, below[1] ?? 0),
  ];
}

export function isWrapped(
  { index }: Target,
  { search, replace }: BlockRows,
  { first, last }: Pick<Match, 'first' | 'last'>,
): boolean {
  if (replace.rows.length <= search.rows.length) return false;
  const there = findRows(index, replace.rows, 'body');
  return there.kind === 'one' && there.match.first <= first && there.match.last >= last;
}

/** Returns whether the lines that a forgiven search found are the replacement's already. */
function isRead({ replace: { rows } }: BlockRows, { form, first, last }: Match, lines: readonly string[]): boolean {
  if (form === 'exact') return false;
  const own = toRows(lines.slice(first, last + 1)).rows;
  const isOwn = ({ text, blanksAbove }: Row, at: number) =>
    own[at]?.text === text && own[at].blanksAbove === blanksAbove;
  return own.length === rows.length && rows.every(isOwn);
}

function isRepeated(changes: readonly LineChange[], lines: readonly string[]): boolean {
  return (
    changes.length > 0 &&
    changes.every(({ start, end, lines: fresh }) => {
      if (start !== end || !fresh.some((line) => /[\p{L}\p{N}]/u.test(line))) return false;
      const stands = (from: number) => from >= 0 && fresh.every((line, at) => lines[from + at]?.trim() === line.trim());
      return stands(start) || stands(start - fresh.length);
    })
  );
}

export function changed(
  changes: readonly LineChange[],
  lines: readonly string[],
  note: string | undefined,
  line: number,
): Located {
  const { changes: real, note: repeated } = dropRepeatedLines(trimmed(changes, lines), lines);
  const notes = [note, repeated].filter((one) => one !== undefined);
  return real.length === 0
    ? { kind: 'no-change', line }
    : { kind: 'changes', changes: real, ...(notes.length > 0 && { note: notes.join('; ') }) };
}

export function endsDecide({ search, replace }: BlockRows): boolean {
  return Math.abs(search.leading - replace.leading) > 1 || Math.abs(search.trailing - replace.trailing) > 1;
}

/**
 * Returns changes for blank lines around the block that only one side has. One line end more or less counts only
 * where nothing else changes, because models differ in it without meaning it.
 */
export function blanksAround(
  { search, replace }: BlockRows,
  match: Match,
  lines: readonly string[],
  alone: boolean,
): LineChange[] {
  if (match.prefix !== '' || match.suffix !== '') return [];
  const more = (wanted: number, shown: number) => {
    if (alone || (wanted > 0 && shown > 0)) return wanted - shown;
    return Math.max(0, wanted - 1) - Math.max(0, shown - 1);
  };
  const above = more(replace.leading, search.leading);
  const below = more(replace.trailing, search.trailing);
  const changes: LineChange[] = [];
  const blanksFrom = (from: number, step: number) => {
    let count = 0;
    while (lines[from + count * step] !== undefined && isBlank(lines[from + count * step] ?? '')) count++;
    return count;
  };
  if (above > 0) changes.push({ start: match.first, end: match.first, lines: Array.from({ length: above }, () => '') });
  const up = Math.min(-above, blanksFrom(match.first - 1, -1));
  if (up > 0) changes.push({ start: match.first - up, end: match.first, lines: [] });
  if (below > 0)
    changes.push({ start: match.last + 1, end: match.last + 1, lines: Array.from({ length: below }, () => '') });
  const down = Math.min(-below, blanksFrom(match.last + 1, 1));
  if (down > 0) changes.push({ start: match.last + 1, end: match.last + 1 + down, lines: [] });
  return changes;
}

const python = /^(?:async )?(?:def|class|if|elif|else|for|while|with|try|except|finally|match|case)\b.*:$/;

const languages: readonly [name: RegExp, opens: RegExp][] = [
  [/\.(?:pyi?|pyx|bzl|star|gd)$/, python],
  [/\.ya?ml$/, /:(?:\s+[|>][-+\d]*)?$/],
  [
    /\.(?:coffee|litcoffee|cson|ls)$/,
    /[-=]>$|[=:]$|^(?:if|unless|else|for|while|until|loop|switch|when|class|try|catch|finally)\b(?!.*\bthen\b)/,
  ],
  [/\.(?:hs|lhs|elm|purs|idr|fsx?|nim)$/, /(?:=|->|<-|:|\b(?:where|do|of|let|in|then|else|with))$/],
  [/\.(?:pug|jade|haml|slim|sass|styl)$/, /:$/],
];

/**
 * Returns whether the replacement lost all indentation in a language where indentation gives the structure, so that
 * new lines cannot be placed. Without a `path` only Python is recognized, by its keywords.
 */
function hasLostBlocks({ search, replace }: BlockRows, match: Match, lines: readonly string[], path?: string): boolean {
  const { rows } = replace;
  if (rows.length < 2 || rows.some(({ indent, isElision }) => indent !== '' || isElision)) return false;
  const shown = new Set(search.rows.map(({ body }) => body));
  if (rows.every(({ body }) => shown.has(body))) return false;
  const opens = languages.find(([name]) => name.test(path ?? ''))?.[1];
  if (rows.slice(0, -1).some(({ body }) => (opens ?? python).test(body))) return true;
  if (opens === undefined) return false;
  const bodies = (side: BlockRows['search']) => side.rows.map(({ body }) => body);
  const pairs = pairRows(bodies(search), bodies(replace));
  // Lines that stay were deeper in the search.
  if (pairs.some((at) => at >= 0 && search.rows[at]?.indent !== '')) return true;
  const counterparts = counterpartsOf(search.rows, rows, pairs);
  const columnAt = (row: number) => indentOf(lines[match.lineOf[pairs[row] ?? -1] ?? -1] ?? '');
  // A line that comes between lines of different depths may belong to either.
  let above = -1;
  let isBetween = false;
  for (const at of rows.keys()) {
    if ((pairs[at] ?? -1) >= 0) {
      if (isBetween && above >= 0 && columnAt(above) !== columnAt(at)) return true;
      above = at;
      isBetween = false;
    } else if ((counterparts[at] ?? -1) < 0) isBetween = true;
  }
  return false;
}
