import { type LineIndex, startsOfRun } from './line-index.ts';
import { type LineTolerance, normalizedUnits, normalizeLine } from './line-tolerance.ts';
import type { Row } from './rows.ts';

export interface Match {
  form: LineTolerance;
  /** Holds the line in the file of each row; it is -1 for an elision and for a row that the file does not have. */
  lineOf: readonly number[];
  first: number;
  last: number;
  /**
   * Holds the text of the first line before the match, as `suffix` holds that of the last line after it; whitespace
   * does not count.
   */
  prefix: string;
  suffix: string;
}

export type Found =
  | { kind: 'one'; match: Match }
  | {
      kind: 'many';
      lines: readonly number[] /** Returns all matches of whole lines in order, and none where they cannot be determined. */;
      matches(): Match[];
    }
  | { kind: 'none' };

const none: Found = { kind: 'none' };
/** More matches than this are not counted, because the block is ambiguous anyway. */
const maxPlaces = 2000;

/**
 * Finds rows as whole lines; blank lines do not count. An elision stands for any run of lines, if only one run is
 * possible.
 */
export function findRows(index: LineIndex, rows: readonly Row[], form: LineTolerance): Found {
  const segments = toSegments(rows);
  if (segments.length === 0) return none;
  const places = segments.map(({ rows: part }) =>
    startsOfRun(
      index,
      form,
      part.map((row) => normalizeLine(row.text, form)),
      maxPlaces,
    ),
  );
  const chains = chainsOf(
    places,
    segments.map(({ rows: part }) => part.length),
  );
  const [chain, other] = chains;
  if (chain === undefined) return none;
  if (other !== undefined) {
    const runs = segments.length === 1 && rows.length === segments[0]?.rows.length ? (places[0] ?? []) : [];
    const differs = chain.findIndex((place, which) => place !== other[which]);
    return {
      kind: 'many',
      lines: chains.map((starts) => index.lineAt[starts[differs] ?? 0] ?? 0),
      matches: () => apart(runs, rows.length).map((start) => linesFrom(index, form, start, rows.length)),
    };
  }
  const lineOf: number[] = rows.map(() => -1);
  segments.forEach(({ at, rows: part }, which) => {
    part.forEach((_row, offset) => {
      lineOf[at + offset] = index.lineAt[(chain[which] ?? 0) + offset] ?? -1;
    });
  });
  return { kind: 'one', match: matchOfLines(form, lineOf) };
}

function apart(places: readonly number[], length: number): number[] {
  let next = 0;
  return places.filter((place) => {
    const isFree = place >= next;
    if (isFree) next = place + length;
    return isFree;
  });
}

function linesFrom(index: LineIndex, form: LineTolerance, start: number, count: number): Match {
  return matchOfLines(
    form,
    Array.from({ length: count }, (_, offset) => index.lineAt[start + offset] ?? -1),
  );
}

export function matchOfLines(form: LineTolerance, lineOf: readonly number[]): Match {
  const shown = lineOf.filter((line) => line >= 0);
  return { form, lineOf, first: shown[0] ?? 0, last: shown.at(-1) ?? 0, prefix: '', suffix: '' };
}

function toSegments(rows: readonly Row[]): { at: number; rows: Row[] }[] {
  const segments: { at: number; rows: Row[] }[] = [];
  rows.forEach((row, at) => {
    if (row.isElision) return;
    const isFirst = at === 0 || rows[at - 1]?.isElision;
    if (isFirst) segments.push({ at, rows: [] });
    segments.at(-1)?.rows.push(row);
  });
  return segments;
}

function chainsOf(places: readonly (readonly number[])[], lengths: readonly number[]): number[][] {
  const chains: number[][] = [];
  const extend = (chain: number[], from: number): void => {
    const options = places[chain.length];
    if (options === undefined) {
      chains.push(chain);
      return;
    }
    for (const place of options) {
      if (place < from) continue;
      const before = chains.length;
      extend([...chain, place], place + (lengths[chain.length] ?? 0));
      // What does not fit behind this place does not fit behind a later one.
      if (chains.length >= 2 || chains.length === before) return;
    }
  };
  extend([], 0);
  return chains;
}

/** Finds rows of which the first may begin, and the last may end, within a line. */
export function findPartial(index: LineIndex, rows: readonly Row[], form: 'body' | 'plain'): Found {
  if (rows.length === 0 || rows.some(({ isElision }) => isElision)) return none;
  const keys = rows.map((row) => normalizeLine(row.text, form));
  const first = keys[0] ?? '';
  const last = keys.at(-1) ?? '';
  const forms = index.forms(form);
  const spots: Match[] = [];
  for (const start of partialStarts(index, form, keys)) {
    if (spots.length > 1) break;
    const end = start + keys.length - 1;
    const [top, bottom] = [forms[start] ?? '', forms[end] ?? ''];
    if (keys.length > 1) {
      if (!top.endsWith(first) || !bottom.startsWith(last)) continue;
      const cut = { from: top.length - first.length, to: last.length };
      if (isInWord(top, cut.from) || isInWord(bottom, cut.to)) continue;
      spots.push(spot(index, form, { start, count: keys.length, ...cut }));
    } else {
      for (const from of offsetsOfWord(top, first))
        spots.push(spot(index, form, { start, count: 1, from, to: from + first.length }));
    }
  }
  const [match, other] = spots;
  if (match === undefined) return none;
  if (other === undefined) return { kind: 'one', match };
  return { kind: 'many', lines: spots.map((found) => found.first), matches: () => [] };
}

/** Yields ascending places. Without inner rows to narrow them these are all places, so no list is built. */
function* partialStarts(index: LineIndex, form: LineTolerance, keys: readonly string[]): Generator<number> {
  const inner = keys.slice(1, -1);
  if (inner.length > 0) {
    for (const place of startsOfRun(index, form, inner, maxPlaces)) if (place > 0) yield place - 1;
    return;
  }
  for (let place = 0; place + keys.length <= index.lineAt.length; place++) yield place;
}

/** `from`, in the first line, and `to`, in the last, count units of the form; the text around them is the file's. */
interface Cut {
  start: number;
  count: number;
  from: number;
  to: number;
}

function spot(index: LineIndex, form: LineTolerance, { start, count, from, to }: Cut): Match {
  const lineOf = Array.from({ length: count }, (_, offset) => index.lineAt[start + offset] ?? -1);
  const [first = 0, last = first] = [lineOf[0], lineOf.at(-1)];
  const top = (index.lines[first] ?? '').trimEnd();
  const bottom = index.lines[last] ?? '';
  const prefix = top.slice(0, offsetOf(top, form, from));
  const suffix = bottom.slice(offsetOf(bottom, form, to));
  return {
    form,
    lineOf,
    first,
    last,
    prefix: prefix.trim() === '' ? '' : prefix,
    suffix: suffix.trim() === '' ? '' : suffix,
  };
}

function offsetOf(line: string, form: LineTolerance, at: number): number {
  const body = line.trim();
  const indent = line.length - line.trimStart().length;
  return indent + (normalizedUnits(body, form).starts[at] ?? body.length);
}

export function isInWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && /[\p{L}\p{N}_]{2}/u.test(text.slice(at - 1, at + 1));
}

export function offsetsOfWord(hay: string, needle: string, max = 2): number[] {
  const places: number[] = [];
  for (let at = hay.indexOf(needle); at >= 0 && places.length < max; at = hay.indexOf(needle, at + 1)) {
    if (!isInWord(hay, at) && !isInWord(hay, at + needle.length)) places.push(at);
  }
  return places;
}
