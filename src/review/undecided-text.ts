import { diffLineHunks, type LineHunk } from '../tools/line-diff.ts';
import {
  anyOrigin,
  distinctOrigins,
  type EditOrigin,
  type OriginFilter,
  ofConversation,
  sameOrigin,
} from './edit-origin.ts';
import {
  type Change,
  decided,
  dependsOn,
  isBase,
  isByUser,
  isMark,
  isVisible,
  type Mark,
  originsIn,
  type Row,
  textOf,
} from './rows.ts';

/**
 * A text with edits that nobody has decided on, line by line: the lines there are now, and in their places those that
 * the edits took out. It knows nothing of documents; whoever changes the text tells it, the user's changes and those of the
 * model apart. Never changed in place.
 *
 * What Undo rests on: it gives the text that the user would have if the edits had never been made and all that the user
 * typed stood. Where that cannot be told, because the user wrote into the lines of an edit or instead of them, it changes nothing.
 */
export interface UndecidedText {
  readonly rows: readonly Row[];
}

/** Neighbouring lines with undecided edits. `before` counts lines of the text before the edits, `after` of that there is now. */
export interface Hunk extends LineHunk {
  /** Whose edits. */
  origins: readonly EditOrigin[];
  /** The lines of the text before the edits. */
  removed: readonly string[];
  /** The user wrote into it, so Undo cannot take it back. */
  isMixed: boolean;
}

/** `lines` come instead of `count` lines from `start`, counted from 0. */
export interface LineChange {
  start: number;
  count: number;
  lines: readonly string[];
  /** Where the user's hand was: the first and the last line that the change had to do with. Absent where nobody knows. */
  within?: { first: number; last: number };
}

/**
 * An empty text has no lines; the last line has no end, so a text that ends in one has an empty line behind it. As in an
 * editor, a lone `\r` ends a line too.
 */
export function toLines(text: string): string[] {
  return text === '' ? [] : text.split(/\r\n|\n|\r/);
}

export function settledText(text: string): UndecidedText {
  return { rows: toLines(text) };
}

/** The text there is now, with `\n` ends. */
export function currentText(text: UndecidedText): string {
  return linesOf(text).join('\n');
}

/** What Undo of everything goes back to, with `\n` ends. Of what the user wrote into edits nothing is in it. */
export function baseText({ rows }: UndecidedText): string {
  return rows.filter(isBase).map(textOf).join('\n');
}

const knownLines = new WeakMap<UndecidedText, readonly string[]>();

/** The lines there are now. */
export function linesOf(text: UndecidedText): readonly string[] {
  const lines = knownLines.get(text) ?? text.rows.filter(isVisible).map(textOf);
  knownLines.set(text, lines);
  return lines;
}

/** All who have undecided edits here. */
export function originsOf(text: UndecidedText): readonly EditOrigin[] {
  return distinctOrigins(hunksOf(text).flatMap(({ origins }) => origins));
}

interface PlacedHunk extends Hunk {
  removed: string[];
  /** In `rows`. */
  from: number;
  to: number;
}

/** Asked for at every move of a cursor. */
const knownHunks = new WeakMap<UndecidedText, readonly PlacedHunk[]>();

/** In order. Edits of several conversations are several hunks, unless one was made in the lines of another. */
export function hunksOf(text: UndecidedText): readonly Hunk[] {
  return placedHunks(text);
}

function placedHunks(text: UndecidedText): readonly PlacedHunk[] {
  const known = knownHunks.get(text);
  if (known !== undefined) return known;
  const hunks: PlacedHunk[] = [];
  let [beforeAt, afterAt] = [0, 0];
  let open: { hunk: PlacedHunk; owners: Set<string | undefined> } | undefined;
  for (const [at, row] of text.rows.entries()) {
    if (!isMark(row)) open = undefined;
    else {
      const origins = originsIn([row]);
      const owners = origins.map(({ conversationId }) => conversationId);
      if (open === undefined || !owners.some((owner) => open?.owners.has(owner))) {
        const before = { start: beforeAt, count: 0 };
        const after = { start: afterAt, count: 0 };
        const hunk = { before, after, origins: [], removed: [], isMixed: false, from: at, to: at };
        open = { hunk, owners: new Set() };
        hunks.push(hunk);
      }
      const { hunk } = open;
      for (const owner of owners) open.owners.add(owner);
      hunk.origins = distinctOrigins([...hunk.origins, ...origins]);
      hunk.isMixed ||= dependsOn(row, anyOrigin);
      hunk.to = at + 1;
      if (isBase(row)) hunk.before.count = hunk.removed.push(row.text);
      if (isVisible(row)) hunk.after.count++;
    }
    if (isBase(row)) beforeAt++;
    if (isVisible(row)) afterAt++;
  }
  knownHunks.set(text, hunks);
  return hunks;
}

