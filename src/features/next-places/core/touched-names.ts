import type { OutlineEntry } from '../../../tools/language/language.ts';
import { reserved } from '../../inline/core/find-definitions.ts';
import type { ChangedPart } from './changed-parts.ts';

/** Line and column count from 1. */
export interface NamePosition {
  name: string;
  line: number;
  column: number;
}

export interface TouchedNames {
  /** The change removed these names, so only a search for the word finds their uses. */
  gone: readonly string[];
  kept: readonly NamePosition[];
}

interface Region {
  /** The line counts from 0 in the current text. */
  line: number;
  column: number;
  before: string;
  after: string;
  isBlock: boolean;
}

const maxNames = 3;
const maxLinesSearched = 20;
const name = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/**
 * Returns the names by which the other places of a change are found: the declaration whose signature it changes, else
 * the names that it removed, else the declaration, the called function or the name around it. `outline` may be empty
 * where no extension knows the language.
 */
export function touchedNames(
  parts: readonly ChangedPart[],
  lines: readonly string[],
  outline: readonly OutlineEntry[],
): TouchedNames {
  const has = new Set(parts.flatMap(({ after }) => after.flatMap(namesIn)));
  const gone: string[] = [];
  const kept: NamePosition[] = [];
  for (const region of parts.flatMap(regionsOf)) {
    const lost = namesIn(region.before).filter((one) => !has.has(one) && isDistinctive(one));
    const callee = region.isBlock ? undefined : functionAround(lines, region);
    const declared = declaredAt(lines, region, outline);
    const isSignature = region.isBlock || (callee !== undefined && callee.name === declared?.name);
    const declares = callee?.isDeclared ? callee : isSignature ? declared : undefined;
    const stays = ({ name: one }: NamePosition) =>
      namesIn(region.before).includes(one) === namesIn(region.after).includes(one);
    // A removed parameter is used only inside of its function, so the function's name is what is searched for.
    if (declares && stays(declares)) kept.push(declares);
    else if (lost.length > 0) gone.push(...lost);
    else {
      const around = region.isBlock
        ? enclosing(lines, region, outline)
        : (callee ?? declared ?? nameBefore(lines, region));
      if (around !== undefined) kept.push(around);
    }
  }
  const isFirst = (one: NamePosition, at: number) => kept.findIndex((other) => other.name === one.name) === at;
  return {
    gone: [...new Set(gone)].slice(0, maxNames),
    kept: kept.filter(isFirst).slice(0, maxNames),
  };
}

function namesIn(text: string): string[] {
  return text.match(name) ?? [];
}

function isDistinctive(word: string): boolean {
  return word.length > 2 && !reserved.test(word);
}

function regionsOf({ first, before, after }: ChangedPart): Region[] {
  if (before.length !== after.length) {
    return [{ line: first, column: 0, before: before.join('\n'), after: after.join('\n'), isBlock: true }];
  }
  return after.flatMap((line, at) => {
    const old = before[at] ?? '';
    if (old.trim() === line.trim()) return [];
    const [was, is] = [tokensOf(old), tokensOf(line)];
    let head = 0;
    while (head < Math.min(was.length, is.length) && was[head] === is[head]) head++;
    let tail = 0;
    while (tail < Math.min(was.length, is.length) - head && was.at(-1 - tail) === is.at(-1 - tail)) tail++;
    const inner = (all: readonly string[]) => all.slice(head, all.length - tail).join('');
    const column = is.slice(0, head).join('').length;
    return [{ line: first + at, column, before: inner(was), after: inner(is), isBlock: false }];
  });
}

function tokensOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu) ?? [];
}

function functionAround(
  lines: readonly string[],
  { line, column }: Region,
): (NamePosition & { isDeclared: boolean }) | undefined {
  let depth = 0;
  for (let at = line; at >= 0 && at > line - maxLinesSearched; at--) {
    const text = at === line ? (lines[at] ?? '').slice(0, column) : (lines[at] ?? '');
    for (let sign = text.length - 1; sign >= 0; sign--) {
      const letter = text[sign] ?? '';
      if (')]}'.includes(letter)) depth += 1;
      if ('([{'.includes(letter)) depth -= 1;
      if (depth >= 0) continue;
      if (letter !== '(') return undefined;
      const before = text.slice(0, sign);
      const isArrow = (lines[line] ?? '').includes('=>', at === line ? column : 0);
      const assigned = isArrow ? /^(.*[^=!<>])=\s*(?:async\s*)?$/.exec(before)?.[1] : undefined;
      const variable = assigned === undefined ? undefined : lastName(assigned, at);
      if (variable !== undefined) return { ...variable, isDeclared: true };
      const found = lastName(before, at);
      const above = found && text.slice(0, found.column - 1);
      const isDeclared = /\b(?:function\*?|def|fn|func|fun|sub|proc)\s+$/.test(above ?? '');
      return found && isDistinctive(found.name) ? { ...found, isDeclared } : undefined;
    }
  }
  return undefined;
}

function lastName(text: string, at: number): NamePosition | undefined {
  const bare = text.trimEnd();
  const last = [...bare.matchAll(name)].at(-1);
  if (last === undefined || last.index + last[0].length !== bare.length) return undefined;
  return { name: last[0], line: at + 1, column: last.index + 1 };
}

function nameBefore(lines: readonly string[], { line, column }: Region): NamePosition | undefined {
  const before = [...(lines[line] ?? '').slice(0, column).matchAll(name)]
    .filter(([word]) => isDistinctive(word))
    .at(-1);
  return before && { name: before[0], line: line + 1, column: before.index + 1 };
}

function declaredAt(
  lines: readonly string[],
  { line, isBlock, after }: Region,
  outline: readonly OutlineEntry[],
): NamePosition | undefined {
  const last = isBlock ? line + after.split('\n').length - 1 : line;
  const begins = (one: OutlineEntry) => one.line - 1 >= line && one.line - 1 <= last && after !== '';
  const entry = outline.find((one) => begins(one) && (!isBlock || one.endLine - 1 > last));
  return entry && placeOfEntry(lines, entry);
}

function enclosing(
  lines: readonly string[],
  { line }: Region,
  outline: readonly OutlineEntry[],
): NamePosition | undefined {
  const [entry] = outline
    .filter((one) => one.line - 1 < line && one.endLine - 1 >= line && one.endLine > one.line)
    .toSorted((a, b) => a.endLine - a.line - (b.endLine - b.line));
  return entry && placeOfEntry(lines, entry);
}

function placeOfEntry(lines: readonly string[], entry: OutlineEntry): NamePosition | undefined {
  const [word] = namesIn(entry.name);
  if (word === undefined) return undefined;
  for (let line = entry.line; line <= Math.min(entry.endLine, entry.line + maxLinesSearched); line++) {
    const match = [...(lines[line - 1] ?? '').matchAll(name)].find(([found]) => found === word);
    if (match) return { name: word, line, column: match.index + 1 };
  }
  return undefined;
}
