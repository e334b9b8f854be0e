import { between, pick, type Random } from './case.ts';
import type { Revision } from './corpus.ts';
import { diffLines } from './diff-lines.ts';

/** One line that a block speaks of. */
export interface Piece {
  /** `same`: stands in the file and stays; `old`: stands there and goes; `new`: comes. */
  role: 'same' | 'old' | 'new';
  text: string;
}

/** What the author meant: some lines of a file, with those around them that show where. */
export interface Intent {
  source: string;
  /** The file, line by line; joined by LF it is the whole text, final newline included. */
  lines: string[];
  /** Each an edit of its own, in the order of the file. */
  parts: { start: number; pieces: Piece[] }[];
}

interface Hunk {
  start: number;
  old: string[];
  new: string[];
}

const maxHunkLines = 40;

/** Files are drawn again and again. */
const known = new WeakMap<Revision, Hunk[]>();

/** The changes of a revision that fit into a block. */
function hunksOf(revision: Revision): Hunk[] {
  const cached = known.get(revision);
  if (cached !== undefined) return cached;
  const hunks = diffLines(revision.before.split('\n'), revision.after.split('\n'));
  // What stands on a blank line no block can say once it is damaged.
  const isUnseen = ({ old, new: fresh }: Hunk) =>
    old.length === fresh.length && [...old, ...fresh].every((line) => line.trim() === '');
  const fitting = hunks.filter((hunk) => hunk.old.length + hunk.new.length <= maxHunkLines && !isUnseen(hunk));
  known.set(revision, fitting);
  return fitting;
}

export interface IntentOptions {
  /** Number of separate edits. */
  parts: number;
  /** Lines of context on both sides at the least; a random 0 to 3 when not given. */
  context?: number;
  /** May be as short as makes the exact text unique; otherwise the text without any blanks is. */
  exactlyUnique?: boolean;
}

/** Takes hunks of a revision as a person would write them down; undefined when this revision has none that fit. */
export function createIntent(random: Random, revision: Revision, options: IntentOptions): Intent | undefined {
  const hunks = hunksOf(revision);
  if (hunks.length < options.parts) return undefined;
  const lines = revision.before.split('\n');
  const first = between(random, 0, hunks.length - options.parts);
  const parts = hunks.slice(first, first + options.parts).map((hunk) => describe(random, lines, hunk, options));
  const whole = parts.filter((part) => part !== undefined);
  return whole.length === options.parts ? { source: revision.name, lines, parts: whole } : undefined;
}

function describe(random: Random, lines: string[], hunk: Hunk, options: IntentOptions) {
  const bothSides = options.context !== undefined || random() < 0.7;
  let above = options.context ?? (bothSides ? between(random, 1, 3) : pick(random, [0, 0, 2]));
  let below = options.context ?? (bothSides ? between(random, 1, 3) : above === 0 ? pick(random, [0, 2]) : 0);
  const needle = options.exactlyUnique ? (text: string) => text : withoutBlanks;
  const hay = needle(lines.join('\n'));
  for (let round = 0; round < 12; round++) {
    const start = Math.max(0, hunk.start - above);
    const end = Math.min(lines.length, hunk.start + hunk.old.length + below);
    const pieces: Piece[] = [
      ...lines.slice(start, hunk.start).map((text) => ({ role: 'same' as const, text })),
      ...hunk.old.map((text) => ({ role: 'old' as const, text })),
      ...hunk.new.map((text) => ({ role: 'new' as const, text })),
      ...lines.slice(hunk.start + hunk.old.length, end).map((text) => ({ role: 'same' as const, text })),
    ];
    const search = linesOf(pieces, 'new');
    const replace = linesOf(pieces, 'old');
    // The piece after the last line end is no line that anybody would copy.
    if (end === lines.length && lines.at(-1) === '') below = Math.max(0, below - 1);
    const ends = [search[0], search.at(-1), ...(replace.length > 0 ? [replace[0], replace.at(-1)] : [])];
    const isUnique = search.length > 0 && occurrences(hay, needle(search.join('\n'))) === 1;
    if (isUnique && ends.every((line) => line !== undefined && line.trim() !== '')) return { start, pieces };
    if (end < lines.length - 1 && (start === 0 || random() < 0.5)) below++;
    else above++;
  }
  return undefined;
}

/** The lines of a block's search (without those that come) or of its replacement (without those that go). */
export function linesOf(pieces: readonly Piece[], without: 'old' | 'new'): string[] {
  return pieces.filter(({ role }) => role !== without).map(({ text }) => text);
}

/** The file with all parts applied: what every right answer looks like. Parts close together may share lines. */
export function resultOf({ lines, parts }: Pick<Intent, 'lines' | 'parts'>): string[] {
  const gone = new Set<number>();
  const coming = new Map<number, string[]>();
  for (const { start, pieces } of parts) {
    let at = start;
    for (const { role, text } of pieces) {
      if (role === 'new') coming.set(at, [...(coming.get(at) ?? []), text]);
      if (role === 'old') gone.add(at);
      if (role !== 'new') at++;
    }
  }
  const kept = lines.flatMap((line, at) => [...(coming.get(at) ?? []), ...(gone.has(at) ? [] : [line])]);
  return [...kept, ...(coming.get(lines.length) ?? [])];
}

export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

export function occurrences(hay: string, needle: string): number {
  if (needle === '') return 0;
  let count = 0;
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) count++;
  return count;
}
