import type { Match } from './find-block.ts';
import { composed, indentOf, type NormalizedUnits, normalizedUnits, normalizeLine } from './line-tolerance.ts';
import { counterpartsOf, pairRows } from './pair-rows.ts';
import { createRowIndent } from './row-indent.ts';
import type { Row, Rows } from './rows.ts';
import type { LineChange } from './text-lines.ts';

export interface Rewrite {
  lines: readonly string[];
  match: Match;
  search: Rows;
  /** Elisions in it have partners in the search, in the same order. */
  replace: Rows;
}

type Item = number | string;

/** Lines that are on both sides of the block stay as the file has them; others get the file's indentation. */
export function rewriteMatch(given: Rewrite): LineChange[] {
  const rewrite = { ...given, match: withOwnComment(given) };
  const { lines, match, search, replace } = rewrite;
  const pairs = pairsOf(rewrite);
  const counterparts = counterpartsOf(search.rows, replace.rows, pairs);
  const indent = createRowIndent({ ...rewrite, pairs });
  const respell = createRespelling(rewrite);
  const areBlanksCopied = copiesBlanks(rewrite);
  const blank = (row: Row, at: number) => (areBlanksCopied ? (row.blankLines[at] ?? '') : '');
  const out: Item[] = [];
  let lastKept = match.first - 1;
  const keep = (line: number) => {
    if (line <= lastKept) return;
    out.push(line);
    lastKept = line;
  };
  const blanks = (row: Row, model: number) => {
    const above = model > 0 ? linesBetween(match, search.rows, model) : [];
    const shown = search.rows[model]?.blanksAbove ?? 0;
    const isFree = above.every((line) => line > lastKept);
    const wanted = isFree ? Math.max(0, above.length + row.blanksAbove - shown) : row.blanksAbove;
    const count = row.blanksAbove === shown ? above.length : wanted;
    for (const line of isFree ? above.slice(0, count) : []) keep(line);
    for (let more = isFree ? above.length : 0; more < count; more++) out.push(blank(row, more));
  };
  replace.rows.forEach((row, at) => {
    const partner = pairs[at] ?? -1;
    const model = partner >= 0 ? partner : (counterparts[at] ?? -1);
    if (row.isElision) {
      for (const line of hiddenLines(match, search.rows, partner)) keep(line);
      return;
    }
    const line = match.lineOf[model] ?? -1;
    if (partner >= 0 && line < 0) return;
    if (at > 0) {
      // Behind a line that stays, the blank lines are those behind that line.
      const behind = (pairs[at - 1] ?? -1) + 1;
      const shown = search.rows[behind]?.blanksAbove;
      const isTaken =
        replace.rows[pairs.indexOf(behind, at + 1)]?.blanksAbove === shown && pairs.includes(behind, at + 1);
      const isBehind = behind > 0 && shown === row.blanksAbove && !isTaken;
      if (isBehind) blanks(row, behind);
      else if (model >= 0 && line >= 0) blanks(row, model);
      else for (let more = 0; more < row.blanksAbove; more++) out.push(blank(row, more));
    }
    out.push(...content(rewrite, { row, at, model, partner, line, indent, keep, respell }));
  });
  if (replace.rows.length === 0 && match.prefix + match.suffix !== '') out.push(match.prefix + match.suffix);
  return trimmed(toChanges(out, match), lines);
}

function withOwnComment({ match, search, replace }: Rewrite): Match {
  const last = search.rows.at(-1)?.body;
  const stays = replace.rows.some(({ body }) => body === last);
  return stays && trailingComment.test(match.suffix) ? { ...match, suffix: '' } : match;
}

