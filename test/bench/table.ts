import type { Line } from './figure.ts';

const columns: [keyof Line, string][] = [
  ['id', '#'],
  ['what', 'what'],
  ['ours', 'ours'],
  ['anchor', 'beside'],
  ['measured', 'measured'],
  ['comparison', 'worst round (median)'],
  ['goal', 'goal'],
  ['met', 'met'],
];

/** A Markdown table that is also readable as it stands. */
export function markdownTable(lines: readonly Line[]): string {
  const rows = [columns.map(([, title]) => title), ...lines.map((line) => columns.map(([key]) => line[key]))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const format = (row: readonly string[]) =>
    `| ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const [head = [], ...body] = rows;
  return [format(head), rule, ...body.map(format)].join('\n');
}

/** The first row is the head. */
export function plainTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}
