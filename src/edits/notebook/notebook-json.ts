import { diffLineHunks } from '../apply/line-diff.ts';
import {
  type Cell,
  cellText,
  linesOfCell,
  type Notebook,
  notebookOfText,
  parseNotebook,
  textOfSource,
} from './cell-text.ts';

interface Written {
  json: string;
  notebook: Notebook;
  keys: readonly string[];
  root: JsonSpan;
  array: JsonSpan;
  items: readonly JsonSpan[];
  indent: string;
}

/**
 * Writes the notebook that `text`, lines of `cellText`, describes: only what differs is changed in `now`, byte for
 * byte. What the earlier file `before` had comes back as it was there. Returns undefined when the lines are no
 * notebook.
 */
export function notebookJson(
  text: string,
  { now, before }: { now: string; before?: string | undefined },
): string | undefined {
  for (const whole of [before, now]) if (whole !== undefined && cellText(whole) === text) return whole;
  const wanted = notebookOfText(text);
  const [own, old] = [now, before].map((json) => (json === undefined ? undefined : written(json)));
  if (wanted === undefined || own === undefined) return undefined;
  const result = withRest(withCells(own, wanted.cells, old), wanted, old);
  return result !== undefined && cellText(result) === text ? result : undefined;
}

function written(json: string): Written | undefined {
  const notebook = parseNotebook(json);
  if (notebook === undefined) return undefined;
  const root = jsonSpans(json);
  const array = root.members?.get('cells');
  if (array?.items === undefined) return undefined;
  const indent = /^\{\r?\n([ \t]+)"/.exec(json.slice(root.start))?.[1] ?? '';
  return { json, notebook, keys: notebook.cells.map(keyOf), root, array, items: array.items, indent };
}

function keyOf(cell: Cell): string {
  return JSON.stringify(linesOfCell(cell));
}

function withCells(own: Written, wanted: readonly Cell[], old: Written | undefined): string {
  const { json, array, items } = own;
  const keys = wanted.map(keyOf);
  const pieces: { text: string; at?: number }[] = [];
  let at = 0;
  const keep = (until: number) => {
    for (; at < until; at++) pieces.push({ text: sliceOf(json, items[at]), at });
  };
  for (const { before, after } of diffLineHunks(own.keys, keys)) {
    keep(before.start);
    for (const [nth, cell] of wanted.slice(after.start, after.start + after.count).entries()) {
      const place = before.count === after.count ? before.start + nth : undefined;
      pieces.push({ text: cellJson(own, cell, { old, place }), ...(place !== undefined && { at: place }) });
    }
    at = before.start + before.count;
  }
  keep(items.length);
  const gap = gapsOf(items.length > 0 || old === undefined ? own : old);
  const inner = pieces.map(({ text, at: place }, nth) => {
    const last = pieces[nth - 1]?.at;
    if (nth === 0) return text;
    const isAsItWas = place !== undefined && last === place - 1;
    return `${isAsItWas ? json.slice(items[last]?.end, items[place]?.start) : gap.between}${text}`;
  });
  const body = pieces.length === 0 ? '' : `${gap.first}${inner.join('')}${gap.last}`;
  return `${json.slice(0, array.start)}[${body}]${json.slice(array.end)}`;
}

function gapsOf({ json, array, items, indent }: Written): { first: string; between: string; last: string } {
  const [one, two, end] = [items[0], items[1], items.at(-1)];
  const newline = indent === '' ? '' : newlineOf(json);
  if (one === undefined || end === undefined) {
    return { first: newline + indent.repeat(2), between: `,${newline}${indent.repeat(2)}`, last: newline + indent };
  }
  const first = json.slice(array.start + 1, one.start);
  return {
    first,
    between: two === undefined ? `,${first}` : json.slice(one.end, two.start),
    last: json.slice(end.end, array.end - 1),
  };
}

/** Reuses the text of the earlier file, else changes only the source in the current cell, else writes the cell anew. */
function cellJson(
  own: Written,
  cell: Cell,
  { old, place }: { old: Written | undefined; place: number | undefined },
): string {
  const same = old?.keys.indexOf(keyOf(cell)) ?? -1;
  const there = place === undefined ? undefined : own.items[place];
  const source = there?.members?.get('source');
  const known = place === undefined ? undefined : own.notebook.cells[place];
  const isText = known !== undefined && keyOf({ ...known, source: cell.source }) === keyOf(cell);
  const isLaidOutAlike = old?.indent === own.indent;
  if (there !== undefined && source !== undefined && isText) {
    const was = same >= 0 && isLaidOutAlike ? old?.items[same]?.members?.get('source') : undefined;
    const isMany = own.json[source.start] === '[';
    const lines = isMany ? linesWithEnds(textOfSource(cell.source)) : textOfSource(cell.source);
    const text = was && old ? sliceOf(old.json, was) : layOut(own, lines, source.start);
    return own.json.slice(there.start, source.start) + text + own.json.slice(source.end, there.end);
  }
  if (same >= 0 && old !== undefined) return sliceOf(old.json, old.items[same]);
  const { cell_type, source: given, ...rest } = cell;
  const isCode = cell_type === 'code';
  const full = {
    cell_type,
    ...(isCode && { execution_count: null }),
    metadata: {},
    ...(isCode && { outputs: [] }),
    ...rest,
    source: linesWithEnds(textOfSource(given)),
  };
  return layOut(own, full, own.items[0]?.start);
}

function linesWithEnds(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function layOut({ json, indent }: Written, value: unknown, at: number | undefined): string {
  if (indent === '') return JSON.stringify(value);
  const lineStart = at === undefined ? -1 : json.lastIndexOf('\n', at - 1);
  const base = at === undefined ? indent.repeat(2) : (/^[ \t]*/.exec(json.slice(lineStart + 1))?.[0] ?? '');
  return JSON.stringify(value, undefined, indent).replaceAll('\n', `${newlineOf(json)}${base}`);
}

function newlineOf(json: string): string {
  return json.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns undefined when keys were added or removed, which is not written here. */
function withRest(json: string, wanted: Notebook, old: Written | undefined): string | undefined {
  const own = written(json);
  if (own === undefined) return undefined;
  const { cells: _, ...rest } = wanted;
  const names = Object.keys(own.notebook).filter((name) => name !== 'cells');
  if (names.length !== Object.keys(rest).length || names.some((name) => !(name in rest))) return undefined;
  let result = json;
  const places = [...(own.root.members ?? [])].filter(([name]) => name !== 'cells');
  for (const [name, place] of places.sort(([, one], [, other]) => other.start - one.start)) {
    const isSame = (notebook: Notebook | undefined) => plain(notebook?.[name]) === plain(rest[name]);
    if (isSame(own.notebook)) continue;
    const was = old && isSame(old.notebook) ? old.root.members?.get(name) : undefined;
    const text = was && old ? sliceOf(old.json, was) : layOut(own, rest[name], place.start);
    result = result.slice(0, place.start) + text + result.slice(place.end);
  }
  return result;
}

function plain(value: unknown): string {
  return cellText(JSON.stringify({ cells: [], nbformat: 4, value }));
}

function sliceOf(json: string, place: JsonSpan | undefined): string {
  return place === undefined ? '' : json.slice(place.start, place.end);
}

interface JsonSpan {
  start: number;
  end: number;
  items?: readonly JsonSpan[];
  /** Holds the values of an object by key; of a repeated key the last one counts, as for `JSON.parse`. */
  members?: ReadonlyMap<string, JsonSpan>;
}

/** Expects a text that `JSON.parse` accepts. */
function jsonSpans(text: string): JsonSpan {
  return placeAt(text, skip(text, 0));
}

function placeAt(text: string, start: number): JsonSpan {
  switch (text[start]) {
    case '{':
      return objectAt(text, start);
    case '[':
      return arrayAt(text, start);
    case '"':
      return { start, end: stringEnd(text, start) };
    default:
      return { start, end: scalarEnd(text, start) };
  }
}

function objectAt(text: string, start: number): JsonSpan {
  const members = new Map<string, JsonSpan>();
  let at = skip(text, start + 1);
  while (text[at] !== '}') {
    const end = stringEnd(text, at);
    const key: string = JSON.parse(text.slice(at, end));
    const value = placeAt(text, skip(text, skip(text, end) + 1));
    members.set(key, value);
    at = skip(text, value.end);
    if (text[at] === ',') at = skip(text, at + 1);
  }
  return { start, end: at + 1, members };
}

function arrayAt(text: string, start: number): JsonSpan {
  const items: JsonSpan[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== ']') {
    const item = placeAt(text, at);
    items.push(item);
    at = skip(text, item.end);
    if (text[at] === ',') at = skip(text, at + 1);
  }
  return { start, end: at + 1, items };
}

function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
  return at;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function scalarEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at++;
  return at;
}
