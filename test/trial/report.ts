import type { Attempt } from '../../src/shared/messages.ts';
import { formatMicroUsd } from '../../src/shared/money.ts';
import { counts, sumCost } from '../../src/spend/price.ts';
import type { TaskResult } from './run-task.ts';
import type { TrialReport } from './trial.ts';

/** Writes the report as Markdown: what each model did, task by task, and what the service said that nobody knew. */
export function reportOf(report: TrialReport): string {
  const { results, planned, spentMicroUsd, maxUsd, end } = report;
  return [
    '# A trial of svc Assistant with a real key',
    '',
    `${report.at.slice(0, 16).replace('T', ' ')} UTC · ${results.length} of ${planned} tasks${end === undefined ? '' : `, then ${end}`} · ${formatMicroUsd(spentMicroUsd, false)} of at most $${maxUsd}`,
    '',
    ...section('By model', modelTable(report)),
    ...section('By task', taskTable(report)),
    ...section('What the models do', factTable(report)),
    ...section('What the service said that is not read', unknownTable(report)),
    ...section('Free checks', checkTable(report)),
    ...section('What did not work', failures(results)),
    'The key is cut everywhere, and the address is left out. Raw answers with something unknown are in `raw-*.txt`, whole conversations in `transcripts/`: look through them before you send them on.',
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

type Cells = readonly (string | number)[];

/** Pads the columns, so that the table is one in a terminal, too. */
function table(head: readonly string[], rows: readonly Cells[]): string[] {
  if (rows.length === 0) return [];
  const all = [head, ...rows].map((cells) => cells.map(plain));
  const widths = head.map((_, at) => Math.max(3, ...all.map((cells) => cells[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [first = [], ...rest] = all;
  return [line(first), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest.map(line)];
}

/** What came over the network is no markup here. */
function plain(cell: string | number): string {
  return String(cell)
    .replace(/\s+/g, ' ')
    .replace(/[|<`]|(?<=\])\(/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The table that is also printed at the end. */
export function modelTable({ models, results, facts, unknown }: TrialReport): string[] {
  const rows = models.flatMap((model) => {
    const own = results.filter((result) => result.model === model);
    const attempts = own.flatMap((result) => result.attempts);
    if (attempts.length === 0 && !facts.has(model)) return [];
    const all = [...attempts, ...(facts.get(model)?.attempts ?? [])];
    const sum = (of: keyof TaskResult) => own.reduce((total, result) => total + Number(result[of]), 0);
    return [
      [
        model,
        `${own.filter(({ end }) => end === 'solved').length} of ${own.filter(isJudged).length}`,
        attempts.length,
        tokensOf(attempts),
        formatMicroUsd(sumCost(all).microUsd, sumCost(all).estimated),
        timeOf(sum('seconds')),
        sum('calls'),
        ...[sum('looseCalls'), sum('leaks'), sum('refusals'), sum('reminders')],
        unknown.filter(({ models: of }) => of.has(model)).length,
      ],
    ];
  });
  const head = ['Model', 'Solved', 'Requests', 'Tokens (thinking)', '$', 'Time', 'Calls'];
  return table([...head, 'Read loosely', 'Leaked', 'Refused', 'Reminded', 'Unknown'], rows);
}

function isJudged({ end }: TaskResult): boolean {
  return end === 'solved' || end === 'failed';
}

function tokensOf(attempts: readonly Attempt[]): string {
  const { totalTokens } = sumCost(attempts);
  const known = attempts.filter((attempt) => counts(attempt) && attempt.reasoningTokens !== undefined);
  const thinking = known.reduce((sum, { reasoningTokens = 0 }) => sum + reasoningTokens, 0);
  return `${totalTokens} (${known.length === 0 ? 'not told' : thinking})`;
}

function timeOf(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function taskTable({ models, results, skipped }: TrialReport): string[] {
  const tasks = [...new Map(results.map((result) => [result.task, result])).values()];
  const cell = (task: string, model: string) => {
    const found = results.find((result) => result.task === task && result.model === model);
    if (found === undefined) return '–';
    const mark = found.end === 'solved' ? '✓' : found.end === 'failed' ? '✗' : found.end;
    return found.trespassed.length > 0 ? `${mark} (changed ${found.trespassed.join(', ')})` : mark;
  };
  const rows = tasks
    .toSorted((one, other) => (one.task < other.task ? -1 : 1))
    .map(({ task, ability, language }) => [task, ability, language, ...models.map((model) => cell(task, model))]);
  const left = skipped.map(({ task, missing }) => `Skipped: ${task} (${missing.join(', ')} is missing)`);
  return [...table(['Task', 'Ability', 'Language', ...models], rows), ...(left.length > 0 ? ['', ...left] : [])];
}

function factTable({ facts, learned }: TrialReport): string[] {
  const rows = [...facts].map(([model, fact]) => {
    const { parameters, streamOptions, contextTokens } = learned.get(model);
    const refused = Object.entries(parameters).flatMap(([name, { works }]) => (works ? [] : [name]));
    if (streamOptions?.works === false) refused.push('stream_options');
    const { streaming, tools, images, usage, unknownParameter } = fact;
    return [model, streaming, tools, images, usage, unknownParameter, refused.join(', ') || '–', contextTokens ?? '–'];
  });
  const head = ['Model', 'Streaming', 'Tools', 'Image', 'Usage', 'Unknown parameter'];
  return table([...head, 'Refused', 'Context told'], rows);
}

function unknownTable({ unknown }: TrialReport): string[] {
  const rows = unknown.map(({ place, example, models, times, file }) => [
    ...[place, example.slice(0, 120), [...models].join(', '), times, file ?? '–'],
  ]);
  return table(['Where', 'For example', 'Models', 'Answers', 'Raw'], rows);
}

function checkTable({ check }: TrialReport): string[] {
  const rows = check.lines.map(({ request, note, expected, seen, verdict }) => [
    ...[note === undefined ? request : `${request} ${note}`, expected, seen, verdict],
  ]);
  return table(['Request', 'Expected', 'Seen', ''], rows);
}

function failures(results: readonly TaskResult[]): string[] {
  return results
    .filter(({ end, trespassed }) => end !== 'solved' || trespassed.length > 0)
    .flatMap(({ task, model, end, detail, trespassed }) => [
      `### ${task}, ${model}: ${end}`,
      '',
      ...(trespassed.length > 0 ? [`It changed what was not its to change: ${trespassed.join(', ')}`, ''] : []),
      '~~~',
      detail.replaceAll('~~~', '~ ~ ~').trim(),
      '~~~',
      '',
    ]);
}
