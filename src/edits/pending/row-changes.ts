import { diffLineHunks } from '../apply/line-diff.ts';
import { distinctOrigins, type EditOrigin, type OriginFilter, ofConversation, sameOrigin } from './edit-origin.ts';
import { type Change, isByUser, isMark, isVisible, type Mark, originsIn, type Row, textOf } from './rows.ts';

/** `lines` replace `count` lines from `start`, counted from 0. */
export interface LineChange {
  start: number;
  count: number;
  lines: readonly string[];
  /** Holds the first and the last line that the user's change touched; it is absent where that is not known. */
  within?: { first: number; last: number };
}

export function rowIndexOf(rows: readonly Row[], line: number): number {
  let left = line;
  for (const [at, row] of rows.entries()) {
    if (!isVisible(row)) continue;
    if (left === 0) return at;
    left--;
  }
  return rows.length;
}

function rangeOf(rows: readonly Row[], { start, count }: { start: number; count: number }): [from: number, to: number] {
  return [rowIndexOf(rows, start), rowIndexOf(rows, start + count - 1) + 1];
}

/** Replaces rows as blocks, because `toSpliced` takes only as many rows as a call has arguments. */
export function spliced<T>(rows: readonly T[], from: number, to: number, fresh: readonly T[]): readonly T[] {
  // Copied as a block: with `...` each of a hundred thousand rows is handed over by itself.
  return rows.slice(0, from).concat(fresh, rows.slice(to));
}

export function withEdit(rows: readonly Row[], { start, count, lines }: LineChange, by: EditOrigin): readonly Row[] {
  if (count === 0) return withInserted(rows, { start, lines }, by);
  const [from, to] = rangeOf(rows, { start, count });
  const replaced = rows.slice(from, to);
  const isOwn = (origin: EditOrigin) => origin.conversationId === by.conversationId;
  const over = distinctOrigins(originsIn(replaced)).filter((origin) => !isOwn(origin));
  const gone = replaced.flatMap((row): Row[] => {
    if (!isVisible(row)) return [row];
    if (!isMark(row)) return [{ text: row, removed: { by, over: [] } }];
    // What a conversation wrote and writes anew was never anybody else's.
    return row.added?.by !== undefined && isOwn(row.added.by) ? [] : [{ ...row, removed: { by, over: [] } }];
  });
  return spliced(rows, from, to, [...gone, ...marked(lines, { by, over })]);
}

function marked(lines: readonly string[], added: Change): Mark[] {
  return lines.map((text) => ({ text, added }));
}

function withInserted(
  rows: readonly Row[],
  { start, lines, within, over: known = [] }: Omit<UserChange, 'count'>,
  by?: EditOrigin,
): readonly Row[] {
  const below = rowIndexOf(rows, start);
  const above = start === 0 ? -1 : rowIndexOf(rows, start - 1);
  const gap = gapFor(rows, { above, below, side: sideOf(start, within), ...(by && { by }) });
  const over = distinctOrigins([...known, ...gap.over]);
  const isSettled = by === undefined && over.length === 0;
  const fresh = isSettled ? lines : marked(lines, { ...(by && { by }), over });
  return spliced(rows, above + 1, below, [...gap.inFront, ...fresh, ...gap.behind]);
}

/**
 * Decides where new lines go between two neighbors: which of the removed rows there come before them and which after.
 * The gap is outside of every edit where that can be determined; `over` are the edits for which it cannot.
 */
