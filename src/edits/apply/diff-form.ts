import { fenced } from '../match/code-fence.ts';
import { indentOf, isBlank } from '../match/line-tolerance.ts';
import type { EditBlock, Reading } from '../match/readings.ts';
import { type Change, type DiffLayout, type DiffSign, type Hunk, isHeader, parseDiff } from './parse-diff.ts';

export interface DiffContext {
  /** Returns whether these lines follow one another in the file, with their indentation; a blank line never does. */
  stands(lines: readonly string[]): boolean;
  lines: readonly string[];
}

type Read = readonly Change[] | 'unclear' | undefined;

const forms: readonly DiffLayout[] = [
  { gutter: 1, isBare: false },
  { gutter: 2, isBare: false },
  { gutter: 1, isBare: true },
  { gutter: 2, isBare: true },
];

const minDistinct = 12;

const note = 'read as a unified diff';

/**
 * Reads a block that is written as a unified diff, each hunk as a block of its own. Returns undefined when it is no
 * diff, and `unclear` when it may be one but the file does not show how to read it; its signs must not be written
 * then. Files whose own lines begin with such signs are recognized by those lines.
 */
export function readDiff(block: EditBlock, context: DiffContext): Reading[] | 'unclear' | undefined {
  if (!hasSigns(block.search) && !hasSigns(block.replace)) return undefined;
  if (context.lines.some((line) => /^@@ .*@@/.test(line))) return undefined;
  const search = linesOf(fenced(block.search) ?? block.search);
  const replace = linesOf(fenced(block.replace) ?? block.replace);
  const isOwn = context.stands(search);
  const sides = { search, replace };
  const reads = forms
    .map((form) => (isOwn ? undefined : inSearch(sides, form, context)) ?? inReplacement(sides, form, context))
    .filter((read) => read !== undefined);
  if (reads.length === 0) return isCertain(search, replace, isOwn, context) ? 'unclear' : undefined;
  const clear = reads.filter((read) => read !== 'unclear');
  if (clear.length < reads.length) return 'unclear';
  const likely = [isAligned, (hunk: Change) => !isOdd(hunk)].map((fits) => clear.filter((hunks) => hunks.every(fits)));
  const [hunks = [], ...others] = [...likely, clear].find((some) => some.length > 0) ?? [];
  const text = (one: readonly Change[]) => one.map((hunk) => toText(hunk.old) + toText(hunk.new)).join('\0');
  if (others.some((other) => text(other) !== text(hunks))) return 'unclear';
  return hunks.map((hunk) => ({ search: toText(hunk.old), replace: toText(hunk.new), isVerbatim: true, note }));
}

function isAligned(hunk: Change): boolean {
  const indents = new Set(hunk.old.map(indentOf));
  return hunk.new.every((text) => isBlank(text) || indents.has(indentOf(text)));
}

function isOdd(hunk: Change): boolean {
  const isOff = (text: string) => (/^ */.exec(text)?.[0].length ?? 0) % 2 === 1;
  const known = new Set(hunk.old);
  return !hunk.old.some(isOff) && hunk.new.some((text) => !known.has(text) && !isBlank(text) && isOff(text));
}

