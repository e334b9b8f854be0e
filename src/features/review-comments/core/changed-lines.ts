import { createHash } from 'node:crypto';
import { splitDiff } from '../../../edits/apply/unified-hunks.ts';

/** Lines are those of the new text and count from 0. */
export interface ChangedLines {
  path: string;
  first: number;
  count: number;
  text: string;
  /** The hash identifies a change wherever it moves to. */
  hash: string;
}

export function changedLines(path: string, diff: string): ChangedLines[] {
  return splitDiff(diff).hunks.map(({ newStart, newCount, text }) => {
    const [, ...rows] = text.replace(/\n$/, '').split('\n');
    // Without lines of the new text a hunk names the line above it.
    return hunk(path, { first: newCount === 0 ? newStart : newStart - 1, count: newCount, rows });
  });
}

export function newLines(path: string, text: string): ChangedLines {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return hunk(path, { first: 0, count: lines.length, rows: lines.map((line) => `+${line}`) });
}

function hunk(
  path: string,
  { first, count, rows }: { first: number; count: number; rows: readonly string[] },
): ChangedLines {
  let line = first;
  const shown = rows.flatMap((row) => {
    // "\ No newline at end of file"
    if (row.startsWith('\\')) return [];
    const sign = row[0] ?? ' ';
    const number = sign === '-' ? '' : String(++line);
    return [`${number.padStart(5)} ${sign}${row.slice(1).replace(/\r$/, '')}`];
  });
  const changed = rows.filter((row) => /^[+-]/.test(row));
  const hash = createHash('sha256')
    .update(JSON.stringify([path, changed]))
    .digest('base64');
  return { path, first, count, text: shown.join('\n'), hash };
}

const maxCharacters = 16_000;

/** Returns as many hunks, in their order, as one review takes, but at least one, which `materialText` then cuts. */
export function firstPart(all: readonly ChangedLines[]): readonly ChangedLines[] {
  let length = 0;
  const taken = all.findIndex((one) => {
    length += one.text.length + one.path.length + 10;
    return length > maxCharacters;
  });
  return taken < 0 ? all : all.slice(0, Math.max(1, taken));
}

export function materialText(hunks: readonly ChangedLines[]): string {
  const files = Map.groupBy(hunks, ({ path }) => path);
  const parts = [...files].map(([path, own]) => `File: ${path}\n${own.map(({ text }) => text).join('\n   …\n')}`);
  const text = parts.join('\n\n');
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).toWellFormed()}\n[cut here]`;
}
