import { isBlank } from './line-forms.ts';
import { type EditBlock, fenced, type Reading } from './readings.ts';

export interface DiffContext {
  /** These lines stand in the file one after another, with their indentation; a blank one stands nowhere. */
  stands(lines: readonly string[]): boolean;
  lines: readonly string[];
}

type Sign = ' ' | '-' | '+';

interface Hunk {
  rows: { sign: Sign; text: string }[];
  old: string[];
  new: string[];
}

/** How a diff is written: the width of its first column, and whether lines that stay go without it. */
interface Form {
  gutter: 1 | 2;
  isBare: boolean;
}

const forms: readonly Form[] = [
  { gutter: 1, isBare: false },
  { gutter: 2, isBare: false },
  { gutter: 1, isBare: true },
  { gutter: 2, isBare: true },
];

/** A shorter line may be meant to begin with the sign. */
const minTelling = 12;

const note = 'read as a unified diff';

/**
 * The block as the diff that it is, in one of its sides or in both, each hunk a block of its own. Undefined when it is none;
 * `unclear` when it is one, or may well be one, but the file does not say how to read it: its signs must not be written.
 * Files whose own lines begin with such signs are told by those lines.
 */
export function readDiff(block: EditBlock, context: DiffContext): Reading[] | 'unclear' | undefined {
  if (!hasSigns(block.search) && !hasSigns(block.replace)) return undefined;
  if (context.lines.some((line) => /^@@ .*@@/.test(line))) return undefined;
  const search = linesOf(fenced(block.search) ?? block.search);
  const replace = linesOf(fenced(block.replace) ?? block.replace);
  const isOwn = context.stands(search);
  for (const form of forms) {
    const hunks = isOwn
      ? inReplacement({ search, replace }, form, context)
      : (inSearch({ search, replace }, form, context) ?? inReplacement({ search, replace }, form, context));
    if (hunks === 'unclear') return 'unclear';
    if (hunks !== undefined) {
      const end = block.search.endsWith('\n') || block.replace.endsWith('\n') ? '\n' : '';
      return hunks.map((hunk) => ({ ...toBlock(hunk, end), note }));
    }
  }
  return isCertain(search, replace, isOwn, context) ? 'unclear' : undefined;
}

/** The lines that a diff takes for those of the file. */
export function oldLinesOf(search: string): string {
  const lines = search.split('\n').filter((line, at, all) => !/^(?:\+|@@)/.test(line) && !isHeader(all, at));
  return lines.map((line) => line.replace(/^-/, '')).join('\n');
}

function toBlock(hunk: Pick<Hunk, 'old' | 'new'>, end: string): EditBlock {
  const side = (lines: readonly string[]) => (lines.length === 0 ? '' : lines.join('\n') + end);
  return { search: side(hunk.old), replace: side(hunk.new) };
}

