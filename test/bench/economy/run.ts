import path from 'node:path';
import { parseArgs } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { systemPrompt } from '../../../src/agent/system-prompt.ts';
import { toolDefinitions } from '../../../src/agent/tool-definitions.ts';
import type { WindowPorts } from '../../../src/tools/all-tools.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { plainTable } from '../table.ts';
import { inOwnWords } from '../trajectories/own-words.ts';
import { folderVariable, readTrajectories } from '../trajectories/read.ts';
import { freshNames } from '../trajectories/sources.ts';
import { generatedSession } from './generated.ts';
import { needsOf } from './needs.ts';
import { front, oursWithin, policies } from './policies.ts';
import { type Policy, type Replayed, replay } from './replay.ts';
import type { Session } from './session.ts';

const generated = 3;
/** Shorter sessions tell nothing of long ones. */
const fewestRequests = 100;
const windowTokens = 128_000;

interface Options {
  seed: number;
  progress(text: string): void;
}

interface Row {
  session: Session;
  full: Record<'all' | 'begin', number>;
  by: Record<string, Record<'all' | 'begin', Replayed>>;
}

/** `node test/bench/economy/run.ts [--seed N]`: what every session costs under every policy, and what each loses. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
  const progress = (text: string) => process.stderr.write(`${text}\n`);
  console.log(await report({ seed: Number(values.seed), progress }));
}

export async function report({ seed, progress }: Options): Promise<string> {
  const folder = process.env[folderVariable];
  const trajectories = folder === undefined ? [] : await readTrajectories(folder);
  const recorded = trajectories
    .map(({ name, messages }) => ({ name, messages: inOwnWords(messages) }))
    .filter(({ messages }) => messages.filter(({ role }) => role === 'assistant').length >= fewestRequests);
  const groups: [string, Session[]][] = [
    ['Recordings that nothing was chosen with', recorded.filter(({ name }) => freshNames.has(name))],
    ['Recordings that its numbers were chosen with', recorded.filter(({ name }) => !freshNames.has(name))],
    ['Generated sessions', Array.from({ length: generated }, (_, at) => generatedSession(seed + at))],
  ];
  const parts = groups.map(([title, sessions]) => {
    const rows = sessions.map((session) => measure(session, progress));
    return rows.length === 0 ? `${title}: none, ${folderVariable} names no folder` : tables(title, rows);
  });
  return `Seed ${seed}.\n\n${parts.join('\n\n')}`;
}

const offered = createReadTools({} as WindowPorts);
/** System text and tools, which every request carries. */
const overhead = encode(
  systemPrompt({ folders: [{ name: 'project' }], tools: offered, today: '2026-11-20' }) +
    JSON.stringify(toolDefinitions(offered)),
).length;

const contenders: Readonly<Record<string, () => Policy>> = {
  ...policies,
  [`ours, with a window of ${windowTokens / 1000}k tokens`]: oursWithin(windowTokens, overhead),
  ...Object.fromEntries(Object.entries(front).map(([name, create]) => [`ours, ${name}`, create])),
};

function measure(session: Session, progress: (text: string) => void): Row {
  const by: Row['by'] = {};
  const needs = needsOf(session);
  for (const [name, create] of Object.entries(contenders)) {
    progress(`P12: ${session.name}, ${name}`);
    const begin = replay(session, needs, create(), { overhead, upTo: fewestRequests });
    by[name] = { all: replay(session, needs, create(), { overhead }), begin };
  }
  const { all, begin } = by['everything again'] ?? {};
  return { session, full: { all: all?.tokens ?? 0, begin: begin?.tokens ?? 0 }, by };
}

function tables(title: string, rows: readonly Row[]): string {
  const head = [
    ...['', 'of full resending', 'mean of sessions', `first ${fewestRequests} requests`],
    ...['names missing', 'edits blinded', 'read again', 'ms a request'],
  ];
  const sums = Object.keys(contenders).map((name) => [name, ...figures(rows, name)]);
  const each = rows.map(({ session, full, by }) => {
    const ours = by.ours?.all;
    if (ours === undefined) return [];
    const at = (step: number) =>
      ours.requests[step - 1] === undefined ? '–' : `${Math.round((ours.requests[step - 1] ?? 0) / 1000)}k`;
    const { names, edits, requests } = ours;
    const lost = [`${names.missing} of ${names.needed}`, `${edits.blinded} of ${edits.needed}`];
    const share = (ours.tokens / full.all).toFixed(3);
    return [session.name, String(requests.length), share, ...lost, at(100), at(300), at(450)];
  });
  const eachHead = ['ours', 'requests', 'of full', 'names missing', 'edits blinded', 'at 100', 'at 300', 'at 450'];
  return `${title}\n\n${plainTable([head, ...sums])}\n\n${plainTable([eachHead, ...each])}`;
}

function figures(rows: readonly Row[], name: string): string[] {
  const all = rows.flatMap(({ by }) => by[name]?.all ?? []);
  const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((total, one) => total + of(one), 0);
  const ofFull = (part: 'all' | 'begin') =>
    sum(rows, ({ by }) => by[name]?.[part].tokens ?? 0) / sum(rows, ({ full }) => full[part]);
  const share = (part: number, whole: number) =>
    `${((100 * part) / Math.max(1, whole)).toFixed(1)} % (${part} of ${whole})`;
  const lost = (kind: 'names' | 'edits') =>
    sum(all, (one) => (kind === 'names' ? one.names.missing : one.edits.blinded));
  const times = all.flatMap(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return [
    ofFull('all').toFixed(3),
    (sum(rows, ({ by, full }) => (by[name]?.all.tokens ?? 0) / full.all) / rows.length).toFixed(3),
    ofFull('begin').toFixed(3),
    share(
      lost('names'),
      sum(all, ({ names }) => names.needed),
    ),
    share(
      lost('edits'),
      sum(all, ({ edits }) => edits.needed),
    ),
    String(sum(all, ({ reads }) => reads)),
    (times[Math.floor(times.length * 0.95)] ?? 0).toFixed(1),
  ];
}

if (process.argv[1] === path.join(import.meta.dirname, 'run.ts')) await main();
