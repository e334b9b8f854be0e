import { between, pick, type Random } from '../edits/case.ts';
import type { Revision } from '../edits/corpus.ts';
import { diffLines } from '../edits/diff-lines.ts';

/** A part of a file, and the lines that its author put there instead. Lines without their ends. */
export interface PartEdit {
  /** Package and path, for people. */
  source: string;
  lines: readonly string[];
  /** From 0, both included. */
  first: number;
  last: number;
  fresh: readonly string[];
}

/** One answer of a model to the question what is to stand instead of the part. */
export interface AnswerCase {
  kind: string;
  edit: PartEdit;
  answer: string;
}

const maxPartLines = 80;
const maxFreshLines = 120;

/** Some neighbouring changes of the author with the lines around them, as a person would select them. */
export function createPartEdit(random: Random, { name, before, after }: Revision): PartEdit | undefined {
  const lines = before.split('\n');
  const hunks = diffLines(lines, after.split('\n'));
  if (hunks.length === 0) return undefined;
  const at = between(random, 0, hunks.length - 1);
  const chosen = hunks.slice(at, at + pick(random, [1, 1, 2, 3]));
  const [top, bottom] = [chosen[0], chosen.at(-1)];
  if (top === undefined || bottom === undefined) return undefined;
  // Other changes stay outside, and what follows the last line end is no line.
  const before1 = hunks[at - 1];
  const least = before1 === undefined ? 0 : before1.start + before1.old.length;
  const max = (hunks[at + chosen.length]?.start ?? lines.length - 1) - 1;
  const [above, below] = [pick(random, [0, 1, 2, 4, 8]), pick(random, [0, 1, 2, 4, 8])];
  const first = Math.max(least, top.start - above);
  const last = Math.min(max, bottom.start + Math.max(bottom.old.length, 1) - 1 + below);
  const part = lines.slice(first, last + 1);
  if (last < first || part.length > maxPartLines || part.every((line) => line.trim() === '')) return undefined;
  if (part[0]?.trim() === '' || part.at(-1)?.trim() === '') return undefined;
  const fresh = [...part];
  for (const { start, old, new: coming } of chosen.toReversed()) {
    if (start < first || start + old.length > last + 1) return undefined;
    fresh.splice(start - first, old.length, ...coming);
  }
  const isEdit = fresh.length <= maxFreshLines && visible(fresh) !== visible(part) && visible(fresh) !== '';
  if (!isEdit || fresh[0]?.trim() === '' || fresh.at(-1)?.trim() === '') return undefined;
  return { source: name, lines, first, last, fresh };
}

function visible(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{2,}/g, '\n');
}

export function resultOf({ lines, first, last, fresh }: PartEdit): string[] {
  return [...lines.slice(0, first), ...fresh, ...lines.slice(last + 1)];
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Indentation that all lines have. */
export function commonIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  return indents.reduce((common, indent) => {
    let length = 0;
    while (length < common.length && common[length] === indent[length]) length++;
    return common.slice(0, length);
  }, indents[0] ?? '');
}
