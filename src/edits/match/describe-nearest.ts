import type { LineIndex } from './line-index.ts';
import { isBlank, normalizeLine } from './line-tolerance.ts';
import { sharedEnds } from './pair-rows.ts';

const maxQuoted = 120;
/** When no line of the block is in the file, only this many lines are compared word by word. */
const maxCompared = 4000;
const maxStarts = 20;

/**
 * Returns where the search nearly matches and the first line that differs, so that a model can repair its block
 * without reading much.
 */
export function describeNearest(index: LineIndex, search: string): string {
  const longer = longerWord(index.lines.join('\n'), search);
  if (longer !== undefined) return longer;
  const wanted = search.split('\n').filter((line) => !isBlank(line));
  const start = nearestStart(index, wanted);
  if (start === undefined) return 'Nothing in the file is like it. Read the file again.';
  const forms = index.forms('body');
  const differs = wanted.findIndex((line, at) => forms[start + at] !== normalizeLine(line, 'body'));
  const at = Math.max(0, Math.min(start + Math.max(differs, 0), index.lineAt.length - 1));
  const own = index.lines[index.lineAt[at] ?? 0] ?? '';
  const first = (index.lineAt[Math.max(0, start)] ?? 0) + 1;
  const last = (index.lineAt[Math.min(start + wanted.length, index.lineAt.length) - 1] ?? 0) + 1;
  const place = first >= last ? `line ${first}` : `lines ${first}–${last}`;
  const [there, here] = quotedPair(own.trim(), (wanted[Math.max(differs, 0)] ?? '').trim());
  return `Nearest are ${place}; line ${(index.lineAt[at] ?? 0) + 1} reads ${there} where the block has ${here}.`;
}

function longerWord(joined: string, search: string): string | undefined {
  const at = search === '' ? -1 : joined.indexOf(search);
  if (at < 0) return undefined;
  const apart = /[^\p{L}\p{N}_]+/u;
  const before = joined
    .slice(Math.max(0, at - maxQuoted), at)
    .split(apart)
    .at(-1);
  const [after] = joined.slice(at + search.length, at + search.length + maxQuoted).split(apart);
  const [word] = quotedPair(`${before}${search.trim().split('\n').at(-1)}${after}`, '');
  const line = joined.slice(0, at).split('\n').length;
  return `It is there only as a part of ${word}, line ${line}. Show the whole word.`;
}

export function quotedPair(own: string, wanted: string): [own: string, wanted: string] {
  let same = 0;
  while (same < own.length && own[same] === wanted[same]) same++;
  const from = Math.max(0, Math.max(own.length, wanted.length) > maxQuoted ? same - maxQuoted / 3 : 0);
  const quoted = (text: string) => {
    const part = text.slice(from, from + maxQuoted).toWellFormed();
    return `\`${from > 0 ? '…' : ''}${part}${from + maxQuoted < text.length ? '…' : ''}\``;
  };
  return [quoted(own), quoted(wanted)];
}

function nearestStart(index: LineIndex, wanted: readonly string[]): number | undefined {
  const votes = new Map<number, number>();
  wanted.slice(0, 200).forEach((line, at) => {
    const form = normalizeLine(line, 'body');
    const count = index.count('body', form);
    for (const place of index.places('body', form, 50)) {
      votes.set(place - at, (votes.get(place - at) ?? 0) + 1 / count);
    }
  });
  const likely = [...votes].filter(([start]) => start >= 0).sort((a, b) => b[1] - a[1]);
  // A bracket has many matches: the lines around it decide which one.
  const forms = index.forms('body');
  const alike = ([start, vote]: [number, number]) =>
    wanted.reduce((sum, line, at) => sum + sharedEnds(line.trim(), forms[start + at] ?? ''), vote);
  const best = likely.slice(0, maxStarts).reduce<[number, number] | undefined>((one, other) => {
    const share = alike(other);
    return one === undefined || share > one[1] ? [other[0], share] : one;
  }, undefined);
  return best?.[0] ?? mostAlike(index, wanted[0] ?? '');
}

function mostAlike(index: LineIndex, line: string): number | undefined {
  const words = new Set(wordsOf(line));
  if (words.size === 0) return undefined;
  const longest = [...words].sort((a, b) => b.length - a.length).slice(0, 3);
  let best: number | undefined;
  let bestShare = 0.5;
  const count = Math.min(index.lineAt.length, maxCompared);
  for (let place = 0; place < count; place++) {
    const text = index.lines[index.lineAt[place] ?? 0] ?? '';
    if (!longest.some((word) => text.includes(word))) continue;
    const own = wordsOf(text);
    const share = own.filter((word) => words.has(word)).length / Math.max(own.length, words.size);
    if (share > bestShare) [best, bestShare] = [place, share];
  }
  return best;
}

function wordsOf(line: string): string[] {
  return line.slice(0, 400).match(/[\p{L}\p{N}_$]+/gu) ?? [];
}
