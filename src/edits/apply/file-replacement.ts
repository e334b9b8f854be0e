import { fenced } from '../match/code-fence.ts';
import { composed, isBlank } from '../match/line-tolerance.ts';
import { isBareDots, looksElided } from '../match/rows.ts';
import { toTextLines, withChanges } from '../match/text-lines.ts';
import { diffLineHunks } from './line-diff.ts';
import { findStandIn } from './stand-ins.ts';
import * as wrappers from './wrappers.ts';

export type FileReplacement = { ok: true; text: string; notes: readonly string[] } | { ok: false; problem: string };

const longFileLines = 40;

/**
 * Returns the text after `content` is written over a file: wrappings that surely do not belong are removed, and lines
 * that stay keep the file's line ends and Unicode form. Refuses a text that would lose lines by accident.
 */
export function readReplacement(before: string, content: string, path: string): FileReplacement {
  const file = toTextLines(before);
  const { text, notes } = unwrapped(content.replaceAll('\r\n', '\n'), file.lines.join('\n'), path);
  const lines = [...toTextLines(text).lines];
  const problem = problemIn(lines, file.lines, text);
  if (problem !== undefined) return { ok: false, problem };
  const hunks = diffLineHunks(file.lines.map(composed), lines.map(composed));
  const changes = hunks.map(({ before: old, after }) => ({
    start: old.start,
    end: old.start + old.count,
    lines: lines.slice(after.start, after.start + after.count),
  }));
  return { ok: true, text: withChanges(file, changes), notes };
}

/** Returns whether most of a long file would go; a person has to see that, whatever else is agreed to. */
export function losesMost(before: string, removed: number): boolean {
  const count = lineCountOf(before);
  return count >= longFileLines && removed * 2 > count;
}

export function lineCountOf(text: string): number {
  return toTextLines(text).lines.length;
}

function unwrapped(content: string, file: string, path: string): { text: string; notes: string[] } {
  const notes: string[] = [];
  const steps: [string, (text: string) => string][] = [
    ['an invisible sign', wrappers.withoutUnseenEnds],
    ['a tag around the text', wrappers.withoutTag],
    ['CDATA', wrappers.withoutCdata],
    ['the path as first line', (text) => wrappers.withoutPath(text, path)],
    ['literal \\n for line ends', (text) => (file.includes('\n') ? wrappers.withLineEnds(text) : text)],
    ['entities', (text) => wrappers.withoutEntities(text, file)],
  ];
  let text = content;
  for (const [name, step] of steps) {
    const next = step(text);
    // The file begins so itself.
    if (next === text || (next.length < text.length && step(file) !== file)) continue;
    notes.push(`Ignored: ${name}.`);
    text = next;
  }
  return { text, notes };
}

function problemIn(lines: readonly string[], own: readonly string[], text: string): string | undefined {
  if (lines.every(isBlank))
    return own.every(isBlank) ? undefined : 'the text is empty. Use delete_file, or edit_file for a part';
  if (fenced(text) !== undefined && fenced(own.join('\n')) === undefined)
    return 'there is a code fence around the text. Leave it out';
  const known = new Set(own.map((line) => line.trim()));
  const at = lines.findIndex((line, index) => !known.has(line.trim()) && standsForOthers(line, lines[index - 1] ?? ''));
  if (at >= 0)
    return `line ${at + 1}, \`${lines[at]?.trim()}\`, stands for lines that are not there. Write all of them, or use edit_file`;
  const standIn = findStandIn(own, lines, own);
  if (standIn !== undefined) return `${standIn}. Write them, or leave the comment out if they are to go`;
  const odd = lines.find((line) => !known.has(line.trim()) && (wrappers.isMarker(line) || wrappers.isTagLine(line)));
  if (odd !== undefined && (wrappers.isMarker(odd) || isUnpaired(odd, lines)))
    return `\`${odd.trim()}\` is no line of the file. Leave it out, or use edit_file`;
  if (own.length >= longFileLines && lines.length * 10 <= own.length)
    return `the text has ${lines.length} lines and the file ${own.length}. Use edit_file for a part, or delete the file first`;
  if (own.length > 2 && lines.length === 1 && text.includes('\\n'))
    return 'the text is one line with literal \\n in it. Write line ends';
  return undefined;
}

function standsForOthers(line: string, above: string): boolean {
  return looksElided(line) && !(isBareDots(line) && above.trimEnd().endsWith(':'));
}

function isUnpaired(line: string, lines: readonly string[]): boolean {
  const [, slash = '', name = ''] = /<(\/?)([\w-]+)/.exec(line) ?? [];
  const partner = slash === '' ? `</${name}>` : `<${name}`;
  return !lines.some((other) => other.includes(partner));
}
