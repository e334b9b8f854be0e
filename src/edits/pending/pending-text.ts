import { diffLineHunks, type LineHunk } from '../apply/line-diff.ts';
import { type ChangedRange, changedRange } from './changed-range.ts';
import { type ClipboardLines, copiesLeft, noClipboardLines, withClipboard, withoutDecided } from './clipboard-lines.ts';
import { anyOrigin, distinctOrigins, type EditOrigin, type OriginFilter, originKey, sameCall } from './edit-origin.ts';
import { type Hunk, hunksOf, linesOf, type PendingText, type PlacedHunk, rememberParts } from './hunks.ts';
import { isDistinctive, type TouchedLines, touchedLines, withMoved } from './moved-lines.ts';
import { comesBack, isWrittenBy, type LineChange, ownersOf, withEdit, withUserChange } from './row-changes.ts';
import { decided, dependsOn, isBase, isByUser, isMark, isVisible, originsIn, type Row, textOf } from './rows.ts';
import { applyUnrelatedChange } from './unrelated-change.ts';

/**
 * An empty text has no lines. The last line has no end, so a text that ends in a line end has an empty line behind
 * it. As in an editor, a lone `\r` ends a line too.
 */
export function toLines(text: string): string[] {
  if (text === '') return [];
  // Without an expression it takes half the time, which is felt in a long text.
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
}

export function settledText(text: string): PendingText {
  const lines = toLines(text);
  const settled = { rows: lines };
  rememberParts(settled, { lines, hunks: [] });
  if (!text.includes('\r')) knownTexts.set(settled, text);
  return settled;
}

/** Joining the lines of a long text takes longer than everything else that is done with it, so the result is cached. */
const knownTexts = new WeakMap<PendingText, string>();

export function currentText(text: PendingText): string {
  return knownTexts.get(text) ?? linesOf(text).join('\n');
}

/** Returns the text that Undo of everything restores, with `\n` ends. It has nothing that the user wrote into edits. */
export function baseText({ rows }: PendingText): string {
  return rows.filter(isBase).map(textOf).join('\n');
}

export function originsOf(text: PendingText): readonly EditOrigin[] {
  return distinctOrigins(hunksOf(text).flatMap(({ origins }) => origins));
}

export function withWritten(text: PendingText, next: string, by: EditOrigin): PendingText {
  // The line behind the last line end of a new text is nobody's, so that the user can go on there.
  const written = text.rows.length === 0 && /[\r\n]$/.test(next) ? { rows: [''] } : text;
  const { rows } = written;
  const { from: first, to: end, fresh } = changedPart(written, next);
  const hunks = diffLineHunks(linesOf(written).slice(first, end), fresh);
  const blocks = blocksOf(hunks, { lines: fresh, by, known: originsOf(text) });
  const placeOf = placesIn(written);
  const parts = hunks.map(({ before, after }, at) => {
    const start = first + before.start;
    const [above, below] = [placeOf(start - 1) ?? -1, placeOf(start + before.count) ?? rows.length];
    const lines = fresh.slice(after.start, after.start + after.count);
    return { from: above + 1, to: below, count: before.count, lines, origin: blocks[at] ?? by };
  });
  const edited = replaced(rows, parts, (_, { from, to, count, lines, origin }) => {
    // With the lines around it, which stay as they are: who wrote them says where in between the new ones go.
    const [above, below] = [Math.max(0, from - 1), Math.min(rows.length, to + 1)];
    const around = withEdit(rows.slice(above, below), { start: from - above, count, lines }, origin);
    return around.slice(from - above, around.length - (below - to));
  });
  return simplified({ ...text, rows: edited });
}

function changedPart(text: PendingText, next: string): ChangedRange {
  const lines = linesOf(text);
  const isPlain = lines.length > 0 && next !== '' && !next.includes('\r');
  return isPlain ? changedRange(lines, currentText(text), next) : { from: 0, to: lines.length, fresh: toLines(next) };
}

function placesIn(text: PendingText): (line: number) => number | undefined {
  const { rows } = text;
  const count = linesOf(text).length;
  // All of them are there.
  if (count === rows.length) return (line) => (line >= 0 && line < count ? line : undefined);
  const places: number[] = [];
  for (let at = 0; at < rows.length; at++) if (isVisible(rows[at] ?? '')) places.push(at);
  return (line) => places[line];
}

export function withTyped(text: PendingText, changes: readonly LineChange[]): PendingText {
  const [only, ...others] = changes;
  const apart = only && others.length === 0 ? applyUnrelatedChange(text, only) : undefined;
  if (apart !== undefined) return apart;
  const touched = touchedLines(linesOf(text), changes);
  const edited = hunksOf(text);
  const moved = withMoved(text.rows, edited, touched);
  const typed = moved === undefined ? changes.reduce(withUserChange, text.rows) : withRest(moved.rows, touched, text);
  const elsewhere = new Set(moved?.sources.values());
  const rest = {
    gone: touched.gone.filter(({ line }) => !elsewhere.has(line)),
    fresh: touched.fresh.filter((one) => !moved?.sources.has(one)),
  };
  const event = { ...touched, ...rest, before: text.rows, edited, rows: typed };
  const { rows, clipboard } = withClipboard(event, text.clipboard ?? noClipboardLines);
  return withoutEqual({ rows, clipboard });
}

