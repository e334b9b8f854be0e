import { findRows, matchOfLines, offsetsOfWord } from '../match/find-block.ts';
import { composed, isBlank } from '../match/line-tolerance.ts';
import { noted, type Reading } from '../match/readings.ts';
import { trailingComment } from '../match/rewrite-match.ts';
import { leastIndent } from '../match/row-indent.ts';
import type { LineChange } from '../match/text-lines.ts';
import { type BlockRows, rowsOfBlock } from './block-rows.ts';
import { changed, isWrapped, type Located, rewritten, type Target } from './make-changes.ts';

export function readExactly(target: Target, reading: Reading): Located {
  const { joined } = target;
  const { search, replaceAll } = reading;
  const places = offsetsOfWord(joined, search, replaceAll ? Number.POSITIVE_INFINITY : 2);
  const [place, other] = places;
  if (place === undefined) return { kind: 'not-found' };
  if (!replaceAll && other !== undefined)
    return { kind: 'ambiguous', lines: [breaksIn(joined, 0, place), breaksIn(joined, 0, other)] };
  const told = replaceAll ? noted(reading, countOf(joined, search, places.length)) : reading;
  return other === undefined ? atOnly(target, told, place) : everywhere(target, told, places);
}

function countOf(joined: string, search: string, count: number): string {
  const all = Math.max(count, joined.split(search).length - 1);
  return `${count} of ${all} places${count < all ? ', without those within a longer word' : ''}`;
}

function everywhere({ joined, file }: Target, reading: Reading, places: readonly number[]): Located {
  const bare = (side: string) => side.replace(/\n$/, '');
  const [search, replace] = [bare(reading.search), bare(reading.replace)];
  const changes: LineChange[] = [];
  let open: { start: number; end: number; text: string; next: number } | undefined;
  let line = 0;
  let counted = 0;
  const close = () => {
    if (open === undefined) return;
    const { start, end, text, next } = open;
    const whole = text + joined.slice(next, endOfLine(joined, next));
    changes.push({ start, end: end + 1, lines: whole === '' && replace === '' ? [] : whole.split('\n') });
  };
  for (const place of places) {
    if ((open !== undefined && place < open.next) || isApplied(joined, place, reading)) continue;
    line += breaksIn(joined, counted, place);
    counted = place;
    if (open !== undefined && line > open.end) {
      close();
      open = undefined;
    }
    const from: number = open?.next ?? joined.lastIndexOf('\n', place - 1) + 1;
    open = {
      start: open?.start ?? line,
      end: line + breaksIn(joined, place, place + search.length),
      text: (open?.text ?? '') + joined.slice(from, place) + replace,
      next: place + search.length,
    };
  }
  close();
  return changed(changes, file.lines, reading.note, changes[0]?.start ?? breaksIn(joined, 0, places[0] ?? 0));
}

function breaksIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

function atOnly(target: Target, reading: Reading, place: number): Located {
  const { joined, file } = target;
  const { search, replace } = reading;
  const line = breaksIn(joined, 0, place);
  const sides = rowsOfBlock(reading, target.index);
  const isSpacing = changesBlanksOnly(reading, sides);
  if (!isSpacing && isApplied(joined, place, reading)) return { kind: 'no-change', line };
  const end = place + search.length;
  const before = joined.slice(joined.lastIndexOf('\n', place - 1) + 1, place);
  const after = search.endsWith('\n') ? '' : joined.slice(end, endOfLine(joined, end));
  const firstRow = breaksIn(joined, 0, end - search.trimStart().length);
  const elsewhere = otherPlace(target, sides, { before, after, search, firstRow });
  // Whole lines that differ by their indentation alone are equal places.
  if (elsewhere !== undefined && reading.replaceAll && isBlank(before)) return { kind: 'not-found' };
  if (elsewhere !== undefined && !reading.replaceAll) return { kind: 'ambiguous', lines: [line, elsewhere] };
  const hasEnd = search.endsWith('\n');
  const isInLine = !isBlank(before) || (!isBlank(after) && !trailingComment.test(after));
  const isWhole = !sides.replace.rows.some(({ isElision }) => isElision) && hasEnd === replace.endsWith('\n');
  const isMeant = reading.isVerbatim || isSpacing || (isInLine && isWhole);
  if (!isMeant) {
    const isIndented = before !== '' && /\n|^\s/.test(replace);
    if (isIndented || after !== '' || needsCare(reading, sides)) return rewriteAt(target, reading, sides, firstRow);
    const kept = losesUnseen(reading) ? rewriteAt(target, reading, sides, firstRow) : undefined;
    if (kept !== undefined && kept.kind !== 'no-change') return kept;
  }
  const isJoined = hasEnd && isSpacing && !replace.endsWith('\n');
  const lastLine = breaksIn(joined, 0, hasEnd && !isJoined ? end - 1 : end);
  if (!isSpacing && isWrapped(target, sides, { first: line, last: lastLine })) return { kind: 'no-change', line };
  const fresh = hasEnd && !isJoined ? replace.slice(0, -1) : replace;
  const rest = isJoined ? joined.slice(end, endOfLine(joined, end)) : after;
  const lines = before + fresh + rest === '' ? [] : (before + fresh + rest).split('\n');
  return changed([{ start: line, end: lastLine + 1, lines }], file.lines, reading.note, line);
}

