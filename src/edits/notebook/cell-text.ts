import * as z from 'zod/mini';
import { parseJson } from '../../base/parse-json.ts';

/**
 * A line that begins with this sign says which part of the notebook follows. Lines of cells that begin like it get
 * one more `%`.
 */
const sign = '%%%%';

const joined = z.union([z.string(), z.array(z.string())]);
const cellSchema = z.looseObject({ cell_type: z.string(), source: joined });
const notebookSchema = z.looseObject({ cells: z.array(cellSchema), nbformat: z.number() });

export type Cell = z.infer<typeof cellSchema>;
export type Notebook = z.infer<typeof notebookSchema>;

/** Returns undefined for a text that is no notebook of the fourth format, which Jupyter and VS Code write. */
export function parseNotebook(json: string): Notebook | undefined {
  const parsed = notebookSchema.safeParse(parseJson(json));
  return parsed.success ? parsed.data : undefined;
}

export function isNotebookPath(path: string): boolean {
  return path.endsWith('.ipynb');
}

/**
 * Returns a notebook as lines to be compared: each cell with its text, then what else is known of it, and the
 * notebook's own data at the end. The result is equal for JSON texts that differ only in layout, order of keys, names
 * of cells, and in how editors write the same. A text that is no notebook is returned as it is.
 */
export function cellText(json: string): string {
  const notebook = parseNotebook(json);
  return notebook === undefined ? json : textOfNotebook(notebook);
}

export function textOfNotebook({ cells, ...rest }: Notebook): string {
  return [...cells.flatMap(linesOfCell), `${sign} notebook`, ...dataLines(rest)].join('\n');
}

export function linesOfCell({ cell_type, source, id: _, ...rest }: Cell): string[] {
  const text = textOfSource(source);
  const lines = text === '' ? [] : text.split('\n').map((line) => (line.startsWith(sign) ? `%${line}` : line));
  const data = withoutEmpty(rest);
  const isBare = Object.keys(data).length === 0;
  return [`${sign} ${cell_type}`, ...lines, ...(isBare ? [] : [`${sign} data`, ...dataLines(data)])];
}

export function textOfSource(source: Cell['source']): string {
  const text = typeof source === 'string' ? source : source.join('');
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Parses lines of `cellText` back; the cells have no names. Returns undefined when the lines are no notebook. */
export function notebookOfText(text: string): Notebook | undefined {
  const parts: { name: string; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith(sign) && !line.startsWith(`%${sign}`)) parts.push({ name: line.slice(5), lines: [] });
    else if (parts.length === 0) return undefined;
    else parts.at(-1)?.lines.push(line.startsWith(`%${sign}`) ? line.slice(1) : line);
  }
  const cells: Cell[] = [];
  let rest: unknown;
  for (const { name, lines } of parts) {
    const own = lines.join('\n');
    const last = cells.at(-1);
    if (name === 'notebook') rest = parseJson(own);
    else if (name !== 'data') cells.push({ cell_type: name, source: own });
    else if (last === undefined) return undefined;
    else Object.assign(last, parseJson(own));
  }
  const parsed = notebookSchema.safeParse({ ...(typeof rest === 'object' ? rest : {}), cells });
  return parsed.success ? parsed.data : undefined;
}

function withoutEmpty(rest: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
  const left = Object.entries(rest).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(left.map(([key, value]) => [key, key === 'outputs' ? plainOutputs(value) : value]));
}

function plainOutputs(outputs: unknown): unknown {
  const plain = (value: unknown) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join('') : value;
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  const each = (value: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
  if (!Array.isArray(outputs)) return outputs;
  return outputs.map((output: unknown) => {
    if (!isObject(output)) return output;
    return { ...each(output), ...(isObject(output.data) && { data: each(output.data) }) };
  });
}

function dataLines(data: object): string[] {
  return JSON.stringify(sorted(data), undefined, 1).split('\n');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}
