import { indentOf, isBlank } from './line-tolerance.ts';

export interface IndentEvidence {
  pairs: readonly (readonly [block: string, file: string])[];
  block: readonly string[];
  file: readonly string[];
}

interface Style {
  tab: boolean;
  width: number;
}

/** Maps the block's indentation to the file's: matched lines give the rule; others keep their distance to them. */
export function createIndentMap({ pairs, block, file }: IndentEvidence): (indent: string) => string {
  const known = majority(withoutStrays(pairs));
  const isTabbed = styleOf(file)?.tab === true;
  const ofBlock = isTabbed && isByEights(block) ? { tab: false, width: 8 } : styleOfBlock(known, block);
  const styles = { block: ofBlock, file: styleOf(file) ?? ofBlock ?? { tab: false, width: 4 } };
  const isIdentity = [...known].every(([from, to]) => from === to);
  const convert = converter(known, styles.block, styles.file);
  const isForeign = (indent: string) => (styles.file.tab ? / {2}/.test(indent) : indent.includes('\t')) && isPure(file);
  const toOwn = (indent: string) => {
    const own = convert?.(indent) ?? indent;
    return isForeign(own) ? inStyle(own, styles.file, styles.block) : own;
  };
  return (indent) => {
    const exact = known.get(indent);
    if (exact !== undefined && !isIdentity) return exact;
    if (isIdentity && !isForeign(indent)) return exact ?? indent;
    const base = baseFor(known, indent);
    if (base === undefined) return toOwn(indent);
    const [from, to] = base;
    if (indent.startsWith(from)) return to + toOwn(indent.slice(from.length));
    if (from.startsWith(indent)) return shallower(to, toOwn(from.slice(indent.length)));
    // Nothing in common: both from the margin.
    return shallower(to, toOwn(from)) + toOwn(indent);
  };
}

function isByEights(block: readonly string[]): boolean {
  return (
    block.includes('') && block.some((indent) => indent !== '') && block.every((indent) => /^(?: {8})*$/.test(indent))
  );
}

/** Drops lines that are a few spaces off, when the others agree with the file or when they contradict one another. */
export function withoutStrays(pairs: IndentEvidence['pairs']): IndentEvidence['pairs'] {
  if (pairs.some(([from, to]) => (from + to).includes('\t'))) return pairs;
  const equal = pairs.filter(([from, to]) => from === to);
  const others = pairs.filter(([from, to]) => from !== to);
  const indented = pairs.filter(([from, to]) => from !== '' || to !== '');
  const ratio = ([from, to]: readonly [string, string]) => to.length / from.length;
  const isScale = indented.every(
    (pair) => isScaled(pair[0].length, pair[1].length) && ratio(pair) === ratio(indented[0] ?? pair),
  );
  const areNear = others.every(([from, to]) => Math.abs(from.length - to.length) <= 2);
  const areStrays = (areNear && !isScale) || !isOrdered(pairs);
  return equal.length > 0 && areStrays ? equal : pairs;
}

function isOrdered(pairs: IndentEvidence['pairs']): boolean {
  return pairs.every(([a, b]) =>
    pairs.every(([c, d]) => (a.length > c.length ? b.length >= d.length : a !== c || b === d)),
  );
}

function majority(pairs: IndentEvidence['pairs']): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const [from, to] of pairs) {
    const row = counts.get(from) ?? new Map<string, number>();
    counts.set(from, row.set(to, (row.get(to) ?? 0) + 1));
  }
  return new Map([...counts].map(([from, row]) => [from, [...row].sort((a, b) => b[1] - a[1])[0]?.[0] ?? from]));
}

function baseFor(known: ReadonlyMap<string, string>, indent: string): readonly [string, string] | undefined {
  const entries = [...known].sort((a, b) => b[0].length - a[0].length);
  return entries.find(([from]) => indent.startsWith(from)) ?? entries.at(-1);
}

function shallower(indent: string, by: string): string {
  return indent.slice(0, Math.max(0, indent.length - by.length));
}