/** The model wrote `next` onto the text there is now. */
export function withWritten(text: UndecidedText, next: string, by: EditOrigin): UndecidedText {
  const fresh = toLines(next);
  // The line behind the last line end of a new text is nobody's, so that the user can go on there.
  let rows: readonly Row[] = text.rows.length === 0 && fresh.at(-1) === '' ? [''] : text.rows;
  for (const { before, after } of diffLineHunks(rows.filter(isVisible).map(textOf), fresh).reverse()) {
    const lines = fresh.slice(after.start, after.start + after.count);
    rows = withEdit(rows, { ...before, lines }, by);
  }
  return simplified({ rows });
}

/** The user typed, or a program of theirs did. */
export function withTyped(text: UndecidedText, changes: readonly LineChange[]): UndecidedText {
  let { rows } = text;
  for (const change of changes) rows = withUserChange(rows, change);
  return withoutEqual({ rows });
}

/** The same where only the outcome is known. */
export function withTypedText(text: UndecidedText, next: string): UndecidedText {
  const fresh = toLines(next);
  const changes = diffLineHunks(linesOf(text), fresh).map(({ before, after }) => ({
    ...before,
    lines: fresh.slice(after.start, after.start + after.count),
  }));
  return withTyped(text, changes.reverse());
}

/** Which hunks, as `hunksOf` gave them, and whose edits in them; all where it does not say. */
export interface Selection {
  hunks?: readonly LineHunk[];
  of?: OriginFilter;
}

/** These edits are no longer undecided. */
export function withKept(text: UndecidedText, { hunks, of = anyOrigin }: Selection = {}): UndecidedText {
  let { rows } = text;
  for (const { from, to } of chosen(text, hunks).reverse()) {
    rows = spliced(
      rows,
      from,
      to,
      rows.slice(from, to).flatMap((row) => decided(row, of, 'keep')),
    );
  }
  return withoutEqual({ rows });
}

/** As if these edits had never been made. `conflicts` counts the hunks where that cannot be told: they stay as they are. */
export function withUndone(
  text: UndecidedText,
  { hunks, of = anyOrigin }: Selection = {},
): { text: UndecidedText; conflicts: number } {
  let { rows } = text;
  let conflicts = 0;
  for (const { from, to } of chosen(text, hunks).reverse()) {
    const own = rows.slice(from, to);
    if (own.some((row) => dependsOn(row, of))) conflicts++;
    else
      rows = spliced(
        rows,
        from,
        to,
        own.flatMap((row) => decided(row, of, 'undo')),
      );
  }
  return { text: withoutEqual({ rows }), conflicts };
}

function chosen(text: UndecidedText, hunks: Selection['hunks']): PlacedHunk[] {
  const isChosen = (one: LineHunk) =>
    hunks?.some(({ before, after }) => one.after.start === after.start && one.before.start === before.start) ?? true;
  return placedHunks(text).filter(isChosen);
}

/** The text as it would be without these edits, for show: what the user wrote into their lines is left out as well. */
export function textWithout({ rows }: UndecidedText, of: OriginFilter): string {
  return rows
    .filter((row) => (isVisible(row) || comesBack(row, of)) && !isWrittenBy(row, of))
    .map(textOf)
    .join('\n');
}

/** Where the line of the text there is now is in `rows`; behind the last line comes the end. */
function placeOf(rows: readonly Row[], line: number): number {
  let left = line;
  for (const [at, row] of rows.entries()) {
    if (!isVisible(row)) continue;
    if (left === 0) return at;
    left--;
  }
  return rows.length;
}

