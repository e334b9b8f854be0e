import { rowsOfBlock, sidesOf } from '../apply/block-rows.ts';
import { readExactly } from '../apply/exact-text.ts';
import { findSlip } from '../apply/find-slip.ts';
import { type Located, rewritten, type Target } from '../apply/make-changes.ts';
import { quotedPair } from './describe-nearest.ts';
import { expandElisions } from './expand-elisions.ts';
import { findPartial, findRows, type Match, matchOfLines } from './find-block.ts';
import { findRemembered } from './find-remembered.ts';
import type { LineIndex } from './line-index.ts';
import { type LineTolerance, normalizeLine } from './line-tolerance.ts';
import { pairRows } from './pair-rows.ts';
import { type EditBlock, noted, otherReadings, type Reading, rejoined, withoutStrayFence } from './readings.ts';
import { type Row, toRows } from './rows.ts';

const minDistinct = 40;

/** Locates one block and determines its changes: the strictest reading that finds a match decides. */
export function locateBlock(target: Target, raw: EditBlock): Located {
  const block = withoutStrayFence(raw, target.joined);
  if (block === undefined) return { kind: 'fence' };
  if (block.search.trim() === '') return { kind: 'empty' };
  if (block.search === block.replace) return { kind: 'no-change' };
  const readings = otherReadings(block, (text) => target.joined.includes(text)).map((reading) => ({
    ...reading,
    replaceAll: block.replaceAll,
  }));
  const found = locate(target, block, readings);
  if (found.kind !== 'not-found') return found;
  const before = alreadyThere(target, block, 'body');
  const bases = [block, ...readings.slice(0, 1)];
  const wrong = inOrder([misspelt, forgotten].flatMap((find) => bases.map((one) => () => find(target, one, before))));
  return wrong.kind === 'not-found' && before !== undefined ? { kind: 'no-change', line: before } : wrong;
}