export function gapFor(
  rows: readonly Row[],
  gap: { above: number; below: number; side: 'above' | 'below' | undefined; by?: EditOrigin },
): { inFront: readonly Row[]; behind: readonly Row[]; over: readonly EditOrigin[] } {
  const { above, below, side, by } = gap;
  const around = distinctOrigins(originsIn(rows.slice(Math.max(0, above), below + 1)));
  const others = around.filter((origin) => by === undefined || origin.conversationId !== by.conversationId);
  const hidden = rows.slice(above + 1, below);
  const untold = new Set<string | undefined>();
  const inFront = new Set<Row>();
  const behind = new Set<Row>();
  for (const owner of ownersOf(others)) {
    const of = ofConversation(owner);
    const isAbove = isWrittenBy(rows[above], of);
    const isBelow = isWrittenBy(rows[below], of);
    const back = hidden.filter((row) => comesBack(row, of));
    const isAfter = isAbove || (!isBelow && side === 'below');
    if ((isAbove && isBelow) || (back.length > 0 && !isAbove && !isBelow && side === undefined)) untold.add(owner);
    else for (const row of back) (isAfter ? inFront : behind).add(row);
  }
  const parts = parted(hidden, { inFront, behind, side });
  return {
    ...(parts ?? { inFront: hidden, behind: [] }),
    over: others.filter(({ conversationId }) => parts === undefined || untold.has(conversationId)),
  };
}

function parted(
  hidden: readonly Row[],
  {
    inFront,
    behind,
    side,
  }: { inFront: ReadonlySet<Row>; behind: ReadonlySet<Row>; side: 'above' | 'below' | undefined },
): { inFront: readonly Row[]; behind: readonly Row[] } | undefined {
  const from = hidden.findLastIndex((row) => inFront.has(row)) + 1;
  const first = hidden.findIndex((row) => behind.has(row));
  const to = first < 0 ? hidden.length : first;
  if (from <= to) {
    const at = side === 'above' ? from : to;
    return { inFront: hidden.slice(0, at), behind: hidden.slice(at) };
  }
  const mixed = hidden.slice(to, from);
  const [up, down] = [mixed.filter((row) => !behind.has(row)), mixed.filter((row) => behind.has(row))];
  const isFree = down.every((row) => !inFront.has(row) && up.every((other) => excludes(row, other)));
  return isFree ? { inFront: [...hidden.slice(0, to), ...up], behind: [...down, ...hidden.slice(from)] } : undefined;
}

function excludes(row: Row, other: Row): boolean {
  const isSame = (one: EditOrigin | undefined, two: EditOrigin | undefined) =>
    one !== undefined && two !== undefined && sameOrigin(one, two);
  if (!isMark(row) || !isMark(other)) return false;
  return isSame(row.removed?.by, other.added?.by) || isSame(other.removed?.by, row.added?.by);
}

/** Returns the conversations of edits; undefined stands for edits that belong to none. */
export function ownersOf(origins: readonly EditOrigin[]): ReadonlySet<string | undefined> {
  return new Set(origins.map(({ conversationId }) => conversationId));
}

export function isWrittenBy(row: Row | undefined, of: OriginFilter): boolean {
  return isMark(row) && dependsOnAny(row.added, of);
}

/** Returns whether the line is gone because of these edits, or because of what the user wrote into them. */
export function comesBack(row: Row, of: OriginFilter): boolean {
  return isMark(row) && dependsOnAny(row.removed, of) && (isByUser(row.removed) || !isWrittenBy(row, of));
}

function dependsOnAny(change: Change | undefined, of: OriginFilter): boolean {
  return change !== undefined && ((change.by !== undefined && of(change.by)) || change.over.some(of));
}

export function sideOf(line: number, within: LineChange['within']): 'above' | 'below' | undefined {
  if (within === undefined) return undefined;
  if (within.last < line) return 'above';
  return within.first >= line ? 'below' : undefined;
}

/**
 * Applies a change of the user, made as small as possible so that unchanged lines stay what they are. Where it meets
 * an earlier change that is mixed with edits, both are merged from their common origin, so that typing and taking it
 * back leaves nothing behind.
 */