function linesOf(text: string): string[] {
  return text.trim() === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function hasSigns(text: string): boolean {
  return /^(?:[+-]|@@)/m.test(text) || /^\s*(?:`{3}|~{3}).*\n(?:[+-]|@@)/.test(text);
}

/** The search is a diff: whole, or with what goes and what stays. */
function inSearch(
  { search, replace }: { search: string[]; replace: string[] },
  form: Form,
  { stands }: DiffContext,
): Pick<Hunk, 'old' | 'new'>[] | 'unclear' | undefined {
  const stays = (line: string) => form.isBare && stands([line]);
  const hunks = parse(search, form, stays);
  if (hunks === undefined || !hunks.every(({ old }) => stands(old))) return undefined;
  const has = (sign: Sign) => hunks.some(({ rows }) => rows.some((row) => row.sign === sign));
  if (!has('+') && !has('-')) return undefined;
  const other = parse(replace, form, stays);
  if (has('+') || hunks.length > 1 || replace.length === 0 || isSame(replace, search)) {
    const fresh = hunks.flatMap((hunk) => hunk.new);
    const isSaid = replace.length === 0 || isSame(replace, search) || isSame(replace, fresh);
    return isSaid ||
      (other !== undefined &&
        isSame(
          other.flatMap((hunk) => hunk.new),
          fresh,
        ))
      ? hunks
      : 'unclear';
  }
  const [{ rows, old } = { rows: [], old: [] }] = hunks;
  const kept = rows.flatMap(({ sign, text }) => (sign === ' ' && !isBlank(text) ? [text] : []));
  const written = replace.some((line) => line.startsWith('+')) ? undefined : replace;
  if (written !== undefined && isWithin(kept, written)) return [{ old, new: written }];
  const fresh = other?.length === 1 ? other[0]?.new : undefined;
  return fresh !== undefined && isWithin(kept, fresh) ? [{ old, new: fresh }] : 'unclear';
}

/** The replacement is a diff of the search, or has signs before what comes. */
function inReplacement(
  { search, replace }: { search: string[]; replace: string[] },
  form: Form,
  { stands, lines }: DiffContext,
): Pick<Hunk, 'old' | 'new'>[] | 'unclear' | undefined {
  const known = new Set(search);
  const hunks = parse(replace, form, (line) => form.isBare && known.has(line));
  if (hunks === undefined) return undefined;
  const rows = hunks.flatMap((hunk) => hunk.rows);
  const has = (sign: Sign) => rows.some((row) => row.sign === sign);
  const sides = [search, ...(form.isBare ? [] : [withoutGutter(search, form)])].filter(
    (side) => side !== undefined && (side.length === 0 || stands(side)),
  );
  if (has('-')) {
    if (!hunks.every(({ old }) => stands(old))) return undefined;
    const whole = hunks.flatMap(({ old }) => old);
    if (!sides.some((side) => side !== undefined && isRun(side, whole))) return undefined;
    // A number below zero, a flag or an item of a list may be meant to come.
    const isTold = rows.some(({ sign, text }) => sign === '-' && text.trim().length >= minTelling);
    if (!has('+') && form.isBare && form.gutter === 2) return undefined;
    if (!has('+') && form.isBare && !isTold) return 'unclear';
    return hunks;
  }
  const [hunk] = hunks;
  if (!has('+') || hunk === undefined || hunks.length > 1) return undefined;
  const side = sides.find((one) => one !== undefined && one.length > 0 && isWithin(hunk.old, one));
  if (side === undefined) return undefined;
  const isStrict = !form.isBare && bare(hunk.old).length > 0;
  if (!isStrict && lines.some((line) => line.startsWith('+')))
    return isLikeFile(rows, search, lines) ? undefined : 'unclear';
  return isStrict || isPlain(hunk, side) ? [{ old: side, new: hunk.new }] : 'unclear';
}

/** The file has such lines itself, right here or written as these are. */
function isLikeFile(rows: Hunk['rows'], search: readonly string[], lines: readonly string[]): boolean {
  if (search.some((line) => line.startsWith('+'))) return true;
  const shapes = new Set(lines.filter((line) => line.startsWith('+')).map(shapeOf));
  return rows.every(({ sign, text }) => sign !== '+' || shapes.has(shapeOf(`+${text}`)));
}

function shapeOf(line: string): string {
  return /^\+*[ \t]*/.exec(line)?.[0] ?? '';
}

/** What comes could not as well begin with its sign: a number, an item of a list. */
function isPlain({ rows }: Hunk, side: readonly string[]): boolean {
  const fresh = rows.flatMap(({ sign, text }) => (sign === '+' && !isBlank(text) ? [text] : []));
  const isOdd = (text: string) => (/^ */.exec(text)?.[0].length ?? 0) % 2 === 1;
  if (fresh.length === 0)
    return isSame(
      rows.flatMap(({ sign, text }) => (sign === ' ' ? [text] : [])),
      side,
    );
  return !fresh.some((text) => /^\d/.test(text) || (isOdd(text) && !side.some(isOdd)));
}

function parse(
  lines: readonly string[],
  { gutter, isBare }: Form,
  stays: (line: string) => boolean,
): Hunk[] | undefined {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  const open = () => {
    hunk = { rows: [], old: [], new: [] };
    hunks.push(hunk);
    return hunk;
  };
  for (const [at, line] of lines.entries()) {
    if (/^@@/.test(line)) {
      open();
      continue;
    }
    if (isHeader(lines, at)) continue;
    const row = stays(line) ? ({ sign: ' ', text: line } as const) : rowOf(line, gutter, isBare);
    if (row === undefined) return undefined;
    const { rows, old, new: fresh } = hunk ?? open();
    rows.push(row);
    if (row.sign !== '+') old.push(row.text);
    if (row.sign !== '-') fresh.push(row.text);
  }
  const full = hunks.filter(({ rows }) => rows.length > 0);
  return full.length === 0 ? undefined : full;
}

function rowOf(line: string, gutter: number, isBare: boolean): Hunk['rows'][number] | undefined {
  const column = line.slice(0, gutter);
  const rest = line.slice(gutter);
  if (column.startsWith('-') || column.startsWith('+')) {
    return isBlank(column.slice(1)) ? { sign: column.startsWith('-') ? '-' : '+', text: rest } : undefined;
  }
  if (isBlank(line)) return { sign: ' ', text: '' };
  if (isBare) return { sign: ' ', text: line };
  return column === ' '.repeat(gutter) ? { sign: ' ', text: rest } : undefined;
}

function isHeader(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (/^(?:diff --git |index [0-9a-f]+\.\.|\\ No newline)/.test(line)) return true;
  const [first, second] = line.startsWith('--- ') ? [line, lines[at + 1]] : [lines[at - 1], line];
  return /^--- \S/.test(first ?? '') && /^\+\+\+ \S/.test(second ?? '');
}

function withoutGutter(lines: readonly string[], { gutter }: Form): string[] | undefined {
  const column = ' '.repeat(gutter);
  const isThere = lines.every((line) => isBlank(line) || line.startsWith(column));
  return isThere ? lines.map((line) => line.slice(gutter)) : undefined;
}

/** Blank lines and trailing blanks aside. */
function bare(lines: readonly string[]): string[] {
  return lines.filter((line) => !isBlank(line)).map((line) => line.trimEnd());
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return bare(a).join('\n') === bare(b).join('\n');
}

/** All lines of `part` stand in `whole` one right after another. */
function isRun(part: readonly string[], whole: readonly string[]): boolean {
  return `\n${bare(whole).join('\n')}\n`.includes(`\n${bare(part).join('\n')}${part.length === 0 ? '' : '\n'}`);
}

/** All lines of `part` stand in `whole`, in order. */
function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  const rest = bare(whole);
  let next = 0;
  return bare(part).every((line) => {
    next = rest.indexOf(line, next) + 1;
    return next > 0;
  });
}

/** More than lines that happen to begin with such signs. */
function isCertain(
  search: readonly string[],
  replace: readonly string[],
  isOwn: boolean,
  { lines }: DiffContext,
): boolean {
  const hasHeader = (side: readonly string[]) => side.some((line, at) => /^@@/.test(line) || isHeader(side, at));
  const begin = (side: readonly string[], sign: Sign) => side.some((line) => line.startsWith(sign));
  if (hasHeader(replace) || (!isOwn && hasHeader(search))) return true;
  const known = new Set(search);
  const isShifted = replace.some(
    (line) => !known.has(line) && !isBlank(line) && line.startsWith(' ') && known.has(line.slice(1)),
  );
  if (isShifted && (begin(replace, '+') || begin(replace, '-'))) return true;
  if (begin(lines, '+') || (isOwn && (begin(search, '-') || begin(search, '+')))) return false;
  return (
    begin(search, '+') || begin(replace, '+') || replace.some((line) => /^-\S/.test(line) && known.has(line.slice(1)))
  );
}
