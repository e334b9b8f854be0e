import { parseJson } from '../../../base/parse-json.ts';
import { readDiff } from '../../../edits/apply/diff-form.ts';
import { readPatch, readSearchBlocks } from '../../../edits/apply/patches.ts';
import { replaceLines } from '../../../edits/apply/replace-lines.ts';
import { unwrapBlock } from '../../../edits/apply/unwrap-block.ts';
import { applyEdits, type EditBlock } from '../../../edits/match/apply-edits.ts';
import { withoutNumbers } from '../../../edits/match/readings.ts';
import { answerBody, type BodyProblem } from './answer-body.ts';
import { withoutSurroundings } from './surroundings.ts';

export type AnswerProblem =
  | BodyProblem
  /** The answer only hints at existing lines, and nothing decides which ones it means. */
  | 'elided'
  | 'wider'
  /** A diff or marked blocks do not fit, or a line may be a repetition or a change. */
  | 'unclear'
  | 'partial'
  /** The answer lost indentation that has a meaning in this language. */
  | 'indentation';

export interface AnsweredPart {
  lines: readonly string[];
  /** Lines count from 0, and both ends are included. */
  first: number;
  last: number;
  path: string;
  /** True for Markdown and similar formats, where fenced blocks are part of the text. */
  holdsFences: boolean;
}

export type ReadAnswer = { lines: readonly string[] } | { problem: AnswerProblem };

/**
 * Extracts the lines that replace the part from a complete answer; lines that stay keep the document's form. Other
 * forms of an answer are read by the rules of `edit_file`: the lines around the part, the whole document, a diff,
 * blocks with markers, lines from column 0. An answer that leaves anything open replaces nothing.
 */
export function readAnswer(answer: string, part: AnsweredPart): ReadAnswer {
  const text = answer.replaceAll('\r\n', '\n');
  const own = part.lines.slice(part.first, part.last + 1);
  const blocks = readBlocks(text, own);
  if (blocks !== undefined) return applied(blocks, part) ?? { problem: 'unclear' };
  const known = new Set(part.lines.map((line) => line.trim()));
  const { holdsFences } = part;
  const found = answerBody(text, { part: own, isKnown: (line) => known.has(line), holdsFences });
  if ('problem' in found) return found;
  const body = found.lines.filter((line) => !/^(?:<{7} marked part begins|>{7} marked part ends)$/.test(line));
  // The unchanged part is never read as another form: one of its lines may resemble the header of a diff.
  if (body.join('\n') === own.join('\n')) return { lines: own };
  const diff = readAsDiff(body, found.info, part);
  if (diff !== undefined) return diff;
  const bare = unwrapped(body, part);
  if (bare === undefined) return { problem: 'unclear' };
  const inner = withoutSurroundings(bare, part);
  if ('problem' in inner) return inner;
  return replaceLines(part, inner.lines, inner.isPlaced);
}

function readBlocks(text: string, own: readonly string[]): readonly EditBlock[] | undefined {
  if (Array.isArray(readSearchBlocks(own.join('\n')))) return undefined;
  const blocks = readSearchBlocks(text);
  if (Array.isArray(blocks) && blocks.length > 0) return blocks;
  const patch = text.includes('*** Begin Patch') ? readPatch(text) : undefined;
  const [file, ...others] = patch?.ok ? patch.files : [];
  return file?.kind === 'update' && others.length === 0 ? file.blocks : undefined;
}

function unwrapped(body: readonly string[], { lines, first, last, path }: AnsweredPart): readonly string[] | undefined {
  const own = lines.slice(first, last + 1);
  const replace = inJson(body, own) ?? body.join('\n');
  const found = unwrapBlock({ search: own.join('\n'), replace }, { joined: toText(lines), path });
  if (!found.ok) return undefined;
  const written = found.block.replace.split('\n');
  const bare = withoutNumbers(written, own);
  // That they are numbered now may be all that is meant.
  return bare.join('\n').trim() === own.join('\n').trim() ? written : bare;
}

function inJson(body: readonly string[], own: readonly string[]): string | undefined {
  const [object, known] = [body, own].map((some) => parseJson(some.join('\n')));
  if (typeof object !== 'object' || object === null || Array.isArray(object) || known !== undefined) return undefined;
  const [text, ...others] = Object.values(object).filter((value) => typeof value === 'string');
  return others.length === 0 ? text : undefined;
}

function readAsDiff(body: readonly string[], info: string, part: AnsweredPart): ReadAnswer | undefined {
  const { lines, first, last } = part;
  const known = new Set(lines);
  const hasHeader = body.some((line) => /^@@(?: |$)/.test(line) && !known.has(line));
  const text = body.join('\n');
  const search = lines.slice(first, last + 1).join('\n');
  const joined = `\n${lines.join('\n')}\n`;
  const stands = (some: readonly string[]) => joined.includes(`\n${some.join('\n')}\n`);
  const read = readDiff({ search, replace: text }, { lines, stands });
  if (read === undefined && !hasHeader && !/^(?:diff|patch|udiff)$/i.test(info)) return undefined;
  const whole = applied([{ search: text, replace: '' }], part);
  if (whole !== undefined) return whole;
  return (Array.isArray(read) ? applied(read, part) : undefined) ?? { problem: 'unclear' };
}

function applied(blocks: readonly EditBlock[], part: AnsweredPart): ReadAnswer | undefined {
  const { lines, first, last, path } = part;
  const own = lines.slice(first, last + 1);
  const inPart = applyEdits(toText(own), blocks, path);
  if (inPart.ok) return { lines: toLines(inPart.text) };
  const inFile = applyEdits(toText(lines), blocks, path);
  if (!inFile.ok) return undefined;
  const isInside = inFile.hunks.every(
    ({ startLine, oldLines }) => startLine > first && startLine - 1 + oldLines <= last + 1,
  );
  if (!isInside) return { problem: 'wider' };
  const fresh = toLines(inFile.text);
  return { lines: fresh.slice(first, fresh.length - (lines.length - last - 1)) };
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function toLines(text: string): string[] {
  return text.split('\n').slice(0, -1);
}