function withRest(rows: readonly Row[], touched: TouchedLines, text: PendingText): readonly Row[] {
  const lines = linesOf(text);
  const now = touched.now().map((one) => (typeof one === 'number' ? (lines[one] ?? '') : one.text));
  return changesTo(rows.filter(isVisible).map(textOf), now).reduce(withUserChange, rows);
}

function changesTo(lines: readonly string[], now: readonly string[]): LineChange[] {
  return diffLineHunks(lines, now)
    .map(({ before, after }) => ({ ...before, lines: now.slice(after.start, after.start + after.count) }))
    .reverse();
}

export function withTypedText(text: PendingText, next: string): PendingText {
  return withTyped(text, changesTo(linesOf(text), toLines(next)));
}

/**
 * Absent `hunks` select all, and an absent `of` selects the edits of everyone. The hunks are as `hunksOf` returned
 * them.
 */
export interface Selection {
  hunks?: readonly LineHunk[];
  of?: OriginFilter;
}

export function withKept(text: PendingText, selection: Selection = {}): PendingText {
  const { of = anyOrigin } = selection;
  const groups = chosen(text, selection);
  const rows = replaced(text.rows, groups.flat(), (own) => own.flatMap((row) => decided(row, of, 'keep')));
  const clipboard = clipboardAfter(text, groups, selection);
  if (selection.hunks === undefined) return withoutEqual({ ...text, rows, clipboard });
  // For a conversation with nothing pending any more, the clipboard keeps nothing pending either.
  const left = new Set(originsIn(rows).map(({ conversationId }) => conversationId));
  const isDone = ({ conversationId }: EditOrigin) => !left.has(conversationId);
  return withoutEqual({ ...text, rows, clipboard: withoutDecided(clipboard, isDone) });
}

/**
 * Removes these edits as if they had never been made. What cannot be determined stays, each block that the model
 * wrote as a whole, and `conflicts` counts it. `copies` are lines of it that the user pasted elsewhere, where that is
 * the reason.
 */
export function withUndone(
  text: PendingText,
  selection: Selection = {},
): { text: PendingText; conflicts: number; copies: readonly string[] } {
  const { of = anyOrigin } = selection;
  const copies: string[] = [];
  const groups = chosen(text, selection);
  const free = groups.filter((hunks) => {
    const rows = hunks.flatMap(({ from, to }) => text.rows.slice(from, to));
    if (rows.some((row) => dependsOn(row, of))) return false;
    const left = copiesLeft(text.rows, text.clipboard ?? noClipboardLines, isIn(hunks, of));
    copies.push(...left);
    return left.length === 0;
  });
  const rows = replaced(text.rows, free.flat(), (own) => own.flatMap((row) => decided(row, of, 'undo')));
  const clipboard = clipboardAfter(text, free, free.length < groups.length ? { ...selection, hunks: [] } : selection);
  return { text: withoutEqual({ ...text, rows, clipboard }), conflicts: groups.length - free.length, copies };
}

function replaced<P extends { from: number; to: number }>(
  rows: readonly Row[],
  places: readonly P[],
  change: (own: readonly Row[], place: P) => readonly Row[],
): readonly Row[] {
  const parts: (readonly Row[])[] = [];
  let at = 0;
  for (const place of [...places].sort((one, other) => one.from - other.from)) {
    parts.push(rows.slice(at, place.from), change(rows.slice(place.from, place.to), place));
    at = place.to;
  }
  parts.push(rows.slice(at));
  return joined(parts);
}

function joined(parts: readonly (readonly Row[])[]): readonly Row[] {
  let all: readonly Row[] = [];
  for (let at = 0; at < parts.length; at += 1000) all = all.concat(...parts.slice(at, at + 1000));
  return all;
}

function clipboardAfter(
  { clipboard = noClipboardLines }: PendingText,
  groups: readonly (readonly PlacedHunk[])[],
  { hunks, of = anyOrigin }: Selection,
): ClipboardLines {
  return withoutDecided(clipboard, hunks === undefined ? of : isIn(groups.flat(), of));
}

function isIn(hunks: readonly PlacedHunk[], of: OriginFilter): OriginFilter {
  const keys = new Set(hunks.flatMap(({ origins }) => origins.filter(of).map(originKey)));
  return (origin) => keys.has(originKey(origin));
}

