import type { EditOrigin } from './edit-origin.ts';
import { type Along, type FreshLine, goingAlong, isDistinctive, paired, type TouchedLines } from './moved-lines.ts';
import { isBase, isByUser, isMark, isVisible, type Mark, type Row, textOf } from './rows.ts';

/** Keeps lines of edits that left their place: the user cut them and may paste them elsewhere, or pasted a copy. */
export interface ClipboardLines {
  taken: readonly TakenLine[];
  copied: readonly CopiedLine[];
}

export interface TakenLine {
  row: Mark;
  /** The edit had removed these rows there; they go with the line for as long as it is in the text. */
  along: { above: readonly Row[]; below: readonly Row[] };
}

export interface CopiedLine {
  text: string;
  of: readonly EditOrigin[];
}

export const noClipboardLines: ClipboardLines = { taken: [], copied: [] };

const maxTaken = 10_000;

/**
 * Forgets the lines whose edits were decided. A line stays known while the edit that wrote it is pending, even when an
 * edit whose lines it replaced is decided.
 */
export function withoutDecided(
  { taken, copied }: ClipboardLines,
  isDecided: (origin: EditOrigin) => boolean,
): ClipboardLines {
  return {
    taken: taken.flatMap(({ row, along }) => {
      const { added } = row;
      if (added === undefined || (added.by !== undefined && isDecided(added.by))) return [];
      const over = added.over.filter((origin) => !isDecided(origin));
      if (added.by === undefined && over.length === 0) return [];
      return [{ row: { ...row, added: { ...added, over } }, along }];
    }),
    copied: copied.filter(({ of }) => !of.some(isDecided)),
  };
}

export function copiesLeft(
  rows: readonly Row[],
  { copied }: ClipboardLines,
  isUndone: (origin: EditOrigin) => boolean,
): readonly string[] {
  const texts = new Set(copied.filter(({ of }) => of.some(isUndone)).map(({ text }) => text));
  return texts.size === 0 ? [] : rows.filter((row) => isUsers(row) && texts.has(textOf(row))).map(textOf);
}

function isUsers(row: Row): boolean {
  return !isMark(row) || row.added === undefined || isByUser(row.added);
}

function isLeft(row: Row): boolean {
  return !isMark(row) || !isByUser(row.removed);
}

interface Event extends TouchedLines {
  before: readonly Row[];
  edited: Parameters<typeof goingAlong>[1];
  rows: readonly Row[];
}

export function withClipboard(
  event: Event,
  clipboard: ClipboardLines,
): { rows: readonly Row[]; clipboard: ClipboardLines } {
  const out = takenOut(event, true);
  const changed = clipboard.copied.length === 0 ? [] : takenOut(event, false);
  const whole = event.fresh.filter(({ isWhole }) => isWhole);
  if (out.length + changed.length + whole.length === 0) return { rows: event.rows, clipboard };
  const isOwn = ownTexts(event.before);
  const sources = [...clipboard.taken, ...writtenOver(event, whole)];
  const back = broughtBack(whole, sources, (text) => isDistinctive(text) && !isOwn(text));
  const copied = [...clipboard.copied, ...copiesIn(event, { whole: whole.filter((one) => !back.has(one)), isOwn })];
  let rows = event.rows;
  for (const [{ line }, taken] of back) rows = withLineOf(rows, line, taken);
  const used = new Set(back.values());
  const left: TakenLine[] = clipboard.taken.filter((one) => !used.has(one));
  // A copy stands for the line that it is of, once that is taken out or becomes another one.
  for (const one of [...out, ...changed]) {
    const isCopied = copied.some(({ text }) => text === one.row.text);
    const copy = isCopied ? rows.findIndex((row) => isUsers(row) && isLeft(row) && textOf(row) === one.row.text) : -1;
    if (copy >= 0) rows = withRowOf(rows, copy, one);
    else if (out.includes(one)) left.push(one);
  }
  return { rows, clipboard: { taken: left.slice(-maxTaken), copied } };
}