export function oldLinesOf(search: string): string {
  const lines = search.split('\n').filter((line, at, all) => !/^(?:\+|@@)/.test(line) && !isHeader(all, at));
  return lines.map((line) => line.replace(/^-/, '')).join('\n');
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function linesOf(text: string): string[] {
  return text.trim() === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function hasSigns(text: string): boolean {
  return /^(?:[+-]|@@)/m.test(text) || /^\s*(?:`{3}|~{3}).*\n(?:[+-]|@@)/.test(text);
}

function inSearch(
  { search, replace }: { search: string[]; replace: string[] },
  form: DiffLayout,
  { stands, lines }: DiffContext,
): Read {
  const stays = (line: string) => form.isBare && stands([line]);
  const hunks = parseDiff(search, form, stays);
  if (hunks === undefined || !hunks.every(({ old }) => stands(old))) return undefined;
  const has = (sign: DiffSign) => hunks.some(({ rows }) => rows.some((row) => row.sign === sign));
  if (!has('+') && !has('-')) return undefined;
  const other = parseDiff(replace, form, stays);
  if (has('+') || hunks.length > 1 || replace.length === 0 || isSame(replace, search)) {
    const newOf = (all: readonly Hunk[]) => all.flatMap((hunk) => hunk.new);
    const said = [[], search, newOf(hunks)].some((side) => isSame(replace, side));
    return said || (other !== undefined && isSame(newOf(other), newOf(hunks))) ? hunks : 'unclear';
  }
  const [{ rows, old } = { rows: [], old: [] }] = hunks;
  const kept = rows.flatMap(({ sign, text }) => (sign === ' ' && !isBlank(text) ? [text] : []));
  const isMarked = replace.some((line) => line.startsWith('+'));
  const plain = !isMarked || isLikeFile('+', replace, search, lines) ? [replace] : [];
  const sides = [...plain, ...(other?.length === 1 ? other.map((hunk) => hunk.new) : [])];
  const [fresh, different] = sides.filter((side) => isWithin(kept, side));
  if (fresh === undefined || (isMarked && different !== undefined && !isSame(fresh, different))) return 'unclear';
  return [{ old, new: fresh }];
}

function inReplacement(
  { search, replace }: { search: string[]; replace: string[] },
  form: DiffLayout,
  { stands, lines }: DiffContext,
): Read {
  const known = new Set(search);
  const hunks = parseDiff(replace, form, (line) => form.isBare && known.has(line));
  if (hunks === undefined) return undefined;
  const rows = hunks.flatMap((hunk) => hunk.rows);
  const has = (sign: DiffSign) => rows.some((row) => row.sign === sign);
  const sides = [search, ...(form.isBare ? [] : [withoutGutter(search, form)])].filter(
    (side) => side !== undefined && (side.length === 0 || stands(side)),
  );
  const isStrict = !form.isBare && rows.some(({ sign, text }) => sign === ' ' && !isBlank(text));
  if (has('-')) {
    if (!hunks.every(({ old }) => stands(old))) return undefined;
    const whole = hunks.flatMap(({ old }) => old);
    if (!sides.some((side) => side !== undefined && isRun(side, whole))) return undefined;
    // A number below zero, a flag or an item of a list may be meant to come.
    const isDistinct = isStrict || rows.some(({ sign, text }) => sign === '-' && text.trim().length >= minDistinct);
    const isList = rows.every(({ sign }) => sign === '-') || isLikeFile('-', replace, search, lines);
    if (!has('+') && !isStrict && form.gutter === 2) return isList ? undefined : 'unclear';
    if (!has('+') && !isDistinct) return 'unclear';
    return hunks;
  }
  const [hunk] = hunks;
  if (!has('+') || hunk === undefined || hunks.length > 1) return undefined;
  // With a header it is a diff, whose context need not be all of the search.
  if (replace.some((line, at) => /^@@/.test(line) || isHeader(replace, at)))
    return stands(hunk.old) ? [hunk] : undefined;
  const side = sides.find((one) => one !== undefined && one.length > 0 && isWithin(hunk.old, one));
  if (side === undefined) return undefined;
  if (!isStrict && lines.some((line) => line.startsWith('+')))
    return isLikeFile('+', replace, search, lines) ? undefined : 'unclear';
  if (isStrict || isPlain(hunk, side)) return [{ old: side, new: hunk.new }];
  return form.gutter === 1 ? 'unclear' : undefined;
}

function isLikeFile(
  sign: DiffSign,
  fresh: readonly string[],
  search: readonly string[],
  lines: readonly string[],
): boolean {
  const marked = (side: readonly string[]) => side.filter((line) => line.startsWith(sign));
  const isShown = marked(search).length > 0;
  const shapeOf = (line: string) => {
    const start = /^[-+ \t]*/.exec(line)?.[0] ?? '';
    return isShown ? start.slice(0, start.trimEnd().length + 1) : start;
  };
  const shapes = new Set(marked(lines).map(shapeOf));
  return marked(fresh).every((line) => shapes.has(shapeOf(line)));
}

function isPlain(hunk: Hunk, side: readonly string[]): boolean {
  const fresh = hunk.rows.flatMap(({ sign, text }) => (sign === '+' && !isBlank(text) ? [text] : []));
  if (fresh.length === 0) return isSame(hunk.old, side);
  return !fresh.some((text) => /^\d/.test(text)) && !isOdd({ old: side, new: hunk.new });
}

function withoutGutter(lines: readonly string[], { gutter }: DiffLayout): string[] | undefined {
  const column = ' '.repeat(gutter);
  const isThere = lines.every((line) => isBlank(line) || line.startsWith(column));
  return isThere ? lines.map((line) => line.slice(gutter)) : undefined;
}

function bare(lines: readonly string[]): string[] {
  return lines.filter((line) => !isBlank(line)).map((line) => line.trimEnd());
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return bare(a).join('\n') === bare(b).join('\n');
}

function isRun(part: readonly string[], whole: readonly string[]): boolean {
  return `\n${bare(whole).join('\n')}\n`.includes(`\n${bare(part).join('\n')}${part.length === 0 ? '' : '\n'}`);
}

function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  const rest = bare(whole);
  let next = 0;
  return bare(part).every((line) => {
    next = rest.indexOf(line, next) + 1;
    return next > 0;
  });
}

function isCertain(
  search: readonly string[],
  replace: readonly string[],
  isOwn: boolean,
  { lines }: DiffContext,
): boolean {
  const hasHeader = (side: readonly string[]) => side.some((line, at) => /^@@/.test(line) || isHeader(side, at));
  const begin = (side: readonly string[], sign: DiffSign) => side.some((line) => line.startsWith(sign));
  if (hasHeader(replace) || (!isOwn && hasHeader(search))) return true;
  const known = new Set(search);
  const isShifted = replace.some((line) => /^[-+ ]\s*\S/.test(line) && !known.has(line) && known.has(line.slice(1)));
  if (isShifted && (begin(replace, '+') || begin(replace, '-'))) return true;
  if (begin(lines, '+') || (isOwn && (begin(search, '-') || begin(search, '+')))) return false;
  return begin(search, '+') || begin(replace, '+');
}