function inStyle(indent: string, file: Style, block: Style | undefined): string {
  if (!file.tab) return indent.replaceAll('\t', ' '.repeat(file.width));
  return indent.replaceAll(' '.repeat(block?.tab === false ? block.width : 4), '\t');
}

/** Converts the block's indentation steps to the file's; matched lines count more than the style of all lines. */
function converter(
  known: ReadonlyMap<string, string>,
  block: Style | undefined,
  file: Style,
): ((indent: string) => string) | undefined {
  const scale = scaleOf(known) ?? (block && !isSame(block, file) ? { from: block, to: file } : undefined);
  if (scale === undefined || isSame(scale.from, scale.to)) return undefined;
  const { from, to } = scale;
  const unit = to.tab ? '\t' : ' '.repeat(to.width);
  return (indent) => {
    if (from.tab !== indent.startsWith('\t')) return indent;
    const columns = from.tab ? (/^\t*/.exec(indent)?.[0].length ?? 0) : indent.length;
    const levels = Math.floor(columns / from.width);
    const rest = from.tab ? indent.slice(columns) : ' '.repeat(columns - levels * from.width);
    return unit.repeat(levels) + rest;
  };
}

function isSame(a: Style, b: Style): boolean {
  return a.tab === b.tab && a.width === b.width;
}

function scaleOf(known: ReadonlyMap<string, string>): { from: Style; to: Style } | undefined {
  // Blanks behind tabs line something up.
  const pure = [...known].filter(
    ([from, to]) => ![from, to].some((indent) => indent.includes('\t') && indent.includes(' ')),
  );
  const entries = pure.sort((a, b) => a[0].length - b[0].length);
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const base = first === last ? (['', ''] as const) : first;
  const from = last[0].length - base[0].length;
  const to = last[1].length - base[1].length;
  const tabs = { from: last[0].startsWith('\t'), to: last[1].startsWith('\t') };
  if (from <= 0 || to <= 0) return undefined;
  // One pair of blanks each may as well be a shift; the block's own steps decide that.
  if (first === last && tabs.from === tabs.to) return undefined;
  const divisor = greatestCommonDivisor(from, to);
  return { from: { tab: tabs.from, width: from / divisor }, to: { tab: tabs.to, width: to / divisor } };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function styleOfBlock(known: ReadonlyMap<string, string>, block: readonly string[]): Style | undefined {
  const indents = block.filter((indent) => indent !== '');
  if (indents.length === 0) return undefined;
  if (indents.some((indent) => indent.startsWith('\t'))) return { tab: true, width: 1 };
  const isShift = [...known].some(([from, to]) => from !== '' && to !== '' && !isScaled(from.length, to.length));
  if (isShift) return undefined;
  const widths = [...new Set(indents.map(({ length }) => length))].sort((a, b) => a - b);
  const steps = widths.slice(1).map((width, at) => width - (widths[at] ?? 0));
  const step = steps.reduce(greatestCommonDivisor, 0);
  if (step >= 2) return { tab: false, width: step };
  const width = [4, 2].find((size) => widths.every((other) => other % size === 0));
  return width === undefined ? undefined : { tab: false, width };
}

function isScaled(from: number, to: number): boolean {
  return from === to * 2 || to === from * 2;
}

/** Returns whether these lines use tabs or spaces, and the usual step; undefined when no line is indented. */
export function styleOf(indents: readonly string[]): Style | undefined {
  let tabs = 0;
  const steps = new Map<number, number>();
  let previous = 0;
  let spaces = 0;
  for (const indent of indents) {
    if (indent.startsWith('\t')) tabs++;
    else if (indent.startsWith('  ')) spaces++;
    const step = indent.length - previous;
    if (step >= 2 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
    previous = indent.length;
  }
  if (tabs > spaces) return { tab: true, width: 1 };
  const common = [...steps].sort((a, b) => b[1] - a[1])[0];
  return common && { tab: false, width: common[0] };
}

function isPure(indents: readonly string[]): boolean {
  const tabs = indents.some((indent) => indent.startsWith('\t'));
  const spaces = indents.some((indent) => indent.startsWith('  '));
  return tabs !== spaces;
}

export function indentsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => !isBlank(line)).map(indentOf);
}
