import type { EditOrigin, OriginFilter } from './edit-origin.ts';

/**
 * One line of a text with undecided edits. A plain string is a line that nobody has to decide on: it was there before
 * the edits, or the user typed it.
 */
export type Row = string | Mark;

/** A line that is in only one of the two texts, the one before the edits and the one there is now, or in neither any more. */
export interface Mark {
  text: string;
  /** Absent: it was there before the edits. */
  added?: Change;
  /** Absent: it is there now. */
  removed?: Change;
}

/** Who put a line in or took it out: an edit, or the user in or instead of the lines of edits. */
export interface Change {
  /** Absent: the user. */
  by?: EditOrigin;
  /** The edits of others without which nobody can tell where the line would be, or what it would say. */
  over: readonly EditOrigin[];
}

export function textOf(row: Row): string {
  return typeof row === 'string' ? row : row.text;
}

/** Whether the line is in the text as it is now. */
export function isVisible(row: Row): boolean {
  return typeof row === 'string' || row.removed === undefined;
}

/** Whether the line is in the text before the edits, as far as that can be told. */
export function isBase(row: Row): boolean {
  return typeof row === 'string' || row.added === undefined;
}

export function isMark(row: Row | undefined): row is Mark {
  return typeof row === 'object';
}

export function isByUser(change: Change | undefined): boolean {
  return change !== undefined && change.by === undefined;
}

/** All edits that have to do with the lines. */
export function originsIn(rows: readonly Row[]): EditOrigin[] {
  return rows.flatMap((row) => {
    if (!isMark(row)) return [];
    return [row.added, row.removed].flatMap((change) => [...(change?.by ? [change.by] : []), ...(change?.over ?? [])]);
  });
}

/** The line once these edits are decided: kept as they are, or as if they had not been made. Empty: there is no such line. */
export function decided(row: Row, of: OriginFilter, decision: 'keep' | 'undo'): Row[] {
  if (!isMark(row)) return [row];
  const added = settled(row.added, of);
  const removed = settled(row.removed, of);
  // A change of the user's that depends on no edit any more is kept like any other that the user makes.
  const isAddedUndone = added === 'decided' && decision === 'undo';
  const isRemovedKept = removed === 'free' || (removed === 'decided' && decision === 'keep');
  if (isAddedUndone || isRemovedKept) return [];
  const left = {
    ...(typeof added === 'object' && { added }),
    ...(typeof removed === 'object' && { removed }),
  };
  return [left.added === undefined && left.removed === undefined ? row.text : { text: row.text, ...left }];
}

/** The rest of a change: `decided` by this decision, or a change of the user's that is `free` of edits now. */
function settled(change: Change | undefined, of: OriginFilter): Change | 'decided' | 'free' | undefined {
  if (change === undefined) return undefined;
  if (isOf(change, of)) return 'decided';
  const over = change.over.filter((origin) => !of(origin));
  return change.by === undefined && over.length === 0 ? 'free' : { ...change, over };
}

/**
 * Whether nobody can tell what the line would be without these edits: it would stay although it was written in or
 * instead of their lines.
 */
export function dependsOn(row: Row, of: OriginFilter): boolean {
  if (!isMark(row) || row.added === undefined || isOf(row.added, of)) return false;
  const wouldShow = row.removed === undefined || isOf(row.removed, of);
  return wouldShow && row.added.over.some(of);
}

function isOf({ by }: Change, of: OriginFilter): boolean {
  return by !== undefined && of(by);
}
