import { parseJson } from '../../../base/parse-json.ts';
import { readDiff } from '../../../edits/apply/diff-form.ts';
import { readPatch, readSearchBlocks } from '../../../edits/apply/patches.ts';
import { replaceLines } from '../../../edits/apply/replace-lines.ts';
import { unwrapBlock } from '../../../edits/apply/unwrap-block.ts';
import { applyEdits, type EditBlock } from '../../../edits/match/apply-edits.ts';
import { withoutNumbers } from '../../../edits/match/readings.ts';
import { answerBody, type BodyProblem } from './answer-body.ts';
import { withoutSurroundings } from './surroundings.ts';

/** Why an answer replaces nothing. */
export type AnswerProblem =
  | BodyProblem
  /** Lines that are there now are only hinted at, and it cannot be told which. */
  | 'elided'
  /** Lines outside of the part are changed too. */
  | 'wider'
  /** A diff or blocks with markers that do not fit, or a line that may be repeated or meant. */
  | 'unclear'
  /** Only some lines of the part came back. */
  | 'partial'
  /** The indentation is lost, and it has a meaning. */
  | 'indentation';

/** The part of a document that an answer replaces. */
export interface AnsweredPart {
  /** All lines of the document, without their ends. */
  lines: readonly string[];
  /** The part, from 0, both included. */
  first: number;
  last: number;
  /** With slashes. */
  path: string;
  /** Markdown and its like: blocks of code in the text are part of it. */
  holdsFences: boolean;
}

export type ReadAnswer = { lines: readonly string[] } | { problem: AnswerProblem };

/**
 * The lines that are to stand instead of the part, out of a complete answer. Lines that stay are as the document has them. What
 * models write instead of the bare lines is read by the rules of `edit_file`: the lines around the part, the whole document,
 * a diff, blocks with markers, lines from column 0. An answer that leaves anything open replaces nothing.
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
  // The part as it stands is never read as another form: a line of it may look like the header of a diff.
  if (body.join('\n') === own.join('\n')) return { lines: own };
  const diff = readAsDiff(body, found.info, part);
  if (diff !== undefined) return diff;
  const bare = unwrapped(body, part);
  if (bare === undefined) return { problem: 'unclear' };
  const inner = withoutSurroundings(bare, part);
  if ('problem' in inner) return inner;
  return replaceLines(part, inner.lines, inner.isPlaced);
}

/** Blocks that say for themselves where they belong. */
function readBlocks(text: string, own: readonly string[]): readonly EditBlock[] | undefined {
  if (Array.isArray(readSearchBlocks(own.join('\n')))) return undefined;
  const blocks = readSearchBlocks(text);
  if (Array.isArray(blocks) && blocks.length > 0) return blocks;
  const patch = text.includes('*** Begin Patch') ? readPatch(text) : undefined;
  const [file, ...others] = patch?.ok ? patch.files : [];
  return file?.kind === 'update' && others.length === 0 ? file.blocks : undefined;
}

/** Without what formats and listings put around or before lines. Undefined where a line of another format is left. */
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

/** The only text in an object; undefined where there is none, or the part is such an object. */
function inJson(body: readonly string[], own: readonly string[]): string | undefined {
  const [object, known] = [body, own].map((some) => parseJson(some.join('\n')));
  if (typeof object !== 'object' || object === null || Array.isArray(object) || known !== undefined) return undefined;
  const [text, ...others] = Object.values(object).filter((value) => typeof value === 'string');
  return others.length === 0 ? text : undefined;
}

/** Undefined for what is no diff. */
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

/** In the part, else in the document; undefined where they fit in neither. */
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
