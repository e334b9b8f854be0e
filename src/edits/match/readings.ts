import { fenced } from './code-fence.ts';
import { decodeEntities, toAsciiPunctuation } from './line-tolerance.ts';
import { sharedEnds } from './pair-rows.ts';

export interface EditBlock {
  search: string;
  replace: string;
  /** With `replaceAll`, every match is changed instead of requiring a single one. */
  replaceAll?: boolean;
}

export interface Reading extends EditBlock {
  isVerbatim?: boolean;
  /** The note says to the model what was removed or repaired; it is absent when the block is read as written. */
  note?: string;
}

export function noted(reading: Reading, said: string): Reading {
  return { ...reading, note: reading.note === undefined ? said : `${reading.note}; ${said}` };
}

export function asWritten({ search, replace, replaceAll }: EditBlock): EditBlock {
  const clean = (text: string) => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  return { search: clean(search), replace: clean(replace), replaceAll };
}

/**
 * Returns other ways to read a block, the likeliest first, none of them equal to it. Each changes both sides alike,
 * so that new text is repaired as well. A reading is right only when its search then matches the file.
 */
export function otherReadings(block: EditBlock, fileHas: (text: string) => boolean): Reading[] {
  const unwrapped = unwrap(block);
  const bases = unwrapped.length === 0 ? [block] : unwrapped;
  const repaired = [...bases, ...(bases.includes(block) ? [] : [block])].flatMap((base) =>
    repair(base, areEscapesMeant(base, fileHas)),
  );
  const seen = new Set([key(block)]);
  return [...unwrapped, ...repaired].filter((reading) => {
    // A lone number is no line without a text.
    const isNew = !seen.has(key(reading)) && reading.search.trim() !== '';
    seen.add(key(reading));
    return isNew;
  });
}

function key({ search, replace }: EditBlock): string {
  return `${search}\0${replace}`;
}

/** Removes what is around or before the lines. Each step runs alone on what the steps before have left. */
function unwrap(block: EditBlock): Reading[] {
  const readings: Reading[] = [];
  let current: Reading = block;
  const steps: [string, (block: EditBlock) => EditBlock][] = [
    ['escaped twice', unescapeWhole],
    ['code fence', withoutFence],
    ['line numbers', withoutLineNumbers],
  ];
  for (const [name, step] of steps) {
    const next = step(current);
    if (next === current) continue;
    current = { ...next, note: current.note ? `${current.note}, ${name}` : `ignored: ${name}` };
    readings.unshift(current);
  }
  return readings;
}

function withoutFence(block: EditBlock): EditBlock {
  const search = fenced(block.search);
  if (search === undefined) return block;
  return { search, replace: fenced(block.replace) ?? block.replace };
}

/**
 * Removes a fence around the replacement alone, unless it may be meant: the search has fences that are not within it, or the
 * file has such fences, and none is open at the match. Returns undefined when that is unclear: some lines of the search
 * are in the fence while others change as well.
 */
export function withoutStrayFence(block: EditBlock, file: string): EditBlock | undefined {
  const replace = fenced(block.replace);
  if (replace === undefined) return block;
  const fence = block.replace.trimStart().startsWith('`') ? /^[ \t]*`{3}/gm : /^[ \t]*~{3}/gm;
  const within = replace.split('\n');
  const own = block.search.split('\n').filter((line) => /^[ \t]*(?:`{3}|~{3})/.test(line));
  if (own.some((line) => line.search(fence) === 0 || !within.includes(line))) return block;
  const place = file.indexOf(block.search.trim());
  const above = place < 0 ? [] : file.slice(0, place).match(fence);
  if (fence.test(file) && (above?.length ?? 0) % 2 === 0) {
    const [before, after] = [block.search, replace].map((side) =>
      side.split('\n').filter((line) => line.trim() !== ''),
    );
    const isKnown = (line: string) =>
      before?.some((shown) => line.includes(shown.trim()) || sharedEnds(shown, line) > 0.5);
    const isMixed = after?.some(isKnown) && after.join('\n') !== before?.join('\n');
    return isMixed ? undefined : block;
  }
  return { ...block, replace: block.search.endsWith('\n') ? `${replace}\n` : replace };
}

