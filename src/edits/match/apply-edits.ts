import { oldLinesOf, readDiff } from '../apply/diff-form.ts';
import type { Located, Target } from '../apply/make-changes.ts';
import { findChunks, type PatchChunk } from '../apply/patch-chunks.ts';
import { chunksOf } from '../apply/patches.ts';
import { findStandIn } from '../apply/stand-ins.ts';
import { unwrapBlock } from '../apply/unwrap-block.ts';
import { describeNearest } from './describe-nearest.ts';
import { findRows } from './find-block.ts';
import { createLineIndex } from './line-index.ts';
import { unicodeFormOf } from './line-tolerance.ts';
import { locateBlock } from './locate-block.ts';
import { asWritten, type EditBlock, type Reading } from './readings.ts';
import { toRows } from './rows.ts';
import { type LineChange, type TextLines, toTextLines, withChanges } from './text-lines.ts';

export type { EditBlock } from './readings.ts';

/** Lines count from 1 in the text before; `newLines` lines take the place of `oldLines`. */
export interface EditHunk {
  startLine: number;
  oldLines: number;
  newLines: number;
}

export type EditRefusal =
  | 'not-found'
  | 'ambiguous'
  | 'overlap'
  | 'empty'
  | 'no-change'
  | 'elision'
  | 'fence'
  | 'diff'
  | 'marker'
  | 'indentation';

export type EditResult =
  | {
      ok: true;
      text: string;
      hunks: EditHunk[];
      notes: string[];
    }
  | {
      ok: false;
      block: number;
      reason: EditRefusal;
      message: string;
    };

/**
 * Replaces each block's search by its replacement, all blocks or none. Each search runs in the text as given, so the
 * order of blocks does not matter. Whitespace, line ends, quotes, escapes and wrappings that models get wrong are
 * forgiven as long as only one match remains. What both sides show stays as the file has it, down to the byte, and
 * new lines take the file's indentation and line ends. Refuses rather than guesses. `path`, with slashes, identifies
 * a first line that only repeats it.
 */
export function applyEdits(text: string, blocks: readonly EditBlock[], path?: string): EditResult {
  const result = applyAll(text, withoutOverlap(text, blocks), path);
  if (result.ok || blocks.length < 2) return result;
  return { ...result, message: `${result.message} None of the ${blocks.length} blocks was applied.` };
}

/** Blocks that stand in one line, each once and letter for letter, become one block of that line. */
function withoutOverlap(text: string, blocks: readonly EditBlock[]): readonly EditBlock[] {
  const inLine = Map.groupBy(blocks, ({ search, replaceAll }) => {
    const at = text.indexOf(search);
    const isOnce = search !== '' && !search.includes('\n') && text.indexOf(search, at + 1) < 0;
    return at >= 0 && isOnce && !replaceAll ? text.lastIndexOf('\n', at) + 1 : undefined;
  });
  return [...inLine].flatMap(([start, parts]) => {
    if (start === undefined || parts.length < 2) return parts;
    const [line = ''] = text.slice(start).split(/\r?\n/, 1);
    const sorted = parts.toSorted((a, b) => line.indexOf(b.search) - line.indexOf(a.search));
    let replace = line;
    for (const part of sorted) {
      const at = line.indexOf(part.search);
      // One that reaches into another has no place of its own.
      if (!line.startsWith(part.search, at) || !replace.startsWith(part.search, at)) return parts;
      replace = replace.slice(0, at) + part.replace + replace.slice(at + part.search.length);
    }
    return [{ search: line, replace }];
  });
}

function applyAll(text: string, blocks: readonly EditBlock[], path?: string): EditResult {
  if (blocks.length === 0) return { ok: false, block: 0, reason: 'empty', message: 'There is no block to apply.' };
  const file = toTextLines(text);
  const index = createLineIndex(file.lines);
  const joined = file.lines.join('\n') + (file.ends.at(-1) ? '\n' : '');
  const target = { file, index, joined, ...(path !== undefined && { path }) };
  const stands = (lines: readonly string[]) => findRows(index, toRows(lines).rows, 'exact').kind !== 'none';
  const located: { block: number; changes: LineChange[] }[] = [];
  const notes: string[] = [];
  for (const [block, raw] of blocks.entries()) {
    const name = blocks.length === 1 ? 'The block' : `Block ${block + 1}`;
    const chunks = chunksOf(asWritten(raw));
    if (chunks !== undefined) {
      const placed = locateChunks(target, chunks);
      if (placed.kind !== 'changes')
        return refusal({ block, name, raw: placed.of ?? raw }, placed, file, () =>
          describeNearest(index, placed.of?.search ?? ''),
        );
      located.push({ block, changes: placed.changes });
      continue;
    }
    const unwrapped = unwrapBlock(asWritten(raw), { joined: target.joined, path });
    if (!unwrapped.ok) {
      return { ok: false, block, reason: 'marker', message: `${name}: ${unwrapped.why}` };
    }
    const written = unwrapped.block;
    notes.push(...unwrapped.notes.map((note) => `${name}: ${note}.`));
    const hunks = readDiff(written, { lines: file.lines, stands });
    if (hunks === 'unclear') {
      const search = oldLinesOf(written.search);
      const nearest = stands(search.split('\n')) ? '' : ` ${describeNearest(index, search)}`;
      const message = `${name} reads like a unified diff that does not fit here. Give the lines themselves, without the signs of a diff; if the signs are meant, show only the lines that get them.${nearest}`;
      return { ok: false, block, reason: 'diff', message };
    }
    for (const reading of hunks ?? ([written] as readonly Reading[])) {
      const found = locateBlock(target, reading);
      if (found.kind !== 'changes')
        return refusal({ block, name, raw }, found, file, () => describeNearest(index, reading.search));
      const standIn = reading.isVerbatim ? undefined : standInOf(found.changes, file);
      if (standIn !== undefined) return { ok: false, block, reason: 'elision', message: `${name}: ${standIn}` };
      located.push({ block, changes: found.changes });
      if (found.note !== undefined) notes.push(`${name}: ${found.note}.`);
    }
  }
  return combine(file, text, located, notes);
}

