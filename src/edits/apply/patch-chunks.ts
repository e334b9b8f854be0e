import { type LineTolerance, normalizeLine } from '../match/line-tolerance.ts';
import { trimmed } from '../match/rewrite-match.ts';
import type { LineChange } from '../match/text-lines.ts';

export interface PatchChunk {
  /** Lines that stand above the chunk, in order, with any lines between them. */
  anchors: readonly string[];
  /** Each row begins with its sign: a blank, `-` or `+`. */
  rows: readonly string[];
  isAtEnd: boolean;
  /** The header of a unified diff names this line, counted from 1; it may be off. */
  line?: number;
}

/** Returns the chunks of one file, or what is wrong with them, as the end of a sentence. */
export function readChunks(path: string, lines: readonly string[]): PatchChunk[] | string {
  const chunks: PatchChunk[] = [];
  let anchors: string[] = [];
  let rows: string[] = [];
  let line: number | undefined;
  const close = (isAtEnd: boolean) => {
    // What changes nothing tells where the next part is.
    if (rows.length > 0 && !isAtEnd && line === undefined && !rows.some(isChange)) {
      anchors.push(...signed(rows).map((row) => row.slice(1)));
      rows = [];
    }
    if (rows.length > 0) chunks.push({ anchors, rows: signed(rows), isAtEnd, ...(line !== undefined && { line }) });
    if (rows.length > 0) [anchors, rows, line] = [[], [], undefined];
  };
  for (const text of lines) {
    const header = /^\s?@@(.*)$/.exec(text)?.[1];
    if (header !== undefined) {
      close(false);
      const numbered = /^ -(\d+)/.exec(header)?.[1];
      const [named = ''] = header.split('@@');
      if (numbered !== undefined) line = Number(numbered);
      else if (named.trim() !== '') anchors.push(named.replace(/^ /, ''));
    } else if (text.startsWith('*** End of File')) close(true);
    else if (text.startsWith('\\ ')) continue;
    else rows.push(text);
  }
  close(false);
  const changed = chunks.filter((chunk) => chunk.rows.some(isChange));
  return changed.length === 0 ? `the patch changes nothing in ${path}.` : changed;
}

const isChange = (row: string) => /^[-+]/.test(row);

/** Where a line that stays has no sign, none of them has. */
function signed(rows: readonly string[]): string[] {
  const isBare = rows.some((row) => row !== '' && !/^[-+ ]/.test(row));
  return rows.map((row) => (/^[-+]/.test(row) || (row !== '' && !isBare) ? row : ` ${row}`));
}

export function sidesOfChunk(rows: readonly string[]): string[][] {
  return ['+', '-'].map((sign) => rows.filter((row) => !row.startsWith(sign)).map((row) => row.slice(1)));
}

export type PlacedChunk =
  | { kind: 'changes'; changes: readonly LineChange[] }
  /** It stands nowhere behind the chunk before; without an anchor it may be found elsewhere. */
  | { kind: 'elsewhere'; search: string; replace: string }
  | { kind: 'ambiguous'; lines: readonly number[] }
  | { kind: 'no-anchor'; anchor: string };

/** Places chunks in the order of the file, as the tools do that know this format: each behind the one before it. */
export function findChunks(chunks: readonly PatchChunk[], lines: readonly string[]): PlacedChunk[] {
  let next = 0;
  return chunks.map((chunk) => {
    let from = next;
    for (const anchor of chunk.anchors) {
      const [at] = placesOf([anchor], lines, from);
      // It may stand around several chunks, and so above the one before.
      if (at === undefined && placesOf([anchor], lines.slice(0, next), 0).length === 0)
        return { kind: 'no-anchor', anchor };
      from = at === undefined ? from : at + 1;
    }
    const find = (rows: readonly string[]) => placeOf(chunk, sidesOfChunk(rows)[0] ?? [], { lines, from });
    // An empty line at an end may only keep two chunks apart.
    const rows = [chunk.rows, withoutBlankEnds(chunk.rows)].find((some) => find(some) !== undefined) ?? chunk.rows;
    const [old = [], fresh = []] = sidesOfChunk(rows);
    const place = find(rows);
    if (typeof place === 'object') return { kind: 'ambiguous', lines: place };
    if (place === undefined && chunk.anchors.length > 0) return { kind: 'no-anchor', anchor: old.join('\n') };
    if (place === undefined) return { kind: 'elsewhere', search: old.join('\n'), replace: fresh.join('\n') };
    next = place + old.length;
    return { kind: 'changes', changes: changesAt(rows, lines, place) };
  });
}

function withoutBlankEnds(rows: readonly string[]): readonly string[] {
  return rows.slice(
    rows.findIndex((row) => row !== ' '),
    rows.findLastIndex((row) => row !== ' ') + 1,
  );
}

function placeOf(
  { anchors, isAtEnd, line }: PatchChunk,
  old: readonly string[],
  { lines, from }: { lines: readonly string[]; from: number },
): number | readonly number[] | undefined {
  // What only adds stands behind its anchor, else at the end.
  if (old.length === 0) return anchors.length > 0 ? from : lines.length;
  // What nothing else tells the place of is read by the rules of any block, if it is not there as written.
  const isSure = anchors.length > 0 || isAtEnd;
  const places = placesOf(old, lines, from, isSure ? forms : ['exact']);
  if (isAtEnd && places.at(-1) === lines.length - old.length) return places.at(-1);
  const named = places.find((place) => place + 1 === line);
  if (places.length > 1 && anchors.length === 0 && named === undefined) return places;
  // An anchor may be the first line of its own chunk.
  return named ?? places[0] ?? (anchors.length > 0 ? placesOf(old, lines, from - 1)[0] : undefined);
}

const forms: readonly LineTolerance[] = ['exact', 'plain'];

function placesOf(
  wanted: readonly string[],
  lines: readonly string[],
  from: number,
  allowed = forms,
): readonly number[] {
  for (const form of allowed) {
    const keys = wanted.map((line) => normalizeLine(line, form));
    const places: number[] = [];
    for (let at = from; at + keys.length <= lines.length; at++)
      if (keys.every((key, offset) => key === normalizeLine(lines[at + offset] ?? '', form))) places.push(at);
    if (places.length > 0) return places;
  }
  return [];
}

/** Returns the changes of a chunk at this place. Lines that stay are the file's, however the patch has them. */
function changesAt(rows: readonly string[], lines: readonly string[], place: number): readonly LineChange[] {
  let at = place;
  const fresh = rows.flatMap((row) => {
    if (row.startsWith('+')) return [row.slice(1)];
    const own = lines[at++] ?? '';
    return row.startsWith(' ') ? [own] : [];
  });
  return trimmed([{ start: place, end: at, lines: fresh }], lines);
}