function takenOut({ before, edited, gone }: Event, wanted: boolean): TakenLine[] {
  const moving = new Set(gone.filter(({ isOut }) => isOut === wanted).map(({ line }) => line));
  if (moving.size === 0 || edited.length === 0) return [];
  const lines = before.filter(isVisible);
  const next = new Map([...moving].map((line) => [line, line + 1]));
  let along: Along | undefined;
  return [...moving].flatMap((line) => {
    const row = lines[line];
    if (!isMark(row) || row.added === undefined) return [];
    along ??= goingAlong(before, edited, { moving, next });
    return [{ row, along: along.get(line) ?? { above: [], below: [] } }];
  });
}

function writtenOver({ before }: Event, whole: readonly FreshLine[]): TakenLine[] {
  const distinct = new Set(whole.map(({ text }) => text.trim()));
  if (distinct.size === 0) return [];
  return before.flatMap((row) => {
    if (!isMark(row) || row.added?.by === undefined || !isByUser(row.removed) || !distinct.has(row.text.trim()))
      return [];
    return [{ row: { text: row.text, added: row.added }, along: { above: [], below: [] } }];
  });
}

function ownTexts(rows: readonly Row[]): (text: string) => boolean {
  let own: Set<string> | undefined;
  return (text) => {
    own ??= new Set(rows.filter(isBase).map((row) => textOf(row).trim()));
    return own.has(text.trim());
  };
}

function broughtBack(
  fresh: readonly FreshLine[],
  taken: readonly TakenLine[],
  isDistinct: (text: string) => boolean,
): Map<FreshLine, TakenLine> {
  if (taken.length === 0) return new Map();
  const pairs = paired(
    fresh.map(({ text }) => ({ text, isAlone: true })),
    taken.map(({ row }) => ({ text: row.text, isAlone: true })),
    isDistinct,
  );
  return new Map([...pairs].map(([at, of]) => [fresh[at] as FreshLine, taken[of] as TakenLine]));
}

function copiesIn(
  { before }: Event,
  { whole, isOwn }: { whole: readonly FreshLine[]; isOwn: (text: string) => boolean },
): CopiedLine[] {
  const distinct = new Set(whole.map(({ text }) => text.trim()).filter((text) => isDistinctive(text)));
  if (distinct.size === 0) return [];
  const written = new Map<string, EditOrigin[]>();
  for (const row of before) {
    if (!isMark(row) || row.added?.by === undefined || !distinct.has(row.text.trim())) continue;
    written.set(row.text.trim(), [...(written.get(row.text.trim()) ?? []), row.added.by]);
  }
  return whole.flatMap(({ text }) => {
    const of = written.get(text.trim());
    return of === undefined || isOwn(text) ? [] : [{ text, of }];
  });
}

function withLineOf(rows: readonly Row[], line: number, taken: TakenLine): readonly Row[] {
  let left = line;
  const at = rows.findIndex((row) => isVisible(row) && left-- === 0);
  const row = rows[at];
  // It may be known already, because the line is where it was.
  if (row === undefined || !isUsers(row)) return rows;
  return withRowOf(rows, at, taken);
}

function withRowOf(rows: readonly Row[], at: number, { row, along }: TakenLine): readonly Row[] {
  const there = new Set(rows);
  const [above, below] = [along.above, along.below].map((some) => some.filter((one) => there.has(one)));
  const gone = new Set([...(above ?? []), ...(below ?? [])]);
  const known = rows[at] ?? '';
  const own = {
    text: textOf(known),
    ...(row.added && { added: row.added }),
    ...(isMark(known) && known.removed && { removed: known.removed }),
  };
  return rows.flatMap((one, place) => {
    if (place === at) return [...(above ?? []), own, ...(below ?? [])];
    return gone.has(one) ? [] : [one];
  });
}
