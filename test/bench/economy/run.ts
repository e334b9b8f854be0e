import path from 'node:path';
import { parseArgs } from 'node:util';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import { costMicroUsd } from '../../../src/spend/price.ts';
import {
  all,
  answered,
  bestPeer,
  contendersOf,
  type EconomyOptions,
  ours,
  run,
  type SessionResult,
  tokensOf,
} from './measure.ts';
import { longAgo } from './record-session.ts';
import type { Request } from './replay.ts';

/** `node test/bench/economy/run.ts [--seed N] [session …]`: prints what every session cost whom, and the curve. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { seed: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 1) throw new Error('--seed takes a whole number from 1');
  const sessions = positionals.length > 0 ? { sessions: positionals } : {};
  const progress = (text: string) => process.stderr.write(`${text}\n`);
  console.log(await report({ seed, ...sessions, progress }));
}

/** The tables and the curve, as they are printed. */
export async function report(options: EconomyOptions): Promise<string> {
  const results = await run(options);
  if (results.length === 0) throw new Error(`no session ${options.sessions?.join(', ')}`);
  return [
    `Seed ${options.seed}.`,
    costs(results),
    ratios(results),
    kinds(results),
    unmarked(results),
    curve(results),
  ].join('\n\n');
}

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

function costs(results: readonly SessionResult[]): string {
  const names = contendersOf(results);
  const cell = (requests: Parameters<typeof tokensOf>[0]) =>
    `${tokensOf(requests)} (${Math.floor(answered(requests) * 1000) / 10} %)`;
  const rows = results.map(({ session, requests }) => [
    `${session.name}, ${requests[ours]?.length ?? 0} requests, ${session.facts.filter((fact) => fact.ask === undefined).length} facts`,
    ...names.map((name) => cell(requests[name] ?? [])),
  ]);
  const total = ['all', ...names.map((name) => cell(all(results, name)))];
  const price = ['price', ...names.map((name) => formatMicroUsd(costMicroUsd(tokensOf(all(results, name))), false))];
  return `Tokens billed (facts answered for by every request)\n\n${table([['session', ...names], ...rows, total, price])}`;
}

function ratios(results: readonly SessionResult[]): string {
  const best = bestPeer(results);
  if (best === undefined) return 'No other agent answers for all facts.';
  const ratio = (of: readonly SessionResult[]) => (tokensOf(all(of, ours)) / tokensOf(all(of, best))).toFixed(3);
  const each = results.map((result) => `${result.session.name} ${ratio([result])}`);
  return `Against ${best}, the cheapest agent that answers for all: ${ratio(results)} (${each.join(', ')}); goal 0.3.`;
}

function kinds(results: readonly SessionResult[]): string {
  const facts = results.flatMap(({ session }) => session.facts).filter((fact) => fact.ask === undefined);
  const counts = [...Map.groupBy(facts, ({ kind }) => kind)].map(([kind, list]) => `${kind} ${list.length}`);
  const lost = [...new Set(all(results, ours).flatMap((request) => request.lost))];
  const missing = lost.map(({ kind, answer }) => `${kind}: ${answer}`);
  return `Facts: ${counts.join(', ')}. Lost by ours: ${missing.length === 0 ? 'none' : missing.join('; ')}.`;
}

/** What no rule could know to be needed: how much of it is there anyway, there once it is asked for, and one read away. */
function unmarked(results: readonly SessionResult[]): string {
  const rows = contendersOf(results).map((name) => {
    const requests = all(results, name).map(({ plain }) => plain);
    const sum = (count: (plain: Request['plain']) => number) =>
      requests.reduce((total, plain) => total + count(plain), 0);
    const known = sum((plain) => plain.known);
    const unanswered = sum((plain) => plain.unanswered.length);
    const unnamed = sum((plain) => plain.unnamed);
    const lost = sum((plain) => plain.lost);
    return [
      name,
      ...[known - lost, known - unanswered, unanswered - unnamed, unnamed].map(
        (count) => `${((100 * count) / Math.max(1, known)).toFixed(2)} %`,
      ),
    ];
  });
  const head = [
    '',
    'in the request',
    'in the request or in that of a question for it',
    'only their file is named',
    'gone',
  ];
  const facts = results.flatMap(({ session }) => session.facts).filter((fact) => fact.ask !== undefined);
  const asked = all(results, ours).reduce((sum, { needed }) => sum + needed.asked, 0);
  const unanswered = all(results, ours).flatMap(({ needed }) => needed.lost);
  const missed = new Set([...unanswered, ...all(results, ours).flatMap(({ plain }) => plain.unanswered)]);
  const told = [...missed].map(({ path, ask, answer }) => `- ${path}: ${ask} (${answer})`).join('\n');
  return [
    `${facts.length} facts in lines that nothing marks`,
    table([head, ...rows]),
    `The sessions themselves ask for ${asked} of them at least ${longAgo} messages later: ${asked - unanswered.length} stand in the request that asks.`,
    ...(told === '' ? [] : [told]),
  ].join('\n\n');
}

/** Mean tokens of the n-th request, over the sessions that are long enough. */
function curve(results: readonly SessionResult[]): string {
  const longest = Math.max(...results.map(({ requests }) => requests[ours]?.length ?? 0));
  const long = results.filter(({ requests }) => (requests[ours]?.length ?? 0) >= longest * 0.9);
  const names = contendersOf(results);
  const at = Array.from({ length: Math.floor(longest / 10) }, (_, index) => (index + 1) * 10);
  const mean = (name: string, step: number) => {
    const values = long.flatMap(({ requests }) => requests[name]?.[step - 1]?.tokens ?? []);
    return Math.round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
  };
  const rows = names.map((name) => [name, ...at.map((step) => String(mean(name, step)))]);
  return `Tokens of the n-th request (mean of ${long.length} sessions)\n\n${table([['', ...at.map(String)], ...rows])}`;
}

if (process.argv[1] === path.join(import.meta.dirname, 'run.ts')) await main();
