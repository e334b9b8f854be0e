import { blanksAround, endsTellMore, type Sides } from './blanks-around.ts';
import { expandElisions } from './expand-elisions.ts';
import { type Found, findPartial, findRows, isInWord, type Match, wholeLines } from './find-block.ts';
import { findRemembered } from './find-remembered.ts';
import { formOf, isBlank, type LineForm } from './line-forms.ts';
import type { LineIndex } from './line-index.ts';
import { type EditBlock, otherReadings, type Reading, rejoined, withoutStrayFence } from './readings.ts';
import { rewriteMatch, trimmed } from './rewrite-match.ts';
import { leastIndent } from './row-indent.ts';
import { isBareDots, looksElided, type Row, toRows } from './rows.ts';
import type { LineChange, TextLines } from './text-lines.ts';

export interface Target {
  file: TextLines;
  index: LineIndex;
  /** The lines with LF between them. */
  joined: string;
}

export type Located =
  | { kind: 'changes'; changes: LineChange[]; note?: string }
  | { kind: 'ambiguous' /** Two or more, from 0. */; lines: readonly number[] }
  | { kind: 'no-change' /** From 0. */; line?: number }
  | { kind: 'not-found' | 'empty' | 'elision' };

/** A shorter replacement may stand somewhere by chance. */
const minTelling = 40;

/** Where one block belongs and what it does there: the strictest way to read it that finds a place decides. */
export function locateBlock(target: Target, raw: EditBlock): Located {
  const block = withoutStrayFence(raw, mayHoldFence(target.joined, raw.search));
  if (block.search.trim() === '') return { kind: 'empty' };
  if (block.search === block.replace) return { kind: 'no-change' };
  const found = locate(target, block);
  if (found.kind !== 'not-found') return found;
  const before = alreadyThere(target, block, 'body');
  return before === undefined ? found : { kind: 'no-change', line: before };
}