function unescapeWhole(block: EditBlock): EditBlock {
  if (block.search.trim().includes('\n') || !/\\[nrt"\\]/.test(block.search)) return block;
  return { search: unescaped(block.search), replace: unescaped(block.replace) };
}

function unescaped(text: string): string {
  return text
    .replace(/\\(?:u([0-9a-fA-F]{4})|([nrtbf"'/\\]))/g, (_found, code: string | undefined, sign: string | undefined) =>
      code !== undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[sign ?? ''] ?? sign ?? ''),
    )
    .replaceAll('\r\n', '\n');
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const numbered = /^[ ]*(\d+)(?:\t|→|: ?| ?\| ?|\)? {1,2}(?=\S|$)|$)/;
const numberFormats = [
  /^ *(\d+)\t/,
  /^ *(\d+)→/,
  /^ *(\d+): /,
  /^ *(\d+):/,
  /^ *(\d+) ?\| /,
  /^ *(\d+) ?\|/,
  /^ *(\d+) {2}/,
  /^ *(\d+) /,
];

function withoutLineNumbers(block: EditBlock): EditBlock {
  const lines = block.search.split('\n');
  const format = numberFormats.find((pattern) => countUp(lines, pattern));
  if (format === undefined) return block;
  const bare = numbered;
  const strip = (line: string) => {
    const found = format.exec(line);
    if (found !== null) return line.slice(found[0].length);
    // An empty line whose trailing sign was trimmed away.
    return bare.exec(line)?.[0] === line && /^ *\d+\s*[|:→]?$/.test(line) ? '' : line;
  };
  return { search: lines.map(strip).join('\n'), replace: block.replace.split('\n').map(strip).join('\n') };
}

const listing = /^ *\d+(?:\t|→| \| )/;

/**
 * Removes line numbers of a listing, where `own`, the lines to be replaced, have none. Lines whose numbers may be
 * meant stay as they are.
 */
export function withoutNumbers(lines: readonly string[], own: readonly string[]): readonly string[] {
  const format = numberFormats.find((pattern) => countUp(lines, pattern));
  if (format === undefined || own.some((line) => format.test(line))) return lines;
  const bare = lines.map((line) => line.slice(format.exec(line)?.[0].length ?? line.length));
  const isListing = lines.every((line) => line.trim() === '' || listing.test(line));
  const isOwn = (line: string) =>
    line.trim() !== '' && own.some((other) => sharedEnds(line.trim(), other.trim()) > 0.5);
  return isListing || bare.some(isOwn) ? bare : lines;
}

function countUp(lines: readonly string[], format: RegExp): boolean {
  let previous: number | undefined;
  let count = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const text = format.exec(line)?.[1] ?? /^ *(\d+)\s*[|:→]?$/.exec(line)?.[1];
    if (text === undefined) return false;
    const number = Number(text);
    if (previous !== undefined && number <= previous) return false;
    previous = number;
    count++;
  }
  return count > 0;
}

const repairs: [string, (search: string) => ((text: string) => string) | undefined][] = [
  ['typographic quotes', (search) => plainSignsOf(search.replace(/[^‘’‚‛′“”„‟″«»]/g, ''))],
  ['typographic signs', plainSignsOf],
  ['entities', always(decodeEntities)],
  ['doubled backslashes', always((text) => text.replaceAll('\\\\', '\\'))],
  ['escaped quotes', always((text) => text.replace(/\\(["'`])/g, '$1'))],
  ['escaped quotes and backslashes', always((text) => text.replace(/\\(["'`\\])/g, '$1'))],
  ['escapes', (search) => (search.trim().includes('\n') ? undefined : unescaped)],
];

const escapeRepairs = new Set(['doubled backslashes', 'escaped quotes', 'escaped quotes and backslashes', 'escapes']);

/** When the file has the exact text around one of the search's escapes, the escapes belong to it. */
function areEscapesMeant({ search }: EditBlock, fileHas: (text: string) => boolean): boolean {
  return search.split('\n').some((line) => {
    const body = line.trim();
    const at = body.indexOf('\\');
    const around = body.slice(Math.max(0, at - 4), at + 20);
    return at >= 0 && around.length >= 16 && fileHas(around);
  });
}

function always(change: (text: string) => string): () => (text: string) => string {
  return () => change;
}

/** Converts only the kinds of signs that the search has, because the replacement may mean others. */
function plainSignsOf(search: string): ((text: string) => string) | undefined {
  const sorts = new Set((search.match(/\P{ASCII}/gu) ?? []).map(toAsciiPunctuation));
  if (sorts.size === 0) return undefined;
  return (text) =>
    text.replace(/\P{ASCII}/gu, (sign) => (sorts.has(toAsciiPunctuation(sign)) ? toAsciiPunctuation(sign) : sign));
}

function repair(base: Reading, keepsEscapes: boolean): Reading[] {
  const fitting = repairs.filter(([name]) => !(keepsEscapes && escapeRepairs.has(name)));
  const single = fitting.flatMap(([name, changeFor]) => apply(base, name, changeFor(base.search)));
  const pairs = single.flatMap((reading) =>
    fitting.flatMap(([name, changeFor]) => apply(reading, name, changeFor(reading.search))),
  );
  return [...single, ...pairs];
}

function apply(base: Reading, name: string, change: ((text: string) => string) | undefined): Reading[] {
  const search = change?.(base.search);
  if (change === undefined || search === undefined || search === base.search) return [];
  const note = base.note ? `${base.note}, ${name}` : `ignored: ${name}`;
  return [{ search, replace: change(base.replace), note }];
}

/**
 * Repairs a block in which the file's `'\n'` came back as a line end (or `'\t'` as a tab), on both sides. Returns
 * undefined when no line with such an escape is in the search.
 */
export function rejoined(block: EditBlock, lines: readonly string[]): Reading | undefined {
  let { search, replace } = block;
  if (!/\n|\t/.test(search)) return undefined;
  for (const line of lines) {
    if (!/\\[nt]/.test(line)) continue;
    const body = line.trim();
    const decoded = body.replace(
      /(?<!\\)((?:\\\\)*)\\([nt])/g,
      (_found, pairs: string, sign: string) => pairs + (sign === 'n' ? '\n' : '\t'),
    );
    if (decoded === body || !search.includes(decoded)) continue;
    search = search.replaceAll(decoded, () => body);
    replace = replace.replaceAll(decoded, () => body);
  }
  return search === block.search ? undefined : { search, replace, note: 'ignored: escapes read as line ends' };
}