/** The rows of at least one line of the text there is now, with what was taken out between them. */
function rangeOf(rows: readonly Row[], { start, count }: { start: number; count: number }): [from: number, to: number] {
  return [placeOf(rows, start), placeOf(rows, start + count - 1) + 1];
}

/** `toSpliced` takes only as many rows as a call has arguments. */
function spliced(rows: readonly Row[], from: number, to: number, fresh: readonly Row[]): readonly Row[] {
  return [...rows.slice(0, from), ...fresh, ...rows.slice(to)];
}

function withEdit(rows: readonly Row[], { start, count, lines }: LineChange, by: EditOrigin): readonly Row[] {
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

/** Lines between two others, of the user where `by` is absent. Those of the user that are in no edit are settled at once. */
function withInserted(
  rows: readonly Row[],
  { start, lines, within, over: known = [] }: Omit<UserChange, 'count'>,
  by?: EditOrigin,
): readonly Row[] {
  const below = placeOf(rows, start);
  const above = start === 0 ? -1 : placeOf(rows, start - 1);
  const gap = gapFor(rows, { above, below, side: sideOf(start, within), ...(by && { by }) });
  const over = distinctOrigins([...known, ...gap.over]);
  const isSettled = by === undefined && over.length === 0;
  return spliced(rows, gap.at, gap.at, isSettled ? lines : marked(lines, { ...(by && { by }), over }));
}

/**
 * Where between two neighbouring lines new ones go, among those that were taken out there: outside of every edit, if that can
 * be told. `over`: the edits for which it cannot.
 */
function gapFor(
  rows: readonly Row[],
  gap: { above: number; below: number; side: 'above' | 'below' | undefined; by?: EditOrigin },
): { at: number; over: readonly EditOrigin[] } {
  const { above, below, side, by } = gap;
  const around = distinctOrigins(originsIn(rows.slice(Math.max(0, above), below + 1)));
  const others = around.filter((origin) => by === undefined || origin.conversationId !== by.conversationId);
  const untold = new Set<string | undefined>();
  let [from, to] = [above + 1, below];
  for (const owner of ownersOf(others)) {
    const of = ofConversation(owner);
    const isAbove = isWrittenBy(rows[above], of);
    const isBelow = isWrittenBy(rows[below], of);
    const hidden = rows.slice(above + 1, below).flatMap((row, at) => (comesBack(row, of) ? [above + 1 + at] : []));
    const [first, last] = [hidden.at(0), hidden.at(-1)];
    const isAfter = isAbove || (!isBelow && side === 'below');
    if ((isAbove && isBelow) || (last !== undefined && !isAbove && !isBelow && side === undefined)) untold.add(owner);
    else if (first === undefined || last === undefined) continue;
    else if (isAfter) from = Math.max(from, last + 1);
    else to = Math.min(to, first);
  }
  const isTold = from <= to;
  return {
    at: isTold ? (side === 'above' ? from : to) : below,
    over: others.filter(({ conversationId }) => !isTold || untold.has(conversationId)),
  };
}

function ownersOf(origins: readonly EditOrigin[]): ReadonlySet<string | undefined> {
  return new Set(origins.map(({ conversationId }) => conversationId));
}

/** Whether the line would not be there, or not like this, without these edits. */
function isWrittenBy(row: Row | undefined, of: OriginFilter): boolean {
  return isMark(row) && dependsOnAny(row.added, of);
}

/** Whether the line is gone because of these edits, or because of what the user wrote into them. */
function comesBack(row: Row, of: OriginFilter): boolean {
  return isMark(row) && dependsOnAny(row.removed, of) && (isByUser(row.removed) || !isWrittenBy(row, of));
}

function dependsOnAny(change: Change | undefined, of: OriginFilter): boolean {
  return change !== undefined && ((change.by !== undefined && of(change.by)) || change.over.some(of));
}

function sideOf(line: number, within: LineChange['within']): 'above' | 'below' | undefined {
  if (within === undefined) return undefined;
  if (within.last < line) return 'above';
  return within.first >= line ? 'below' : undefined;
}

/**
 * A change of the user's. It is taken as small as it can be, so that lines which it names and does not change stay what they
 * are. Where it meets an earlier one that is mixed with edits, both are looked at as one, from what was there before: what is
 * typed and taken back leaves nothing behind.
 */
function withUserChange(rows: readonly Row[], change: LineChange): readonly Row[] {
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

/** The edits that the user's lines are mixed with for another reason than the lines which they were written instead of. */
function unexplained(group: readonly Row[]): readonly EditOrigin[] {
  const marks = group.filter(isMark);
  const explained = marks.flatMap(({ removed }) => (isByUser(removed) ? (removed?.over ?? []) : []));
  const all = marks.flatMap(({ added }) => (isByUser(added) ? (added?.over ?? []) : []));
  return distinctOrigins(all).filter((origin) => !explained.some((other) => sameOrigin(origin, other)));
}

/** A change of the user's; `over`: edits that it is mixed with whatever its place says. */
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

/** The lines around that the user wrote instead of lines of edits, with those; undefined when there are none. */
function mixedAround(rows: readonly Row[], at: number, end: number): { from: number; to: number } | undefined {
  if (!rows.slice(at, end).some((row) => isMark(row) && isByUser(row.added))) return undefined;
  // What an edit took out of the user's lines has its place among those that were left.
  const belongs = (row: Row | undefined) =>
    isMark(row) && (isByUser(row.added) ? row.removed === undefined : row.removed !== undefined);
  let [from, to] = [at, end];
  while (belongs(rows[from - 1])) from--;
  while (belongs(rows[to])) to++;
  return rows.slice(from, to).some((row) => isMark(row) && isByUser(row.removed)) ? { from, to } : undefined;
}

function asBeforeUser(row: Row): Row[] {
  if (!isMark(row)) return [row];
  const { text, added, removed } = row;
  if (isByUser(removed)) return [added === undefined ? text : { text, added }];
  return isByUser(added) && removed === undefined ? [] : [row];
}

/** Lines that are there give way. Without any in their place they are gone, whoever wrote them. */
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

/** Hunks whose lines are again what they were before are none; of several conversations each can still take its part back. */
function withoutEqual(text: UndecidedText): UndecidedText {
  const equal = placedHunks(text).filter(({ from, to, before, after, origins }) => {
    if (before.count !== after.count || ownersOf(origins).size > 1) return false;
    const rows = text.rows.slice(from, to);
    const [old, now] = [rows.filter(isBase), rows.filter(isVisible)];
    return old.every((row, at) => textOf(row) === textOf(now[at] ?? ''));
  });
  if (equal.length === 0) return text;
  let { rows } = text;
  for (const { from, to } of equal.reverse()) {
    rows = spliced(rows, from, to, rows.slice(from, to).filter(isVisible).map(textOf));
  }
  return { rows };
}

/** After a write: what one conversation took out and put back is no edit of it. */
function simplified(text: UndecidedText): UndecidedText {
  let { rows } = text;
  for (const { from, to, before, after, origins } of [...placedHunks(text)].reverse()) {
    if (before.count === 0 || after.count === 0) continue;
    const own = rows.slice(from, to);
    const isPlain = (row: Row) =>
      !isMark(row) || (isBase(row) !== isVisible(row) && !isByUser(row.added) && !isByUser(row.removed));
    if (ownersOf(origins).size > 1 || !own.every(isPlain)) continue;
    rows = spliced(rows, from, to, aligned(own));
  }
  return withoutEqual({ rows });
}

function aligned(rows: readonly Row[]): Row[] {
  const [old, now] = [rows.filter(isBase), rows.filter(isVisible)];
  const result: Row[] = [];
  let [oldAt, nowAt] = [0, 0];
  for (const { before, after } of diffLineHunks(old.map(textOf), now.map(textOf))) {
    result.push(...now.slice(nowAt, after.start).map(textOf));
    oldAt = before.start + before.count;
    nowAt = after.start + after.count;
    result.push(...old.slice(before.start, oldAt), ...now.slice(after.start, nowAt));
  }
  return [...result, ...now.slice(nowAt).map(textOf)];
}