/** Groups hunks that are decided together: those of a block that the model wrote, wherever its lines are now. */
export function groupsOf(text: PendingText): readonly (readonly Hunk[])[] {
  return chosen(text, {});
}

function chosen(text: PendingText, { hunks, of = anyOrigin }: Selection): PlacedHunk[][] {
  const isChosen = (one: LineHunk) =>
    hunks?.some(({ before, after }) => one.after.start === after.start && one.before.start === before.start) ?? true;
  const all = hunksOf(text).filter(({ origins }) => origins.some(of));
  return grouped(all, of).filter((group) => group.some(isChosen));
}

function grouped(hunks: readonly PlacedHunk[], of: OriginFilter): PlacedHunk[][] {
  const groups = new Map<string, Set<PlacedHunk>>();
  const result = new Set<Set<PlacedHunk>>();
  for (const hunk of hunks) {
    const keys = hunk.origins.filter((origin) => origin.block !== undefined && of(origin)).map(originKey);
    const own = new Set([hunk]);
    for (const known of new Set(keys.map((key) => groups.get(key)))) {
      if (known === undefined) continue;
      for (const one of known) own.add(one);
      result.delete(known);
    }
    result.add(own);
    for (const { origins } of own)
      for (const origin of origins) if (origin.block !== undefined && of(origin)) groups.set(originKey(origin), own);
  }
  return [...result].map((group) => [...group].sort((one, other) => one.from - other.from));
}

/** Returns the text without these edits for display only: what the user wrote into their lines is left out as well. */
export function textWithout({ rows }: PendingText, of: OriginFilter): string {
  return rows
    .filter((row) => (isVisible(row) || comesBack(row, of)) && !isWrittenBy(row, of))
    .map(textOf)
    .join('\n');
}

/**
 * Drops hunks whose lines equal the old ones again; those of several conversations stay, because each can still be
 * undone alone.
 */
function withoutEqual(text: PendingText): PendingText {
  const equal = hunksOf(text).filter(({ from, to, before, after, origins }) => {
    if (before.count !== after.count || ownersOf(origins).size > 1) return false;
    const rows = text.rows.slice(from, to);
    const [old, now] = [rows.filter(isBase), rows.filter(isVisible)];
    return old.every((row, at) => textOf(row) === textOf(now[at] ?? ''));
  });
  if (equal.length === 0) return text;
  return { ...text, rows: replaced(text.rows, equal, (own) => own.flatMap(asSettled)) };
}

function asSettled(row: Row): Row[] {
  if (isVisible(row)) return [textOf(row)];
  const { added, removed } = isMark(row) ? row : {};
  return removed?.by !== undefined && isByUser(added) ? [{ text: textOf(row), removed }] : [];
}

function simplified(text: PendingText): PendingText {
  const plain = hunksOf(text).filter(({ from, to, before, after, origins }) => {
    if (before.count === 0 || after.count === 0 || ownersOf(origins).size > 1) return false;
    return text.rows
      .slice(from, to)
      .every(
        (row) => !isMark(row) || (isBase(row) !== isVisible(row) && !isByUser(row.added) && !isByUser(row.removed)),
      );
  });
  const changed = plain.filter(({ from, to }) => {
    const own = text.rows.slice(from, to);
    const fresh = aligned(own);
    return fresh.length !== own.length || fresh.some((row, at) => row !== own[at]);
  });
  if (changed.length === 0) return withoutEqual(text);
  return withoutEqual({ ...text, rows: replaced(text.rows, changed, aligned) });
}

function aligned(rows: readonly Row[]): readonly Row[] {
  const [old, now] = [rows.filter(isBase), rows.filter(isVisible)];
  let nowAt = 0;
  const parts: Row[][] = [];
  for (const { before, after } of diffLineHunks(old.map(textOf), now.map(textOf))) {
    parts.push(now.slice(nowAt, after.start).map(textOf));
    nowAt = after.start + after.count;
    parts.push(old.slice(before.start, before.start + before.count), now.slice(after.start, nowAt));
  }
  return joined([...parts, now.slice(nowAt).map(textOf)]);
}

/**
 * Assigns each hunk of a write to the block that made it. A bracket or a blank line that old and new text have in
 * common by chance does not split a block.
 */
function blocksOf(
  hunks: readonly LineHunk[],
  { lines, by, known }: { lines: readonly string[]; by: EditOrigin; known: readonly EditOrigin[] },
): EditOrigin[] {
  const used = known.flatMap((origin) => (sameCall(origin, by) ? [origin.block ?? 0] : []));
  let own: EditOrigin = { ...by, block: Math.max(0, ...used) + 1 };
  return hunks.map(({ after }, at) => {
    const last = hunks[at - 1]?.after;
    const isApart = last !== undefined && lines.slice(last.start + last.count, after.start).some(isDistinctive);
    if (isApart) own = { ...by, block: (own.block ?? 0) + 1 };
    return own;
  });
}