export function withUserChange(rows: readonly Row[], change: LineChange): readonly Row[] {
  const { start, count, lines } = change;
  if (count === 0) return withInserted(rows, change);
  // Each of them is gone by itself: taken together, what is left of the user's lines could change its place.
  if (count > 1 && lines.length === 0) {
    return Array.from({ length: count }, (_, at) => start + count - 1 - at).reduce(
      (left, line) => withUserChange(left, { start: line, count: 1, lines }),
      rows,
    );
  }
  const [at, end] = rangeOf(rows, change);
  const mixed = mixedAround(rows, at, end);
  if (mixed === undefined) return withSmallChanges(rows, rows.slice(at, end), change);
  const { from, to } = mixed;
  const group = rows.slice(from, to);
  const first = visibleCount(rows.slice(0, from));
  const now = spliced(group.filter(isVisible), start - first, start - first + count, lines).map(textOf);
  const before = group.flatMap(asBeforeUser);
  return withSmallChanges(spliced(rows, from, to, before), before, {
    start: first,
    lines: now,
    over: unexplained(group),
  });
}

function unexplained(group: readonly Row[]): readonly EditOrigin[] {
  const marks = group.filter(isMark);
  const explained = marks.flatMap(({ removed }) => (isByUser(removed) ? (removed?.over ?? []) : []));
  const all = marks.flatMap(({ added }) => (isByUser(added) ? (added?.over ?? []) : []));
  return distinctOrigins(all).filter((origin) => !explained.some((other) => sameOrigin(origin, other)));
}

type UserChange = LineChange & { over?: readonly EditOrigin[] };

function withSmallChanges(
  rows: readonly Row[],
  replaced: readonly Row[],
  { start, lines, ...more }: Omit<UserChange, 'count'>,
): readonly Row[] {
  let result = rows;
  for (const { before, after } of diffLineHunks(replaced.filter(isVisible).map(textOf), lines).reverse()) {
    const fresh = lines.slice(after.start, after.start + after.count);
    const small = { ...more, start: start + before.start, count: before.count, lines: fresh };
    result = before.count === 0 ? withInserted(result, small) : withReplaced(result, small);
  }
  return result;
}

function mixedAround(rows: readonly Row[], at: number, end: number): { from: number; to: number } | undefined {
  if (!rows.slice(at, end).some((row) => isMark(row) && isByUser(row.added))) return undefined;
  // What an edit took out of the user's lines has its place among those that were left.
  const belongs = (row: Row | undefined) =>
    isMark(row) && (isByUser(row.added) ? row.removed === undefined : row.removed !== undefined);
  let [from, to] = [at, end];
  while (belongs(rows[from - 1])) from--;
  while (belongs(rows[to])) to++;
  const group = rows.slice(from, to);
  // What another edit took out between lines of the user's would lose its place between them.
  if (isBetween(group, (row) => isMark(row) && row.removed?.by !== undefined)) return undefined;
  return group.some((row) => isMark(row) && isByUser(row.removed)) ? { from, to } : undefined;
}

function isBetween(rows: readonly Row[], isSuch: (row: Row) => boolean): boolean {
  const [first, last] = [rows.findIndex(isVisible), rows.findLastIndex(isVisible)];
  return rows.slice(first, last).some(isSuch) && first >= 0;
}

function asBeforeUser(row: Row): Row[] {
  if (!isMark(row)) return [row];
  const { text, added, removed } = row;
  if (isByUser(removed)) return [added === undefined ? text : { text, added }];
  return isByUser(added) && removed === undefined ? [] : [row];
}

function withReplaced(rows: readonly Row[], { start, count, lines, over: known = [] }: UserChange): readonly Row[] {
  const [from, to] = rangeOf(rows, { start, count });
  const replaced = rows.slice(from, to);
  const over = distinctOrigins([...known, ...originsIn(replaced)]);
  if (lines.length === 0) {
    const hidden = replaced.filter((row) => !isVisible(row));
    return spliced(rows, from, to, hidden);
  }
  if (over.length === 0) return spliced(rows, from, to, lines);
  const gone = replaced.flatMap((row): Row[] => {
    if (!isVisible(row)) return [row];
    if (!isMark(row)) return [{ text: row, removed: { over } }];
    // What the user writes anew was the user's before.
    return isByUser(row.added) ? [] : [{ ...row, removed: { over } }];
  });
  return spliced(rows, from, to, [...gone, ...marked(lines, { over })]);
}

function visibleCount(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + (isVisible(row) ? 1 : 0), 0);
}
