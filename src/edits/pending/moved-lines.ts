import { diffLineHunks } from '../apply/line-diff.ts';
import type { EditOrigin } from './edit-origin.ts';
import { gapFor, type LineChange, ownersOf, sideOf } from './row-changes.ts';
import { isMark, isVisible, originsIn, type Row } from './rows.ts';

export interface TouchedLines {
  lines: readonly string[];
  gone: readonly GoneLine[];
  fresh: readonly FreshLine[];
  /** Returns the text after the event: lines of the text before by their number, and new ones. */
  now(): readonly (number | FreshLine)[];
}

interface GoneLine {
  line: number;
  isOut: boolean;
}

export interface FreshLine {
  text: string;
  line: number;
  /** Says on which side of the gap between two lines the cursor was. */
  side: 'above' | 'below' | undefined;
  /** Is true for a line inserted between two lines or on a blank one, as by a paste; typing changes existing lines. */
  isWhole: boolean;
}

/** Each of the `changes` of one event counts in the text that the ones before it leave. */
export function touchedLines(lines: readonly string[], changes: readonly LineChange[]): TouchedLines {
  const [only] = changes;
  if (changes.length === 1 && only) {
    const { parts, gone, fresh } = partsOfChange(lines.slice(only.start, only.start + only.count), only);
    for (const one of fresh) one.line += only.start;
    return {
      lines,
      fresh,
      gone: gone.map((one) => ({ ...one, line: one.line + only.start })),
      now: () => [
        ...lines.slice(0, only.start).keys(),
        ...parts.flat().map((one) => (typeof one === 'number' ? one + only.start : one)),
        ...lines.slice(only.start + only.count).map((_, at) => at + only.start + only.count),
      ],
    };
  }
  let now: (number | FreshLine)[] = lines.map((_, at) => at);
  const gone = new Map<number, GoneLine>();
  for (const change of changes) {
    const there = now.slice(change.start, change.start + change.count);
    const texts = there.map((one) => (typeof one === 'number' ? (lines[one] ?? '') : one.text));
    const { parts, gone: out } = partsOfChange(texts, change);
    for (const { line, isOut } of out) {
      const was = there[line];
      if (typeof was === 'number') gone.set(was, { line: was, isOut });
    }
    const fresh = parts.flat().map((one) => (typeof one === 'number' ? (there[one] ?? one) : one));
    now = [...now.slice(0, change.start), ...fresh, ...now.slice(change.start + change.count)];
  }
  const fresh = now.flatMap((one, line) => (typeof one === 'number' ? [] : [Object.assign(one, { line })]));
  return { lines, gone: [...gone.values()].sort((one, other) => one.line - other.line), fresh, now: () => now };
}

function partsOfChange(there: readonly string[], { start, lines, within }: LineChange) {
  const parts: (number | FreshLine)[][] = [];
  const gone: GoneLine[] = [];
  const fresh: FreshLine[] = [];
  let at = 0;
  const take = (until: number) => {
    parts.push(Array.from({ length: until - at }, (_, offset) => at + offset));
    at = until;
  };
  for (const { before, after } of diffLineHunks(there, lines)) {
    take(before.start);
    const end = before.start + before.count;
    const isWhole = there.slice(before.start, end).every((text) => text.trim() === '');
    const side = before.count === 0 ? sideOf(start + before.start, within) : undefined;
    const own = lines
      .slice(after.start, after.start + after.count)
      .map((text, offset) => ({ text, isWhole, side, line: after.start + offset }));
    for (; at < end; at++) gone.push({ line: at, isOut: after.count === 0 });
    fresh.push(...own);
    parts.push(own);
  }
  take(there.length);
  return { parts, gone, fresh };
}

export function isDistinctive(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

interface Candidate {
  text: string;
  isAlone: boolean;
}

/**
 * Pairs new lines with removed ones, as indexes of both lists. Lines that `isDistinct` rejects are paired only through
 * their neighbors.
 */
export function paired(
  fresh: readonly Candidate[],
  gone: readonly Candidate[],
  isDistinct: (text: string) => boolean,
): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const places = new Map<string, number[]>();
  for (const [at, { text }] of gone.entries()) {
    const known = places.get(text.trim());
    if (known) known.push(at);
    else places.set(text.trim(), [at]);
  }
  const isPair = (at: number, of: number) => {
    const [one, other] = [fresh[at], gone[of]];
    if (one === undefined || other === undefined || pairs.has(at) || taken.has(of)) return false;
    return one.text === other.text || (one.isAlone && other.isAlone && one.text.trim() === other.text.trim());
  };
  const pair = (at: number, of: number) => {
    pairs.set(at, of);
    taken.add(of);
  };
  for (const [at, { text }] of fresh.entries()) {
    if (pairs.has(at) || !isDistinct(text)) continue;
    const likely = (places.get(text.trim()) ?? []).filter((of) => isPair(at, of));
    const of = likely.find((one) => gone[one]?.text === text) ?? likely[0];
    if (of === undefined) continue;
    pair(at, of);
    for (const step of [1, -1]) {
      for (let offset = step; isPair(at + offset, of + offset); offset += step) pair(at + offset, of + offset);
    }
  }
  return pairs;
}

function isSameBag(some: readonly Candidate[], others: readonly Candidate[]): boolean {
  const [one, other] = [some, others].map((all) => all.map(({ text }) => text.trim()).sort());
  return one?.length === other?.length && (one?.every((text, at) => text === other?.[at]) ?? false);
}