function locate(target: Target, block: EditBlock, readings: readonly Reading[]): Located {
  const forms: LineTolerance[] = block.replaceAll ? ['body'] : ['exact', 'body'];
  const strict = (reading: Reading) =>
    inOrder([() => readExactly(target, reading), () => inForms(target, reading, forms)]);
  const asIs = strict(block);
  if (asIs.kind !== 'not-found') return asIs;
  // A lenient reading might fit another place, so a block that was applied before is recognized first.
  const done = bringsMore(block) ? alreadyThere(target, block, 'exact') : undefined;
  if (done !== undefined) return { kind: 'no-change', line: done };
  for (const reading of readings) {
    const found = strict(reading);
    if (found.kind !== 'not-found') return found;
  }
  const bases = [block, ...readings.slice(0, 1)];
  // Where even the loosest form does not fit, no stricter one does.
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
  return sidesOf(reading, index).some(({ search, replace }) => {
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

function inForms(target: Target, reading: Reading, forms: readonly LineTolerance[]): Located {
  const readable = sidesOf(reading, target.index);
  for (const sides of readable) {
    for (const form of forms) {
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
 * Returns whether the rest of a forgiving match is evidence enough: with other blank lines the indentation proves
 * nothing, and a bracket that lacks its comma may be any bracket.
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
      isElision ||
      normalizeLine(own, 'plain') === normalizeLine(text, 'plain') ||
      (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3
    );
  });
}

function within(target: Target, reading: Reading): Located {
  const sides = rowsOfBlock(reading, target.index);
  return inOrder(
    (['body', 'plain'] as const).map(
      (form) => () => rewritten(target, reading, sides, findPartial(target.index, sides.search.rows, form)),
    ),
  );
}

function remembered(target: Target, reading: Reading): Located {
  const sides = rowsOfBlock(reading, target.index);
  return rewritten(target, reading, sides, findRemembered(target.index, sides.search.rows, sides.replace.rows));
}

/**
 * Locates a block with one misspelled line. Where the replacement leaves that line as it is, the file's
 * spelling stays; where it changes the line, the model's is written. Where the replacement occurs elsewhere already (`before`), the block was applied there.
 */
function misspelt(target: Target, reading: Reading, before: number | undefined): Located {
  const sides = rowsOfBlock(reading, target.index);
  const { rows } = sides.search;
  const slip = findSlip(target.index, rows);
  if (slip === undefined) return { kind: 'not-found' };
  if (before !== undefined && (before < slip.match.first || before > slip.match.last)) return { kind: 'not-found' };
  const line = slip.match.lineOf[slip.row] ?? 0;
  const [own, shown] = quotedPair((target.index.lines[line] ?? '').trim(), rows[slip.row]?.body ?? '');
  const said = `line ${line + 1} reads ${own}, search had ${shown}`;
  return rewritten(target, noted(reading, said), sides, { kind: 'one', match: slip.match });
}

function forgotten(target: Target, reading: Reading, before: number | undefined): Located {
  const sides = rowsOfBlock(reading, target.index);
  const found = findForgotten(target.index, sides.search.rows, sides.replace.rows);
  if (found === undefined) return { kind: 'not-found' };
  if (before !== undefined && (before < found.match.first || before > found.match.last)) return { kind: 'not-found' };
  const said = `line ${found.line + 1} was not in search and stays`;
  return rewritten(target, noted(reading, said), sides, { kind: 'one', match: found.match });
}

/** Bounds the search cost, because each line of one side is searched in all of the other. */
const maxLetters = 32 * 1024 * 1024;

function bringsMore({ search, replace }: EditBlock): boolean {
  let fresh = '';
  let letters = 0;
  for (const line of replace.split('\n')) {
    letters += search.length;
    if (letters > maxLetters) return false;
    if (search.includes(line.trim())) continue;
    fresh += line;
    if (fresh.trim().length >= minDistinct) return true;
  }
  return false;
}

/** Returns the line of the only whole occurrence of the replacement; undefined when that is too short as evidence. */
function alreadyThere({ index }: Target, { search, replace }: EditBlock, form: 'exact' | 'body'): number | undefined {
  const bodies = (text: string) => toRows(text.split('\n')).rows.map(({ body }) => `${body}\n`);
  // What the search shows too was there before.
  if (`\n${bodies(search).join('')}`.includes(`\n${bodies(replace).join('')}`)) return undefined;
  const { rows } = toRows(replace.split('\n'));
  if (!rows.some(({ body }) => /[\p{L}\p{N}]{2}/u.test(body))) return undefined;
  const found = findRows(index, rows, form);
  return found.kind === 'one' ? found.match.first : undefined;
}

const minRows = 6;
const maxRows = 200;
const maxPlacesOfRow = 40;

/**
 * Finds rows that lack exactly one line of the file, where all others match in order at one position only. The lines
 * around the gap must follow each other in the replacement, so that what is between them is neither changed nor
 * known.
 */
function findForgotten(
  index: LineIndex,
  search: readonly Row[],
  replace: readonly Row[],
): { match: Match; line: number } | undefined {
  if (search.length < minRows || search.length > maxRows || search.some(({ isElision }) => isElision)) return undefined;
  const keys = search.map(({ text }) => normalizeLine(text, 'plain'));
  const forms = index.forms('plain');
  const found = [...startsOf(index, keys)].flatMap((start) => {
    const gap = keys.findIndex((key, at) => key !== forms[start + at]);
    const isOne = gap > 0 && keys.slice(gap).every((key, at) => key === forms[start + gap + 1 + at]);
    return isOne ? [{ start, gap }] : [];
  });
  const [one, other] = found;
  if (one === undefined || other !== undefined) return undefined;
  const fresh = replace.map(({ text }) => normalizeLine(text, 'plain'));
  const pairs = pairRows(keys, fresh);
  const above = pairs.indexOf(one.gap - 1);
  if (above < 0 || pairs[above + 1] !== one.gap || fresh.includes(forms[one.start + one.gap] ?? '')) return undefined;
  const places = keys.map((_key, at) => one.start + at + (at < one.gap ? 0 : 1));
  const lines = places.map((place) => index.lineAt[place] ?? -1);
  return { match: matchOfLines('plain', lines), line: index.lineAt[one.start + one.gap] ?? -1 };
}

function startsOf(index: LineIndex, keys: readonly string[]): Set<number> {
  const counts = keys.map((key) => index.count('plain', key));
  const least = Math.min(...counts);
  if (least === 0 || least > maxPlacesOfRow) return new Set();
  const rarest = counts.indexOf(least);
  const places = index.places('plain', keys[rarest] ?? '');
  return new Set(places.flatMap((place) => [place - rarest, place - rarest - 1]).filter((start) => start >= 0));
}
