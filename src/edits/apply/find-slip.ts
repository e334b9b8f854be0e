import { type Match, matchOfLines } from '../match/find-block.ts';
import type { LineIndex } from '../match/line-index.ts';
import { normalizeLine } from '../match/line-tolerance.ts';
import type { Row } from '../match/rows.ts';

const maxWrong = 2;
const lettersPerWrong = 3;
const maxRows = 200;
const maxStarts = 500;

/**
 * Finds rows of which one differs from the file's line by a letter or two, as a model misspells what it copies;
 * digits and signs must be equal. Returns undefined where a second match might be meant, or where the word is another
 * word of the file.
 */
export function findSlip(index: LineIndex, rows: readonly Row[]): { match: Match; row: number } | undefined {
  if (rows.length === 0 || rows.length > maxRows || rows.some(({ isElision }) => isElision)) return undefined;
  const keys = rows.map(({ text }) => normalizeLine(text, 'plain'));
  const forms = index.forms('plain');
  const near: { start: number; row: number }[] = [];
  for (const start of startsOf(index, keys)) {
    const row = onlyOther(keys, forms, start);
    if (row === undefined || distance(keys[row] ?? '', forms[start + row] ?? '') > maxWrong) continue;
    near.push({ start, row });
    if (near.length > 1) return undefined;
  }
  const [one] = near;
  if (one === undefined) return undefined;
  const { start, row } = one;
  const [written = '', there = ''] = [keys[row], forms[start + row]];
  // The end or the beginning of a word is no word misspelt, and one in another case is another name.
  if (keys.length === 1 && there.includes(written)) return undefined;
  if (written.toLowerCase() === there.toLowerCase() || !isMisspelt(written, there, index)) return undefined;
  return {
    match: matchOfLines(
      'plain',
      rows.map((_row, at) => index.lineAt[start + at] ?? -1),
    ),
    row,
  };
}

function startsOf(index: LineIndex, keys: readonly string[]): Iterable<number> {
  if (keys.length === 1) return index.lineAt.keys();
  const counts = keys.map((key) => index.count('plain', key));
  const known = [...keys.keys()].filter((at) => (counts[at] ?? 0) > 0);
  known.sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
  const starts = known
    .slice(0, 2)
    .flatMap((at) => index.places('plain', keys[at] ?? '', maxStarts).map((place) => place - at));
  return new Set(starts.filter((start) => start >= 0 && start + keys.length <= index.lineAt.length));
}

function onlyOther(keys: readonly string[], forms: readonly string[], start: number): number | undefined {
  let other: number | undefined;
  for (let at = 0; at < keys.length; at++) {
    if (keys[at] === forms[start + at]) continue;
    if (other !== undefined) return undefined;
    other = at;
  }
  return other;
}

function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > maxWrong) return maxWrong + 1;
  let head = 0;
  while (head < a.length && a[head] === b[head]) head++;
  let tail = 0;
  const shorter = Math.min(a.length, b.length) - head;
  while (tail < shorter && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [one, other] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  return edits(one, other, maxWrong);
}

function edits(a: string, b: string, left: number): number {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  const [one, other] = [a.slice(same), b.slice(same)];
  if (one === '' || other === '') return one.length + other.length;
  if (left === 0) return 1;
  const isSwapped = one[0] === other[1] && one[1] === other[0];
  const ways = [
    edits(one.slice(1), other.slice(1), left - 1),
    edits(one.slice(1), other, left - 1),
    edits(one, other.slice(1), left - 1),
    ...(isSwapped ? [edits(one.slice(2), other.slice(2), left - 1)] : []),
  ];
  return 1 + Math.min(...ways);
}

const words = /\p{L}[\p{L}\p{M}]*/gu;
const names = /[\p{L}\p{M}\p{N}_$]+/gu;
const partsOfName = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lm}\p{Lt}]+/gu;

function isMisspelt(shown: string, own: string, index: LineIndex): boolean {
  const all = (text: string, pattern: RegExp): readonly string[] => text.match(pattern) ?? [];
  const [wrong, right] = [all(shown, words), all(own, words)];
  if (shown.replace(words, 'a') !== own.replace(words, 'a') || wrong.length !== right.length) return false;
  const ownNames = all(own, names);
  const isOther = all(shown, names).some(
    (name, at) => name !== ownNames[at] && has(index.lines, name, (line) => all(line, names)),
  );
  if (isOther) return false;
  return wrong.every((word, at) => {
    const meant = right[at] ?? '';
    if (word === meant) return true;
    if (distance(word, meant) * lettersPerWrong > Math.max(word.length, meant.length)) return false;
    const known = new Set(partsOf(meant));
    return partsOf(word).every((part) => known.has(part) || !has(index.lines, part, partsOf));
  });
}

function partsOf(text: string): readonly string[] {
  return (text.match(partsOfName) ?? []).map((part) => part.toLowerCase());
}

function has(lines: readonly string[], word: string, split: (line: string) => readonly string[]): boolean {
  const plain = word.toLowerCase();
  return lines.some((line) => line.toLowerCase().includes(plain) && split(line).includes(word));
}