/**
 * Returns whether only blanks differ between the sides. Only then does a line end more or less count, because models
 * differ in it without meaning it. Column 0 is not meant where the blank lines change as well.
 */
function changesBlanksOnly({ search, replace }: Reading, sides: BlockRows): boolean {
  if (movesToMargin(sides)) return false;
  const bodies = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const [old, fresh] = [bodies(search), bodies(replace)];
  const letters = (lines: readonly string[]) =>
    old.length === 1 ? lines.join('').replace(/\s+/g, '') : lines.join('\n');
  const isEndAlone = search.trimEnd() === replace.trimEnd();
  return letters(old) === letters(fresh) && (isEndAlone || search.endsWith('\n') === replace.endsWith('\n'));
}

function movesToMargin({ search, replace }: BlockRows): boolean {
  const isMoved = search.rows[0]?.indent !== replace.rows[0]?.indent;
  const isAtMargin = search.rows[0]?.indent === '' || replace.rows[0]?.indent === '';
  const areBlanksKept = replace.rows.every(({ blanksAbove }, at) => search.rows[at]?.blanksAbove === blanksAbove);
  return isMoved && isAtMargin && !areBlanksKept;
}

/**
 * Returns another place that may be meant: a text that begins or ends within a line may also match whole lines
 * elsewhere, with other indentation.
 */
function otherPlace(
  { index }: Target,
  { search: { rows } }: BlockRows,
  { before, after, search, firstRow }: { before: string; after: string; search: string; firstRow: number },
): number | undefined {
  if ((before === '' || search.startsWith('\n')) && isBlank(after)) return undefined;
  const whole = findRows(index, rows, 'body');
  if (whole.kind === 'many') return whole.lines.find((at) => at !== firstRow);
  return whole.kind === 'one' && whole.match.first !== firstRow ? whole.match.first : undefined;
}

const minDistinct = 40;

/** Returns whether the replacement already surrounds the match: applied again, it would be there twice. */
function isApplied(joined: string, place: number, { search, replace }: Reading): boolean {
  if (search.length < minDistinct && !/[\p{L}\p{N}]/u.test(replace.replace(search, ''))) return false;
  for (let at = replace.indexOf(search); at >= 0; at = replace.indexOf(search, at + 1)) {
    if (at <= place && joined.startsWith(replace, place - at)) return true;
  }
  return false;
}

function needsCare({ replace }: Reading, sides: BlockRows): boolean {
  const isFlat = (side: BlockRows['search']) => side.rows.every(({ indent }) => indent === '');
  if (sides.replace.rows.length > 1 && isFlat(sides.replace) && !isFlat(sides.search)) return true;
  if (replace === '' || sides.replace.rows.some(({ isElision }) => isElision)) return true;
  if (sides.search.leading !== sides.replace.leading || sides.search.trailing !== sides.replace.trailing) return true;
  if (sides.search.rows[0]?.indent !== '' && sides.replace.rows[0]?.indent === '') return true;
  return leastIndent(sides.search.rows) !== '' && leastIndent(sides.replace.rows) === '';
}

function losesUnseen({ search, replace }: Reading): boolean {
  const shown = new Map(search.split('\n').map((line) => [composed(line.trimEnd()), line]));
  const lines = new Set(shown.values());
  return replace.split('\n').some((line) => {
    const own = isBlank(line) || lines.has(line) ? undefined : shown.get(composed(line.trimEnd()));
    return own !== undefined && (own.length > line.length || own.trimEnd() !== line.trimEnd());
  });
}

function rewriteAt(target: Target, reading: Reading, sides: BlockRows, line: number): Located {
  const { lines } = target.file;
  const lineOf: number[] = [];
  let next = line;
  for (const _row of sides.search.rows) {
    while (next < lines.length && isBlank(lines[next] ?? '')) next++;
    lineOf.push(next++);
  }
  const match = matchOfLines('exact', lineOf);
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