/**
 * A chunk that is not found where its order says is read by the rules of any block. In a patch that names no lines,
 * each line has an end, so one that comes last in the file gets it.
 */
function locateChunks(
  target: Target,
  chunks: readonly PatchChunk[],
): Extract<Located, { kind: 'changes' }> | (Exclude<Located, { kind: 'changes' }> & { of?: EditBlock }) {
  const changes: LineChange[] = [];
  const { lines, ends } = target.file;
  for (const [at, placed] of findChunks(chunks, lines).entries()) {
    if (placed.kind === 'ambiguous') return placed;
    if (placed.kind === 'no-anchor') return { kind: 'not-found', of: { search: placed.anchor, replace: '' } };
    const of = placed.kind === 'elsewhere' ? asWritten(placed) : undefined;
    const found = of === undefined ? placed : locateBlock(target, of);
    if (found.kind !== 'changes') return { ...(found as Exclude<Located, { kind: 'changes' }>), ...(of && { of }) };
    const isOpen = ends.at(-1) === '' && chunks[at]?.line === undefined;
    const closed = (change: LineChange) =>
      isOpen && change.end === lines.length && change.lines.length > 0
        ? { ...change, lines: [...change.lines, ''] }
        : change;
    changes.push(...found.changes.map(closed));
  }
  return { kind: 'changes', changes };
}

function refusal(
  { block, name, raw }: { block: number; name: string; raw: EditBlock },
  found: Exclude<Located, { kind: 'changes' }>,
  file: TextLines,
  nearest: () => string,
): EditResult {
  const fail = (reason: EditRefusal, message: string): EditResult => ({ ok: false, block, reason, message });
  switch (found.kind) {
    case 'empty':
      return fail('empty', `${name}: the search is empty. Give the lines to replace.`);
    case 'ambiguous': {
      const [one = 0, other = 0] = [...found.lines].sort((a, b) => a - b);
      return fail(
        'ambiguous',
        `${name} fits at line ${one + 1} and at line ${other + 1}. Add lines around it that only one place has, or set replaceAll.`,
      );
    }
    case 'elision':
      return fail('elision', `${name}: it cannot be told which lines “...” stands for. Write them out.`);
    case 'fence':
      return fail(
        'fence',
        `${name}: is the code fence around the replacement meant? Leave it out, or show the line above it on both sides.`,
      );
    case 'indentation':
      return fail(
        'indentation',
        `${name}: the lines have lost their indentation, which has a meaning here. Send them with it.`,
      );
    case 'no-change':
      return fail(
        'no-change',
        `${name} changes nothing: ${whyNothing(raw, file)}${found.line === undefined ? '' : ` at line ${found.line + 1}`}.`,
      );
    case 'not-found':
      return fail('not-found', `${name} was not found. ${file.lines.length === 0 ? 'The file is empty.' : nearest()}`);
  }
}

function standInOf(changes: readonly LineChange[], { lines }: TextLines): string | undefined {
  for (const { start, end, lines: fresh } of changes) {
    const found = findStandIn(lines.slice(start, end), fresh, lines);
    if (found !== undefined) return `${found}. If they are to go, leave it out; else write them.`;
  }
  return undefined;
}

function whyNothing({ search, replace }: EditBlock, { lines }: TextLines): string {
  if (search === replace) return 'both sides are the same';
  const { rows } = toRows(replace.split('\n'));
  const own = new Set(lines.map((line) => line.trimEnd()));
  if (rows.every(({ text }) => own.has(text))) return 'the file already reads like the replacement';
  return 'as it was understood, the lines stay as they are';
}

/** Returns all changes in the order of the file; two blocks may show the same lines but not change them. */
function combine(
  file: TextLines,
  text: string,
  located: { block: number; changes: LineChange[] }[],
  notes: string[],
): EditResult {
  const all = located.flatMap(({ block, changes }, part) => changes.map((change) => ({ block, part, ...change })));
  all.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [at, change] of all.entries()) {
    const before = all[at - 1];
    if (before === undefined || before.part === change.part) continue;
    if (change.start < before.end || change.start === before.start) {
      const [first, second] = [before.block, change.block].sort((a, b) => a - b);
      const message = `Blocks ${(first ?? 0) + 1} and ${(second ?? 0) + 1} both change line ${change.start + 1}. Make them one block.`;
      return { ok: false, block: second ?? 0, reason: 'overlap', message };
    }
  }
  const form = unicodeFormOf(text);
  const inForm = all.map((change) => ({
    ...change,
    lines: form ? change.lines.map((line) => line.normalize(form)) : change.lines,
  }));
  const result = withChanges(file, inForm);
  if (result === text) return { ok: false, block: 0, reason: 'no-change', message: 'The blocks change nothing.' };
  const hunks = all.map(({ start, end, lines }) => ({
    startLine: start + 1,
    oldLines: end - start,
    newLines: lines.length,
  }));
  return { ok: true, text: result, hunks, notes };
}