export const trailingComment = /^\s+(?:\/\/|#)\s/;

interface Place {
  row: Row;
  at: number;
  model: number;
  partner: number;
  line: number;
  indent: (row: Row, at: number) => string;
  keep: (line: number) => void;
  respell: (body: string) => string;
}

function content(
  { lines, match, search, replace }: Rewrite,
  { row, at, model, partner, line, indent, keep, respell }: Place,
): string[] {
  const own = lines[line] ?? '';
  const shown = search.rows[model];
  const isTop = at === 0 && match.prefix !== '';
  const isBottom = at === replace.rows.length - 1 && match.suffix !== '';
  if (partner >= 0 && shown !== undefined) {
    const isAlike = staysAlike(row, shown, own);
    const isBreak = row.trail === lineBreak && shown.trail === '' && trailOf(own) === '';
    const isInPlace = isTop || isBottom || row.indent === shown.indent || indent(row, at) === indentOf(own);
    if (isAlike && isInPlace && !isBreak) {
      keep(line);
      return [];
    }
    if (!isTop && !isBottom) {
      const trail = isBreak ? row.trail : trailOf(own);
      return [
        (row.indent === shown.indent ? indentOf(own) : indent(row, at)) + (isAlike ? own.trim() : row.body) + trail,
      ];
    }
  }
  const wanted = respell(row.body);
  const body = shown === undefined ? wanted : merged(wanted, shown.body, own.trim(), match);
  // Trailing blanks that neither side shows otherwise than the other are the file's.
  const trail = isBottom || row.trail !== shown?.trail ? row.trail : trailOf(own);
  return [(isTop ? match.prefix : indent(row, at)) + body + trail + (isBottom ? match.suffix : '')];
}

const lineBreak = '  ';

function trailOf(line: string): string {
  return line.slice(line.trimEnd().length);
}

function staysAlike(row: Row, shown: Row, own: string): boolean {
  const [wanted, known, there] = [row.body, shown.body, own.trim()].map(composed);
  return wanted === known || wanted === there || known !== there;
}

/** A typographic sign for which the file always has one and the same other sign is wrong in new lines as well. */
function createRespelling({ lines, match, search }: Rewrite): (body: string) => string {
  const signs = new Map<string, string>();
  search.rows.forEach(({ body, isElision }, at) => {
    const own = (lines[match.lineOf[at] ?? -1] ?? '').trim();
    if (isElision || body === own || !/\P{ASCII}/u.test(body)) return;
    const [from, to] = [normalizedUnits(body, match.form), normalizedUnits(own, match.form)];
    if (from.units.join('') !== to.units.join('')) return;
    from.units.forEach((_unit, unit) => {
      const [sign, meant] = [unitAt(body, from, unit), unitAt(own, to, unit)];
      if (/^\P{ASCII}$/u.test(sign) && meant.length === 1)
        signs.set(sign, (signs.get(sign) ?? meant) === meant ? meant : sign);
    });
  });
  return (body) => body.replace(/\P{ASCII}/gu, (sign) => signs.get(sign) ?? sign);
}

function unitAt(text: string, { starts }: NormalizedUnits, unit: number): string {
  return text.slice(starts[unit], starts[unit + 1]);
}

/** Applies the change from `shown` to `wanted` to the file's own line, where they differ in spelling. */
function merged(wanted: string, shown: string, own: string, match: Match): string {
  if (shown === own) return wanted;
  const [from, to, file] = [
    normalizedUnits(shown, match.form),
    normalizedUnits(wanted, match.form),
    normalizedUnits(own, match.form),
  ];
  if (from.units.join('') !== file.units.join('')) return wanted;
  const shorter = Math.min(from.units.length, to.units.length);
  let head = 0;
  while (head < shorter && from.units[head] === to.units[head]) head++;
  let tail = 0;
  while (tail < shorter - head && from.units.at(-1 - tail) === to.units.at(-1 - tail)) tail++;
  if (head + tail < shorter / 2) return wanted;
  const isCut = ({ starts }: NormalizedUnits, at: number) => at > 0 && starts[at] === starts[at - 1];
  while (isCut(file, head) || isCut(to, head)) head--;
  while (tail > 0 && (isCut(file, file.units.length - tail) || isCut(to, to.units.length - tail))) tail--;
  const end = file.starts[file.units.length - tail] ?? own.length;
  const middle = wanted.slice(to.starts[head] ?? 0, to.starts[to.units.length - tail] ?? wanted.length);
  return own.slice(0, file.starts[head] ?? 0) + middle + own.slice(end);
}

function pairsOf({ match, search, replace }: Rewrite): number[] {
  const form = match.form === 'exact' ? 'body' : match.form;
  let elisions = 0;
  const key = (row: Row) => (row.isElision ? `\0${elisions++}` : normalizeLine(row.text, form));
  const before = search.rows.map(key);
  elisions = 0;
  const after = replace.rows.map(key);
  // A line of which the search has only a part cannot move.
  if (match.prefix !== '' && before[0] !== after[0]) before[0] = '\0first';
  if (match.suffix !== '' && before.at(-1) !== after.at(-1)) before[before.length - 1] = '\0last';
  return pairRows(before, after);
}

function copiesBlanks({ lines, match, search: { rows } }: Rewrite): boolean {
  return rows.every(({ blankLines }, at) => {
    const above = linesBetween(match, rows, at);
    return blankLines.every((text, blank) => lines[above[blank] ?? -1] === text);
  });
}

function linesBetween(match: Match, rows: readonly Row[], at: number): number[] {
  if (rows[at - 1]?.isElision) return [];
  const to = match.lineOf[at] ?? -1;
  let above = at - 1;
  while (above >= 0 && (match.lineOf[above] ?? -1) < 0) above--;
  const from = match.lineOf[above] ?? to;
  return Array.from({ length: Math.max(0, to - from - 1) }, (_, offset) => from + 1 + offset);
}

function hiddenLines(match: Match, rows: readonly Row[], at: number): number[] {
  // Of several in a row the first one stands for all.
  if (at <= 0 || at >= rows.length - 1 || rows[at - 1]?.isElision) return [];
  const from = match.lineOf[at - 1] ?? 0;
  const to = match.lineOf.slice(at + 1).find((line) => line >= 0) ?? 0;
  return Array.from({ length: Math.max(0, to - from - 1) }, (_, offset) => from + 1 + offset);
}

function toChanges(items: readonly Item[], { first, last }: Match): LineChange[] {
  const changes: LineChange[] = [];
  let next = first;
  let fresh: string[] = [];
  const close = (until: number) => {
    changes.push({ start: next, end: until, lines: fresh });
    fresh = [];
  };
  for (const item of items) {
    if (typeof item === 'string') {
      fresh.push(item);
      continue;
    }
    close(item);
    next = item + 1;
  }
  close(last + 1);
  return changes;
}

export function trimmed(changes: readonly LineChange[], lines: readonly string[]): LineChange[] {
  return changes.flatMap((change) => {
    let { start, end } = change;
    let [from, to] = [0, change.lines.length];
    while (start < end && from < to && lines[start] === change.lines[from]) {
      start++;
      from++;
    }
    while (start < end && from < to && lines[end - 1] === change.lines[to - 1]) {
      end--;
      to--;
    }
    return start === end && from === to ? [] : [{ start, end, lines: change.lines.slice(from, to) }];
  });
}
