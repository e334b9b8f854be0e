import { ignoreToolError, ToolError } from '../../agent/tool.ts';
import { cutText } from '../../base/cut-text.ts';
import { resolvePlace, resolveText } from '../../files/path-guard.ts';
import { readText } from '../../files/read-text.ts';
import { displayPath, type Place, type Workspace } from '../../files/workspace.ts';
import { writeOutInvisible } from '../../shared/invisible-signs.ts';
import { findWord, type SearchTextDeps } from '../search-text.ts';

/**
 * Wraps the editor's language features, which replace an index that the service cannot have. Lines and columns count
 * from 1, columns in UTF-16 units. `undefined` means that no extension in this editor knows the language.
 */
export interface Language {
  /** Resolves with each line of the document as the user sees it. Rejects with `ToolError` when it cannot be opened. */
  lines(place: Place): Promise<readonly string[]>;
  isOpen(place: Place): boolean;
  outline(place: Place): Promise<readonly OutlineEntry[] | undefined>;
  symbols(query: string): Promise<readonly FoundSymbol[]>;
  definitions(place: Place, line: number, column: number): Promise<readonly Location[]>;
  references(place: Place, line: number, column: number): Promise<readonly Location[]>;
  /**
   * Covers one file or everything under a folder. A file that was not read yet is opened, and the checkers get a
   * moment.
   */
  problems(under: Place | undefined, signal: AbortSignal): Promise<readonly Problem[]>;
  /**
   * Call it before edits, and the returned function after them. That function waits, not for long, until the checkers
   * that are known to check such files have reported on each.
   */
  watchEdits(): (signal: AbortSignal) => Promise<CheckedEdits>;
}

export interface CheckedEdits {
  /** `before` and `after` hold every known problem of the workspace, before the edits and now. */
  before: readonly Problem[];
  after: readonly Problem[];
  changed: readonly Place[];
  isComplete: boolean;
}

export interface OutlineEntry {
  name: string;
  kind: string;
  line: number;
  endLine: number;
  depth: number;
}

export interface Location {
  /** It is absent for what is outside of the workspace; then only `name` identifies the file. */
  place?: Place;
  name: string;
  line: number;
}

export interface FoundSymbol extends Location {
  symbol: string;
  kind: string;
  container: string;
}

export interface Problem {
  place: Place;
  line: number;
  column: number;
  severity: 'error' | 'warning' | 'info';
  message: string;
  source: string;
}

export interface LanguageDeps extends SearchTextDeps {
  language: Language;
}

const maxTextLength = 160;
/** Models miscount; the nearest line that holds the name within this many lines is meant. */
const searchedLines = 20;
const maxElsewhere = 10;

/** Finds the name as a whole word on or near a line. Throws `ToolError` when it is nowhere near. */
export function locateSymbol(lines: readonly string[], line: number, symbol: string): { line: number; column: number } {
  const name = nameOf(symbol);
  if (name === '') throw new ToolError('symbol must not be empty.');
  for (let distance = 0; distance <= searchedLines; distance++) {
    for (const candidate of distance === 0 ? [line] : [line - distance, line + distance]) {
      const column = columnOf(lines[candidate - 1] ?? '', name);
      if (column !== undefined) return { line: candidate, column };
    }
  }
  throw new ToolError(`"${name.slice(0, 80)}" does not stand on line ${line} or near it. Look with search_text.`);
}

/** A model may write more than the name: `Cart.add(item)`. */
function nameOf(symbol: string): string {
  const last = symbol.split(/[.#]|::/).at(-1) ?? '';
  return last.replace(/\(.*$/s, '').trim() || symbol;
}

function columnOf(text: string, name: string): number | undefined {
  const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
  for (let from = text.indexOf(name); from >= 0; from = text.indexOf(name, from + 1)) {
    if (!isPart(text[from - 1]) && !isPart(text[from + name.length])) return from + 1;
  }
  return undefined;
}

export async function locationsOf(
  deps: LanguageDeps,
  { path, line, symbol }: { path: string; line: number; symbol: string },
  ask: 'definitions' | 'references',
): Promise<readonly Location[]> {
  const place = await resolvePlace(deps.workspace, path);
  const at = locateSymbol(await deps.language.lines(place), line, symbol);
  return deps.language[ask](place, at.line, at.column);
}

/**
 * A language server that still reads its project answers for the files that are open, or not at all. An answer that
 * names no other file is therefore followed by the lines that hold the word elsewhere.
 */
export async function withWordElsewhere(
  deps: LanguageDeps,
  { symbol, known, answer }: { symbol: string; known: readonly Location[]; answer: string },
  signal: AbortSignal,
): Promise<string> {
  const { workspace, language } = deps;
  if (known.some(({ place }) => place !== undefined && !language.isOpen(place))) return answer;
  const named = new Set(known.map(({ place }) => place && displayPath(workspace, place)));
  const lines = (await findWord(deps, nameOf(symbol), signal).catch(ignoreToolError)) ?? [];
  const elsewhere = lines.filter(({ place }) => !named.has(displayPath(workspace, place)));
  if (elsewhere.length === 0) return answer;
  const found = elsewhere.map(({ place, line }) => ({ place, name: place.path, line }));
  const shown = await describeLocations(deps, found, maxElsewhere);
  return `${answer}\n[The editor may still be reading the project. As text the word is also here:]\n${shown}`;
}

/**
 * Groups locations by file, so that no path is paid for twice. What is outside of the workspace is named and not
 * read; neither is what may hold secrets.
 */
export async function describeLocations(
  deps: LanguageDeps,
  locations: readonly Location[],
  maxShown: number,
): Promise<string> {
  const { workspace } = deps;
  const unique = [...new Map(locations.map((location) => [keyOf(workspace, location), location])).values()];
  const inside = unique.filter(({ place }) => place !== undefined);
  const outside = unique.filter(({ place }) => place === undefined);
  const shown = inside.slice(0, maxShown);
  const blocks: string[] = [];
  for (const [path, found] of Map.groupBy(shown, ({ place }) => (place ? displayPath(workspace, place) : ''))) {
    const lines = await readableLines(deps, path).catch(ignoreToolError);
    const rows = found
      .toSorted((a, b) => a.line - b.line)
      .map(({ line }) => `${line}: ${cutText(lines?.[line - 1]?.trim() ?? '', maxTextLength)}`.trimEnd());
    blocks.push([writeOutInvisible(path), ...rows].join('\n'));
  }
  if (inside.length > shown.length) blocks.push(`[${inside.length - shown.length} more]`);
  const elsewhere = outside.slice(0, 5).map(({ name, line }) => `${name}:${line} (outside the workspace)`);
  return [...blocks, ...elsewhere].join('\n');
}

function keyOf(workspace: Workspace, { place, name, line }: Location): string {
  return `${place === undefined ? `outside ${name}` : displayPath(workspace, place)}:${line}`;
}

const maxReadBytes = 2 * 1024 * 1024;

async function readableLines(deps: LanguageDeps, path: string): Promise<string[] | undefined> {
  const { place, checked } = await resolveText(deps.workspace, path);
  const { text } = await readText(deps, place, { max: maxReadBytes, checked });
  return text?.split(/\r?\n/);
}
