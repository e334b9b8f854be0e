import type { EditOrigin, OriginFilter } from './edit-origin.ts';

/**
 * One line of a text with pending edits. A plain string is a line on which nothing is pending: it was there before
 * the edits, or the user typed it.
 */
export type Row = string | Mark;

/**
 * Marks a line that is in only one of the two texts, before the edits and now, or in neither any more. Without
 * `added` it was there before the edits; without `removed` it is there now.
 */
export interface Mark {
  text: string;
  added?: Change;
  removed?: Change;
}

/** Without `by` the user made the change, in the lines of edits or in place of them. */
export interface Change {
  by?: EditOrigin;
  /** The position or the text of the line cannot be determined without these edits of others. */
  over: readonly EditOrigin[];
}

export function textOf(row: Row): string {
  return typeof row === 'string' ? row : row.text;
}

export function isVisible(row: Row): boolean {
  return typeof row === 'string' || row.removed === undefined;
}

export function isBase(row: Row): boolean {
  return typeof row === 'string' || row.added === undefined;
}

export function isMark(row: Row | undefined): row is Mark {
  return typeof row === 'object';
}

export function isByUser(change: Change | undefined): boolean {
  return change !== undefined && change.by === undefined;
}

export function originsIn(rows: readonly Row[]): EditOrigin[] {
  return rows.flatMap((row) => {
    if (!isMark(row)) return [];
    return [row.added, row.removed].flatMap((change) => [...(change?.by ? [change.by] : []), ...(change?.over ?? [])]);
  });
}

/** Returns the line after these edits are kept or undone; an empty result means that there is no such line. */
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

function settled(change: Change | undefined, of: OriginFilter): Change | 'decided' | 'free' | undefined {
  if (change === undefined) return undefined;
  if (isOf(change, of)) return 'decided';
  const over = change.over.filter((origin) => !of(origin));
  return change.by === undefined && over.length === 0 ? 'free' : { ...change, over };
}

/**
 * Returns whether the line could not be determined without these edits: it would stay although it was written in or
 * in place of their lines.
 */
export function dependsOn(row: Row, of: OriginFilter): boolean {
  if (!isMark(row) || row.added === undefined || isOf(row.added, of)) return false;
  const wouldShow = row.removed === undefined || isOf(row.removed, of);
  return wouldShow && row.added.over.some(of);
}

function isOf({ by }: Change, of: OriginFilter): boolean {
  return by !== undefined && of(by);
}