interface EditedRows {
  from: number;
  to: number;
  after: { start: number; count: number };
}

/**
 * Moves rows whose lines only changed their place, with everything that is known of them. What edits removed goes
 * along where all lines of the edit do, or where it was between two that move together. Returns undefined when no
 * line moved.
 */
export function withMoved(
  rows: readonly Row[],
  edited: readonly EditedRows[],
  { lines, gone, fresh, now }: TouchedLines,
): { rows: readonly Row[]; sources: ReadonlyMap<FreshLine, number> } | undefined {
  if (gone.length === 0 || fresh.length === 0) return undefined;
  const left = gone.map(({ line, isOut }) => ({ text: lines[line] ?? '', isAlone: isOut }));
  const come = fresh.map(({ text, isWhole }) => ({ text, isAlone: isWhole }));
  const isAll = isSameBag(come, left);
  const pairs = paired(come, left, (text) => isAll || isDistinctive(text));
  if (pairs.size === 0) return undefined;
  const sources = new Map<FreshLine, number>();
  for (const [at, of] of pairs) sources.set(fresh[at] as FreshLine, gone[of]?.line ?? 0);
  const next = new Map<number, number>();
  const runs = new Map<number, { line: number; fresh: FreshLine }[]>();
  let run: { line: number; fresh: FreshLine }[] = [];
  let last: number | undefined;
  for (const one of now()) {
    const line = typeof one === 'number' ? one : sources.get(one);
    if (line === undefined) continue;
    if (last !== undefined) next.set(last, line);
    last = line;
    if (typeof one !== 'number') run.push({ line, fresh: one });
    else if (run.length > 0) {
      runs.set(one, run);
      run = [];
    }
  }
  if (run.length > 0) runs.set(lines.length, run);
  const moving = new Set(sources.values());
  const along = goingAlong(rows, edited, { moving, next });
  return { rows: rebuilt(rows, { runs, along, moving }), sources };
}

interface Moving {
  runs: ReadonlyMap<number, readonly { line: number; fresh: FreshLine }[]>;
  along: Along;
  moving: ReadonlySet<number>;
}

export type Along = ReadonlyMap<number, { above: readonly Row[]; below: readonly Row[] }>;

export function goingAlong(
  rows: readonly Row[],
  edited: readonly EditedRows[],
  { moving, next }: { moving: ReadonlySet<number>; next: ReadonlyMap<number, number> },
): Along {
  const along = new Map<number, { above: Row[]; below: Row[] }>();
  const put = (line: number, side: 'above' | 'below', row: Row) => {
    const own = along.get(line) ?? { above: [], below: [] };
    own[side].push(row);
    along.set(line, own);
  };
  for (const { from, to, after } of edited) {
    const end = after.start + after.count;
    let isWhole = after.count > 0;
    for (let line = after.start; isWhole && line < end; line++) isWhole = moving.has(line);
    const own = rows.slice(from, to);
    const owners = ownersOf(originsIn(own.filter(isVisible)));
    let line = after.start;
    for (const row of own) {
      if (isVisible(row)) {
        line++;
        continue;
      }
      const isBetween = moving.has(line - 1) && moving.has(line) && next.get(line - 1) === line;
      // What one chat took out goes with what it wrote instead, not with what another one did beside it.
      const isOfThem = isWhole && removersOf(row).some(({ conversationId }) => owners.has(conversationId));
      if (isBetween || (isOfThem && line < end)) put(line, 'above', row);
      else if (isOfThem) put(line - 1, 'below', row);
    }
  }
  return along;
}

function removersOf(row: Row): readonly EditOrigin[] {
  const removed = isMark(row) ? row.removed : undefined;
  return removed === undefined ? [] : [...(removed.by ? [removed.by] : []), ...removed.over];
}

function rebuilt(rows: readonly Row[], { runs, along, moving }: Moving): readonly Row[] {
  const lines = rows.filter(isVisible);
  const gone = new Set([...along.values()].flatMap(({ above, below }) => [...above, ...below]));
  const result: Row[] = [];
  let hidden: Row[] = [];
  const flush = (before: number, below: Row | undefined) => {
    const run = runs.get(before);
    if (run === undefined) {
      result.push(...hidden);
    } else {
      const above = result.at(-1);
      const local = [...(above === undefined ? [] : [above]), ...hidden, ...(below === undefined ? [] : [below])];
      const first = above === undefined ? 0 : 1;
      const side = run[0]?.fresh.side;
      const gap = gapFor(local, { above: first - 1, below: first + hidden.length, side });
      const own = run.flatMap(({ line, fresh }) => {
        const companions = along.get(line);
        return [...(companions?.above ?? []), withText(lines[line] ?? '', fresh.text), ...(companions?.below ?? [])];
      });
      result.push(...gap.inFront, ...own, ...gap.behind);
    }
    hidden = [];
  };
  let line = 0;
  for (const row of rows) {
    if (!isVisible(row)) {
      if (!gone.has(row)) hidden.push(row);
      continue;
    }
    if (!moving.has(line)) {
      flush(line, row);
      result.push(row);
    }
    line++;
  }
  flush(line, undefined);
  return result;
}

function withText(row: Row, text: string): Row {
  return typeof row === 'string' ? text : { ...row, text };
}
