import { isBlank } from '../match/line-tolerance.ts';

export type DiffSign = ' ' | '-' | '+';

export interface Change {
  old: readonly string[];
  new: readonly string[];
}

export interface Hunk extends Change {
  rows: { sign: DiffSign; text: string }[];
  old: string[];
  new: string[];
}

/** `gutter` is the width of the sign column; with `isBare`, lines that stay have no such column. */
export interface DiffLayout {
  gutter: 1 | 2;
  isBare: boolean;
}

/**
 * Parses the hunks of a unified diff without its headers. Lines that `stays` accepts are taken whole, whatever they
 * begin with. Returns undefined for what is no diff of this form.
 */
export function parseDiff(
  lines: readonly string[],
  { gutter, isBare }: DiffLayout,
  stays: (line: string) => boolean,
): Hunk[] | undefined {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  const open = () => {
    hunk = { rows: [], old: [], new: [] };
    hunks.push(hunk);
    return hunk;
  };
  for (const [at, line] of lines.entries()) {
    if (/^@@/.test(line)) {
      open();
      continue;
    }
    if (isHeader(lines, at)) continue;
    const row = stays(line) ? ({ sign: ' ', text: line } as const) : rowOf(line, gutter, isBare);
    if (row === undefined) return undefined;
    const { rows, old, new: fresh } = hunk ?? open();
    rows.push(row);
    if (row.sign !== '+') old.push(row.text);
    if (row.sign !== '-') fresh.push(row.text);
  }
  const full = hunks.filter(({ rows }) => rows.length > 0);
  return full.length === 0 ? undefined : full;
}

function rowOf(line: string, gutter: number, isBare: boolean): Hunk['rows'][number] | undefined {
  const column = line.slice(0, gutter);
  const rest = line.slice(gutter);
  if (column.startsWith('-') || column.startsWith('+')) {
    return column.slice(1).replace(' ', '') === ''
      ? { sign: column.startsWith('-') ? '-' : '+', text: rest }
      : undefined;
  }
  if (isBlank(line)) return { sign: ' ', text: '' };
  if (isBare) return { sign: ' ', text: line };
  return column === ' '.repeat(gutter) ? { sign: ' ', text: rest } : undefined;
}

export function isHeader(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (/^(?:diff --git |index [0-9a-f]+\.\.|\\ No newline)/.test(line)) return true;
  const [first, second] = line.startsWith('--- ') ? [line, lines[at + 1]] : [lines[at - 1], line];
  return /^--- \S/.test(first ?? '') && /^\+\+\+ \S/.test(second ?? '');
}
