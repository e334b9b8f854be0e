import { diffLineHunks, type LineHunk, splitLines } from '../tools/line-diff.ts';

/**
 * One file with undecided edits, as lines with `\n` ends. `base` is what Undo goes back to: the text before the edits
 * plus what the user changed outside of them. `agent` is what the edits made of it, without what the user changed
 * inside of them.
 */
export interface PendingText {
  base: readonly string[];
  agent: readonly string[];
  current: readonly string[];
}

export function toLines(text: string): string[] {
  return splitLines(text.replaceAll('\r\n', '\n'));
}

export function startPending(before: string, after: string): PendingText {
  const lines = toLines(after);
  return { base: toLines(before), agent: lines, current: lines };
}

/** Asked for at every move of a cursor. */
const knownHunks = new WeakMap<PendingText, readonly LineHunk[]>();

/** What is undecided. `before` counts lines of `base`, `after` lines of `current`. */
export function pendingHunks(pending: PendingText): readonly LineHunk[] {
  const known = knownHunks.get(pending);
  if (known !== undefined) return known;
  const hunks = diffLineHunks(pending.base, pending.current);
  knownHunks.set(pending, hunks);
  return hunks;
}

/** The user typed, or a tool of theirs did. Outside the pending hunks that is decided; inside it keeps them pending. */
export function withUserChange(pending: PendingText, next: readonly string[]): PendingText {
  const hunks = pendingHunks(pending);
  const outside = diffLineHunks(pending.current, next).filter(
    (change) => !hunks.some((hunk) => touches(change.before, hunk.after)),
  );
  return {
    base: transplant(pending.base, hunks.map(turned), next, outside),
    agent: transplant(pending.agent, diffLineHunks(pending.current, pending.agent), next, outside),
    current: next,
  };
}

/** The hunks that a change from the text `before` to what is there now was made in. */
export function hunksTyped(pending: PendingText, before: readonly string[]): readonly LineHunk[] {
  const changes = diffLineHunks(before, pending.current);
  return pendingHunks(pending).filter((hunk) => changes.some((change) => touches(change.after, hunk.after)));
}

/** Another edit of the model's on top, made from `current`. */
export function withAgentChange(pending: PendingText, next: readonly string[]): PendingText {
  return { base: pending.base, agent: mergeLines(pending.current, pending.agent, next) ?? next, current: next };
}

/** The hunk as it is now becomes what Undo goes back to. */
export function withKept(pending: PendingText, hunk: LineHunk): PendingText {
  const { base, agent, current } = pending;
  const kept = slice(current, hunk.after);
  return {
    base: splice(base, hunk.before, kept),
    agent: splice(agent, mapRange(diffLineHunks(current, agent), hunk.after), kept),
    current,
  };
}

/**
 * Takes the edit back, what the user typed inside it stays. Undefined when the two cannot be told apart: then nothing may be
 * overwritten, and the user decides in the diff.
 */
export function withUndone(pending: PendingText, hunk: LineHunk): PendingText | undefined {
  const { base, agent, current } = pending;
  const agentRange = mapRange(diffLineHunks(current, agent), hunk.after);
  const before = slice(base, hunk.before);
  const merged = mergeLines(slice(agent, agentRange), slice(current, hunk.after), before);
  if (merged === undefined) return undefined;
  return {
    base: splice(base, hunk.before, merged),
    agent: splice(agent, agentRange, merged),
    current: splice(current, hunk.after, merged),
  };
}

/** Every edit that can be taken back is; `conflicts` counts those that the user has to decide in the diff. */
export function withAllUndone(pending: PendingText): { pending: PendingText; conflicts: number } {
  let result = pending;
  let conflicts = 0;
  for (let hunk = pendingHunks(result)[0]; hunk !== undefined; hunk = pendingHunks(result)[conflicts]) {
    const undone = withUndone(result, hunk);
    if (undone === undefined) conflicts++;
    else result = undone;
  }
  return { pending: result, conflicts };
}

/** Those hunks; `conflicts` as above. */
export function withEachUndone(
  pending: PendingText,
  hunks: readonly LineHunk[],
): { pending: PendingText; conflicts: number } {
  let result = pending;
  let conflicts = 0;
  // The last one first: then the others stay where they are.
  for (const hunk of [...hunks].sort((a, b) => b.after.start - a.after.start)) {
    const undone = withUndone(result, hunk);
    if (undone === undefined) conflicts++;
    else result = undone;
  }
  return { pending: result, conflicts };
}

/** Both changes of `ancestor`, or undefined where they meet. */
export function mergeLines(
  ancestor: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string[] | undefined {
  const mine = diffLineHunks(ancestor, ours).map((hunk) => ({ hunk, lines: slice(ours, hunk.after) }));
  const other = diffLineHunks(ancestor, theirs).map((hunk) => ({ hunk, lines: slice(theirs, hunk.after) }));
  const same = (a: (typeof mine)[number], b: (typeof mine)[number]) =>
    a.hunk.before.start === b.hunk.before.start &&
    a.hunk.before.count === b.hunk.before.count &&
    a.lines.join('') === b.lines.join('');
  const fresh = other.filter((one) => !mine.some((known) => same(known, one)));
  if (fresh.some(({ hunk }) => mine.some((known) => touches(hunk.before, known.hunk.before)))) return undefined;
  const result = [...ancestor];
  const lastFirst = [...mine, ...fresh].sort((a, b) => b.hunk.before.start - a.hunk.before.start);
  for (const { hunk, lines } of lastFirst) result.splice(hunk.before.start, hunk.before.count, ...lines);
  return result;
}

interface Range {
  start: number;
  count: number;
}

/** A place between two lines touches a range that it is the edge of. */
function touches(a: Range, b: Range): boolean {
  const [aEnd, bEnd] = [a.start + a.count, b.start + b.count];
  return a.count === 0 || b.count === 0 ? a.start <= bEnd && b.start <= aEnd : a.start < bEnd && b.start < aEnd;
}

/** The same difference seen from the other side. */
function turned({ before, after }: LineHunk): LineHunk {
  return { before: after, after: before };
}

/**
 * Makes changes in another text, in which the changed lines are the same ones. `between` leads from the text that was changed
 * to this one.
 */
function transplant(
  text: readonly string[],
  between: readonly LineHunk[],
  next: readonly string[],
  changes: readonly LineHunk[],
): string[] {
  const result = [...text];
  for (const change of changes.toReversed()) {
    const { start, count } = mapRange(between, change.before);
    result.splice(start, count, ...slice(next, change.after));
  }
  return result;
}

/** Where lines of one text are in another. An end inside a hunk moves out to the edge of it. */
function mapRange(hunks: readonly LineHunk[], { start, count }: Range): Range {
  const mappedStart = mapEdge(hunks, start, 'start');
  return { start: mappedStart, count: Math.max(0, mapEdge(hunks, start + count, 'end') - mappedStart) };
}

function mapEdge(hunks: readonly LineHunk[], edge: number, side: 'start' | 'end'): number {
  let shift = 0;
  for (const { before, after } of hunks) {
    const end = before.start + before.count;
    if (edge < before.start || (edge === before.start && side === 'start')) break;
    if (edge < end) return side === 'start' ? after.start : after.start + after.count;
    shift = after.start + after.count - end;
  }
  return edge + shift;
}

function slice(lines: readonly string[], { start, count }: Range): string[] {
  return lines.slice(start, start + count);
}

function splice(lines: readonly string[], { start, count }: Range, replacement: readonly string[]): string[] {
  return lines.toSpliced(start, count, ...replacement);
}