/** A document with code fences, at a place where none is open: there one may be meant to come. */
function mayHoldFence(joined: string, search: string): boolean {
  const fences = /^[ \t]*(?:`{3}|~{3})/gm;
  if (!fences.test(joined)) return false;
  const place = joined.indexOf(search.trim());
  return place < 0 || (joined.slice(0, place).match(fences)?.length ?? 0) % 2 === 0;
}

function locate(target: Target, block: EditBlock): Located {
  const strict = (reading: Reading) =>
    inOrder([() => exactly(target, reading), () => inForms(target, reading, ['exact', 'body'])]);
  const asIs = strict(block);
  if (asIs.kind !== 'not-found') return asIs;
  // Read otherwise it might fit another place, so what was done before has to be seen first.
  const done = bringsMore(block) ? alreadyThere(target, block, 'exact') : undefined;
  if (done !== undefined) return { kind: 'no-change', line: done };
  const readings = otherReadings(block, (text) => target.joined.includes(text));
  for (const reading of readings) {
    const found = strict(reading);
    if (found.kind !== 'not-found') return found;
  }
  const bases = [block, ...readings.slice(0, 1)];
  // What does not fit with everything forgiven fits with nothing forgiven less.
  const likely = bases.filter((reading) => fitsLoosely(target, reading));
  const escaped = rejoined(block, target.file.lines);
  return inOrder([
    () => (escaped === undefined ? { kind: 'not-found' } : strict(escaped)),
    ...likely.map((reading) => () => inForms(target, reading, ['plain'])),
    ...bases.map((reading) => () => within(target, reading)),
    ...likely.map((reading) => () => inForms(target, reading, ['unescaped', 'loose'])),
    ...bases.map((reading) => () => remembered(target, reading)),
  ]);
}

function fitsLoosely({ index }: Target, reading: Reading): boolean {
  const elided = elidedSides(reading);
  const readable = [literalSides(reading), ...(elided ? [elided] : [])];
  return readable.some(({ search, replace }) => {
    const rows = expandElisions(search, replace)?.search.rows ?? search.rows;
    return findRows(index, rows, 'loose').kind !== 'none';
  });
}

function inOrder(attempts: readonly (() => Located)[]): Located {
  for (const attempt of attempts) {
    const found = attempt();
    if (found.kind !== 'not-found') return found;
  }
  return { kind: 'not-found' };
}

/** The very text, wherever on its lines it begins and ends. */
function exactly(target: Target, reading: Reading): Located {
  const { joined, file } = target;
  const places: number[] = [];
  const { search } = reading;
  for (let at = joined.indexOf(search); at >= 0 && places.length < 2; at = joined.indexOf(search, at + 1)) {
    if (!isInWord(joined, at) && !isInWord(joined, at + search.length)) places.push(at);
  }
  const [place, other] = places;
  if (place === undefined) return { kind: 'not-found' };
  const line = lineOfOffset(joined, place);
  const firstRow = lineOfOffset(joined, place + search.length - search.trimStart().length);
  if (other !== undefined) return { kind: 'ambiguous', lines: [line, lineOfOffset(joined, other)] };
  if (isApplied(joined, place, reading)) return { kind: 'no-change', line };
  const before = joined.slice(joined.lastIndexOf('\n', place - 1) + 1, place);
  const sides = literalSides(reading);
  const end = place + search.length;
  const lastLine = lineOfOffset(joined, search.endsWith('\n') ? end - 1 : end);
  const bare = (text: string) => (search.endsWith('\n') ? text.slice(0, -1) : text);
  const nextBreak = joined.indexOf('\n', search.endsWith('\n') ? end - 1 : end);
  const after = search.endsWith('\n') ? '' : joined.slice(end, nextBreak < 0 ? undefined : nextBreak);
  const elsewhere = otherPlace(target, sides, { before, after, search, firstRow });
  if (elsewhere !== undefined) return { kind: 'ambiguous', lines: [line, elsewhere] };
  const isIndented = before !== '' && isBlank(before) && /\n|^\s/.test(reading.replace);
  const cutsBlanks = isIndented || (after !== '' && isBlank(after));
  if (cutsBlanks || needsCare(reading, sides, target)) return rewriteAt(target, reading, sides, firstRow);
  if (isWrapped(target, sides, { first: line, last: lastLine })) return { kind: 'no-change', line };
  const lines = (before + bare(reading.replace) + after).split('\n');
  return changed([{ start: line, end: lastLine + 1, lines }], file.lines, reading.note, line);
}

/** A text that begins or ends within a line may as well be whole lines of another place, with their indentation forgiven. */
function otherPlace(
  { index }: Target,
  { search: { rows } }: Sides,
  { before, after, search, firstRow }: { before: string; after: string; search: string; firstRow: number },
): number | undefined {
  if ((before === '' || search.startsWith('\n')) && isBlank(after)) return undefined;
  const whole = findRows(index, rows, 'body');
  if (whole.kind === 'many') return whole.lines.find((at) => at !== firstRow);
  return whole.kind === 'one' && whole.match.first !== firstRow ? whole.match.first : undefined;
}

/** The replacement stands there already, around the place of the search: applied once more it would be there twice. */
function isApplied(joined: string, place: number, { search, replace }: Reading): boolean {
  if (!/[\p{L}\p{N}]/u.test(replace.replace(search, ''))) return false;
  for (let at = replace.indexOf(search); at >= 0; at = replace.indexOf(search, at + 1)) {
    if (at <= place && joined.startsWith(replace, place - at)) return true;
  }
  return false;
}

function literalSides({ search, replace }: Reading): Sides {
  const shown = toRows(search.split('\n'), () => false);
  const known = new Set(shown.rows.map(({ body }) => body));
  const lines = replace.split('\n').filter((line) => !isBlank(line));
  // Python's `...` as the whole of a new body is no elision.
  const bodies = new Set(
    lines.filter((line, at) => {
      const above = lines[at - 1]?.trim() ?? '';
      return isBareDots(line) && above.endsWith(':') && !known.has(above);
    }),
  );
  const isElision = (line: string) => looksElided(line) && !known.has(line.trim()) && !bodies.has(line);
  return { search: shown, replace: toRows(replace.split('\n'), isElision) };
}

function elidedSides({ search, replace }: Reading): Sides | undefined {
  const shown = toRows(search.split('\n'), looksElided);
  if (!shown.rows.some(({ isElision }) => isElision)) return undefined;
  return { search: shown, replace: toRows(replace.split('\n'), looksElided) };
}

/** Text in, text out would not do: ends that do not fit, elisions, or tabs where the file has blanks. */
function needsCare({ search, replace }: Reading, sides: Sides, { file }: Target): boolean {
  if (replace === '' || sides.replace.rows.some(({ isElision }) => isElision)) return true;
  if (sides.search.leading !== sides.replace.leading || sides.search.trailing !== sides.replace.trailing) return true;
  if (sides.search.rows[0]?.indent !== '' && sides.replace.rows[0]?.indent === '') return true;
  if (leastIndent(sides.search.rows) !== '' && leastIndent(sides.replace.rows) === '') return true;
  const isTabbed = (text: string) => /^\t/m.test(text);
  const isSpaced = (text: string) => /^ {2}/m.test(text);
  const whole = file.lines;
  if (isTabbed(replace) && !isTabbed(search))
    return !whole.some((line) => line.startsWith('\t')) && whole.some((line) => line.startsWith('  '));
  if (isSpaced(replace) && !isSpaced(search))
    return !whole.some((line) => line.startsWith('  ')) && whole.some((line) => line.startsWith('\t'));
  return false;
}

/** The exact text is known to stand here and nowhere else; only its lines are laid on those of the file. */
function rewriteAt(target: Target, reading: Reading, sides: Sides, line: number): Located {
  const { lines } = target.file;
  const lineOf: number[] = [];
  let next = line;
  for (const _row of sides.search.rows) {
    while (next < lines.length && isBlank(lines[next] ?? '')) next++;
    lineOf.push(next++);
  }
  const match = wholeLines('exact', lineOf);
  const top = lines[match.first] ?? '';
  const bottom = lines[match.last] ?? '';
  const { rows } = sides.search;
  const from = rows.length === 1 ? top.indexOf(rows[0]?.text ?? '') : top.length - (rows[0]?.text.length ?? 0);
  const prefix =
    rows.length === 1
      ? top.slice(0, from)
      : top.trimEnd().slice(0, Math.max(0, top.trimEnd().length - (rows[0]?.text.length ?? 0)));
  const lastLength = rows.length === 1 ? from + (rows[0]?.text.length ?? 0) : (rows.at(-1)?.text.length ?? 0);
  const suffix = bottom.slice(lastLength);
  const partial = { ...match, prefix: isBlank(prefix) ? '' : prefix, suffix: isBlank(suffix) ? '' : suffix };
  return rewritten(target, reading, sides, { kind: 'one', match: partial });
}

function inForms(target: Target, reading: Reading, forms: readonly LineForm[]): Located {
  const elided = elidedSides(reading);
  const readable = [literalSides(reading), ...(elided ? [elided] : [])];
  for (const form of forms) {
    for (const sides of readable) {
      const expanded = expandElisions(sides.search, sides.replace);
      const { rows } = expanded?.search ?? sides.search;
      const where = findRows(target.index, rows, form);
      if (where.kind === 'one' && !isSound(target.index, rows, where.match)) continue;
      const found = rewritten(target, reading, sides, where);
      if (found.kind !== 'not-found') return found;
    }
  }
  return { kind: 'not-found' };
}

/**
 * Where something is forgiven, the rest has to carry it: with other blank lines the indentation is no evidence any more, and a
 * bracket that lacks its comma may be any bracket.
 */
function isSound(index: LineIndex, rows: readonly Row[], { form, lineOf }: Match): boolean {
  if (form === 'exact') {
    return rows.every(({ blanksAbove, isElision }, at) => {
      const [above, here] = [lineOf[at - 1] ?? -1, lineOf[at] ?? -1];
      return isElision || above < 0 || here - above - 1 === blanksAbove;
    });
  }
  if (form !== 'loose') return true;
  return rows.every(({ text, isElision }, at) => {
    const own = index.lines[lineOf[at] ?? -1] ?? '';
    return (
      isElision || formOf(own, 'plain') === formOf(text, 'plain') || (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3
    );
  });
}

function within(target: Target, reading: Reading): Located {
  const sides = literalSides(reading);
  return inOrder(
    (['body', 'plain'] as const).map(
      (form) => () => rewritten(target, reading, sides, findPartial(target.index, sides.search.rows, form)),
    ),
  );
}

function remembered(target: Target, reading: Reading): Located {
  const sides = literalSides(reading);
  return rewritten(target, reading, sides, findRemembered(target.index, sides.search.rows, sides.replace.rows));
}

function rewritten(target: Target, { note }: Reading, sides: Sides, found: Found): Located {
  if (found.kind === 'none') return { kind: 'not-found' };
  if (found.kind === 'many') return { kind: 'ambiguous', lines: found.lines };
  const expanded = expandElisions(sides.search, sides.replace);
  if (expanded === undefined) return { kind: 'elision' };
  const { lines } = target.file;
  const { match } = found;
  if (isWrapped(target, expanded, match)) return { kind: 'no-change', line: match.first };
  const changes = rewriteMatch({ lines, match, ...expanded });
  const withEnds = changes.length === 0 || sides.replace.rows.length === 0 || endsTellMore(sides);
  const all = withEnds ? [...changes, ...blanksAround(sides, match, lines, changes.length === 0)] : changes;
  if (isRepeated(all, lines)) return { kind: 'no-change', line: match.first };
  all.sort((a, b) => a.start - b.start);
  return changed(all, lines, note, match.first);
}

/** The search stands within what the replacement has already made of it. */
function isWrapped(
  { index }: Target,
  { search, replace }: Sides,
  { first, last }: Pick<Match, 'first' | 'last'>,
): boolean {
  if (replace.rows.length <= search.rows.length) return false;
  const there = findRows(index, replace.rows, 'body');
  return there.kind === 'one' && there.match.first <= first && there.match.last >= last;
}

/** All that the block does is to bring lines that stand right there already. */
function isRepeated(changes: readonly LineChange[], lines: readonly string[]): boolean {
  return (
    changes.length > 0 &&
    changes.every(({ start, end, lines: fresh }) => {
      if (start !== end || !fresh.some((line) => /[\p{L}\p{N}]/u.test(line))) return false;
      const stands = (from: number) => from >= 0 && fresh.every((line, at) => lines[from + at]?.trim() === line.trim());
      return stands(start) || stands(start - fresh.length);
    })
  );
}

function changed(
  changes: readonly LineChange[],
  lines: readonly string[],
  note: string | undefined,
  line: number,
): Located {
  const real = trimmed(changes, lines);
  return real.length === 0 ? { kind: 'no-change', line } : { kind: 'changes', changes: real, note };
}

/** Enough that the search does not show, to know it again in the file. */
function bringsMore({ search, replace }: EditBlock): boolean {
  const fresh = replace.split('\n').filter((line) => !search.includes(line.trim()));
  return fresh.join('').trim().length >= minTelling;
}

/** First line of the replacement, when it stands in the file once and as a whole; not when it is too little to tell. */
function alreadyThere({ index }: Target, { replace }: EditBlock, form: 'exact' | 'body'): number | undefined {
  const { rows } = toRows(replace.split('\n'), () => false);
  if (!rows.some(({ body }) => /[\p{L}\p{N}]{2}/u.test(body))) return undefined;
  const found = findRows(index, rows, form);
  return found.kind === 'one' ? found.match.first : undefined;
}

function lineOfOffset(joined: string, offset: number): number {
  let line = 0;
  for (let at = joined.indexOf('\n'); at >= 0 && at < offset; at = joined.indexOf('\n', at + 1)) line++;
  return line;
}
