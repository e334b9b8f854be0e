import { type Found, matchOfLines } from './find-block.ts';
import type { LineIndex } from './line-index.ts';
import { normalizeLine } from './line-tolerance.ts';
import { pairRows } from './pair-rows.ts';
import type { Row } from './rows.ts';

const none: Found = { kind: 'none' };
const maxPlacesOfRow = 40;
const maxStarts = 60;
const maxRows = 200;
const maxGap = 4;

/**
 * Finds rows whose context the model has from memory, with comments reworded or left out. All code has to match in
 * order; a line that differs must be a comment, stay on both sides, and occur nowhere else.
 */
export function findRemembered(index: LineIndex, search: readonly Row[], replace: readonly Row[]): Found {
  if (search.length < 3 || search.length > maxRows || search.some(({ isElision }) => isElision)) return none;
  const keys = search.map(({ text }) => normalizeLine(text, 'loose'));
  const pairs = pairRows(
    keys,
    replace.map(({ text }) => normalizeLine(text, 'loose')),
  );
  const stays = new Map(pairs.flatMap((before, after) => (before >= 0 ? [[before, after] as const] : [])));
  // By the places of the code: comments around it may be laid on those of the file in more than one way.
  const found = new Map<string, number[]>();
  for (const start of startsOf(index, keys)) {
    const places = align(index, { rows: search, keys, stays }, start);
    if (places === undefined) continue;
    const code = places.map((place, at) => (isComment(search[at]?.body ?? '') ? -1 : place)).join();
    const known = found.get(code);
    if (known === undefined || extent(places) < extent(known)) found.set(code, places);
  }
  const [one, other] = found.values();
  if (one === undefined) return none;
  const lines = (places: readonly number[]) => places.map((place) => index.lineAt[place] ?? -1);
  if (other !== undefined) {
    const first = (places: readonly number[]) => lines(places).find((line) => line >= 0) ?? 0;
    return { kind: 'many', lines: [one, other].map(first), matches: () => [] };
  }
  return { kind: 'one', match: matchOfLines('loose', lines(one)) };
}

function extent(places: readonly number[]): number {
  return (places.at(-1) ?? 0) - (places[0] ?? 0);
}

function startsOf(index: LineIndex, keys: readonly string[]): number[] {
  const votes = new Map<number, number>();
  keys.forEach((key, at) => {
    if (index.count('loose', key) > maxPlacesOfRow) return;
    for (const place of index.places('loose', key)) votes.set(place - at, (votes.get(place - at) ?? 0) + 1);
  });
  const likely = [...votes].sort((a, b) => b[1] - a[1]).slice(0, maxStarts / 3);
  const starts = new Set(likely.flatMap(([start]) => [start, start - 1, start + 1]));
  return [...starts].filter((start) => start >= 0 && start < index.lineAt.length).sort((a, b) => a - b);
}

interface Wanted {
  rows: readonly Row[];
  keys: readonly string[];
  stays: ReadonlyMap<number, number>;
}

function align(index: LineIndex, { rows, keys, stays }: Wanted, start: number): number[] | undefined {
  const forms = index.forms('loose');
  const line = (place: number) => index.lines[index.lineAt[place] ?? -1] ?? '';
  const places: number[] = [];
  let next = start;
  let forgiven = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (row === undefined) return undefined;
    if (forms[next] === keys[at]) {
      places.push(next++);
      continue;
    }
    const isFree = index.count('loose', keys[at] ?? '') === 0;
    forgiven++;
    if (stays.has(at) && next < forms.length && isSameButComment(row.body, line(next).trim(), isFree)) {
      places.push(next++);
      continue;
    }
    const skip = at === 0 || !followsInBoth(stays, at) ? -1 : gapTo(forms, line, next, keys[at] ?? '');
    if (skip > 0) {
      places.push(next + skip);
      next += skip + 1;
      continue;
    }
    return undefined;
  }
  const exact = rows.length - forgiven;
  return forgiven <= Math.max(1, rows.length / 3) && exact >= 2 ? places : undefined;
}

function followsInBoth(stays: ReadonlyMap<number, number>, at: number): boolean {
  const [above, here] = [stays.get(at - 1), stays.get(at)];
  return above !== undefined && here === above + 1;
}

function gapTo(forms: readonly string[], line: (place: number) => string, from: number, key: string): number {
  for (let skip = 0; skip <= maxGap; skip++) {
    if (forms[from + skip] === key) return skip;
    if (!isComment(line(from + skip).trim())) return 0;
  }
  return 0;
}

const comment =
  /^(?:\/\/|#(?!\s*(?:if|else|elif|endif|include|define|undef|pragma|ifdef|ifndef|error)\b|\[|!)|\/\*|\*(?:\s|\/|$)|<!--|--\s|;;)/;

function isComment(body: string): boolean {
  return comment.test(body);
}

function isSameButComment(shown: string, own: string, isFree: boolean): boolean {
  const [one, other] = [splitComment(shown), splitComment(own)];
  const code = normalizeLine(own.slice(0, other.codeLength), 'loose');
  const isSameCode = /[\p{L}\p{N}]/u.test(code) && code === normalizeLine(shown.slice(0, one.codeLength), 'loose');
  if (isSameCode) return one.comment === '' || isAlike(one.comment, other.comment);
  return isFree && isComment(shown) && isComment(own) && isAlike(shown, own);
}

function splitComment(body: string): { codeLength: number; comment: string } {
  const found = /\s+(?:\/\/|#)\s.*$|\s*\/\*.*\*\/\s*$/.exec(body);
  return { codeLength: found?.index ?? body.length, comment: found?.[0].trim() ?? '' };
}

function isAlike(a: string, b: string): boolean {
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).join();
  if (numbers(a) !== numbers(b)) return false;
  const [one, other] = [a.toLowerCase().split(/\s+/), b.toLowerCase().split(/\s+/)];
  const same = pairRows(one, other).filter((at) => at >= 0).length;
  return same >= 0.6 * Math.max(one.length, other.length);
}
