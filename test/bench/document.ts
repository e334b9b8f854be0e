import type { Line } from './figure.ts';

const block = /<!-- bench: ([\w ]+) -->\n[\s\S]*?<!-- \/bench -->/g;
const head = '| # | What | svc Assistant | Beside it | Measured |\n|---|---|---|---|---|';

/**
 * docs/performance.md with what was just measured: a block takes the rows that its first line names. Rows of what was measured now
 * are replaced, all others stay as they are, with the day on which they were measured. What no block names is left out.
 */
export function withMeasured(document: string, lines: readonly Line[], day: string): string {
  const measured = new Set(lines.map(({ id }) => id));
  return document.replace(block, (whole, names: string) => {
    const ids = names.split(' ');
    const kept = whole.split('\n').filter((row) => /^\| [PA]\d/.test(row) && !measured.has(idOf(row)));
    const fresh = lines.filter(({ id }) => ids.includes(id)).map((line) => rowOf(line, day));
    const rows = [...kept, ...fresh].toSorted((a, b) => ids.indexOf(idOf(a)) - ids.indexOf(idOf(b)));
    return `<!-- bench: ${names} -->\n${[head, ...rows].join('\n')}\n<!-- /bench -->`;
  });
}

const idOf = (row: string) => row.split(' ')[1] ?? '';

function rowOf({ id, what, ours, anchor, measured, comparison, goal }: Line, day: string): string {
  const beside = anchor === '' ? [] : [`${anchor}: ${measured}`, comparison];
  const told = [...beside, goal === '' ? '' : `goal ${goal}`].filter((part) => part !== '').join(' · ');
  return `| ${[id, what, ours, told, day].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
