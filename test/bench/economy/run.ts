import path from 'node:path';
import { parseArgs } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { systemPrompt } from '../../../src/agent/system-prompt.ts';
import { toolDefinitions } from '../../../src/agent/tool-definitions.ts';
import type { WindowPorts } from '../../../src/tools/index.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { plainTable } from '../table.ts';
import { inOwnWords } from '../trajectories/own-words.ts';
import { folderVariable, readTrajectories } from '../trajectories/read.ts';
import { generatedSession } from './generated.ts';
import { needsOf } from './needs.ts';
import { policies } from './policies.ts';
import { type Replayed, replay } from './replay.ts';
import type { Session } from './session.ts';

/** Those that the numbers of the policy were chosen on: their figures prove nothing. */
const tunedOn = ['django-11910-test', 'meridian-bugfix-2', 'retail', 'retail-2'];
const generated = 3;

interface Options {
  seed: number;
  progress(text: string): void;
}

interface Row {
  session: Session;
  full: number;
  by: Record<string, Replayed>;
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
  const recorded = trajectories.map(({ name, messages }) => ({ name, messages: inOwnWords(messages) }));
  const isTuned = ({ name }: Session) => tunedOn.includes(name);
  const groups: [string, Session[]][] = [
    ['Recordings that most of its numbers were not chosen on', recorded.filter((session) => !isTuned(session))],
    ['Recordings that its numbers were chosen on', recorded.filter(isTuned)],
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
  systemPrompt({ folders: ['project'], tools: offered, today: '2026-11-20' }) +
    JSON.stringify(toolDefinitions(offered)),
).length;

function measure(session: Session, progress: (text: string) => void): Row {
  const by: Record<string, Replayed> = {};
  const needs = needsOf(session);
  for (const [name, create] of Object.entries(policies)) {
    progress(`P12: ${session.name}, ${name}`);
    by[name] = replay(session, needs, create(), overhead);
  }
  return { session, full: by['everything again']?.tokens ?? 0, by };
}

function tables(title: string, rows: readonly Row[]): string {
  const sums = Object.keys(policies).map((name) => {
    const all = rows.flatMap(({ by }) => by[name] ?? []);
    return [name, ...figures(all, rows, name)];
  });
  const head = [
    '',
    'of full resending',
    'mean of sessions',
    'names missing',
    'edits blinded',
    'read again',
    'ms a request',
  ];
  const each = rows.map(({ session, full, by }) => {
    const ours = by.ours;
    if (ours === undefined) return [];
    const at = (step: number) =>
      ours.requests[step - 1] === undefined ? '–' : `${Math.round((ours.requests[step - 1] ?? 0) / 1000)}k`;
    const { names, edits, requests } = ours;
    const lost = [`${names.missing} of ${names.needed}`, `${edits.blinded} of ${edits.needed}`];
    return [session.name, String(requests.length), (ours.tokens / full).toFixed(3), ...lost, at(100), at(300), at(450)];
  });
  const eachHead = ['ours', 'requests', 'of full', 'names missing', 'edits blinded', 'at 100', 'at 300', 'at 450'];
  return `${title}\n\n${plainTable([head, ...sums])}\n\n${plainTable([eachHead, ...each])}`;
}

function figures(all: readonly Replayed[], rows: readonly Row[], name: string): string[] {
  const sum = (of: (one: Replayed) => number) => all.reduce((total, one) => total + of(one), 0);
  const full = rows.reduce((total, row) => total + row.full, 0);
  const mean = rows.reduce((total, row) => total + (row.by[name]?.tokens ?? 0) / row.full, 0) / rows.length;
  const share = (part: number, whole: number) =>
    `${((100 * part) / Math.max(1, whole)).toFixed(1)} % (${part} of ${whole})`;
  const times = all.flatMap(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return [
    (sum(({ tokens }) => tokens) / full).toFixed(3),
    mean.toFixed(3),
    share(
      sum(({ names }) => names.missing),
      sum(({ names }) => names.needed),
    ),
    share(
      sum(({ edits }) => edits.blinded),
      sum(({ edits }) => edits.needed),
    ),
    String(sum(({ reads }) => reads)),
    (times[Math.floor(times.length * 0.95)] ?? 0).toFixed(1),
  ];
}

if (process.argv[1] === path.join(import.meta.dirname, 'run.ts')) await main();
