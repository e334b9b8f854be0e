import path from 'node:path';
import { plainTable } from '../table.ts';
import { judgeEndings, wrongLines } from './endings.ts';
import { folderVariable, readTrajectories, type Trajectory } from './read.ts';
import { agents } from './sources.ts';
import { judgeProgress } from './stalls.ts';
import { understand } from './understood.ts';

/** `node test/bench/trajectories/run.ts`: what of the calls of other agents is understood, and whether their work counts as progress. */
export async function report(): Promise<string> {
  const folder = process.env[folderVariable];
  if (folder === undefined) return `Recorded sessions: none, ${folderVariable} names no folder.`;
  const all = await readTrajectories(folder);
  const rows = [
    ...agents.map((agent) => [agent, all.filter((one) => one.agent === agent)] as const),
    ['all', all] as const,
  ];
  return [
    'Recorded sessions of other agents, call by call',
    plainTable([head, ...rows.map(([name, some]) => row(name, some))]),
    'What would stand under their answers',
    plainTable([endingHead, ...rows.map(([name, some]) => endingRow(name, some))]),
  ].join('\n\n');
}

const head = [
  ...['agent', 'sessions', 'calls', 'understood', 'answered with a sentence', 'misunderstood'],
  ...['edits of known files: the same text', 'refused', 'another text', 'steps', 'hints', 'false stops'],
];

const endingHead = ['agent', 'answers', 'lines', 'of tests', 'of no change', 'of files', 'wrong'];

/** With the sessions' names on the way, so that each line can be read beside its recording. */
function endingRow(name: string, sessions: readonly Trajectory[]): string[] {
  const judged = sessions.map(judgeEndings);
  const lines = judged.flatMap((one) => one.lines);
  const count = (of: (line: (typeof lines)[number]) => unknown) => String(lines.filter(of).length);
  if (name === 'all')
    for (const { turn, ending } of lines) process.stderr.write(`${turn}: ${JSON.stringify(ending)}\n`);
  return [
    name,
    String(judged.reduce((sum, { answers }) => sum + answers, 0)),
    String(lines.length),
    count(({ ending }) => ending.test),
    count(({ ending }) => ending.changed === 0),
    count(({ ending }) => ending.unnamed),
    count(({ turn }) => wrongLines.has(turn)),
  ];
}

function row(name: string, sessions: readonly Trajectory[]): string[] {
  const understood = sessions.map(understand);
  const judged = sessions.map(judgeProgress);
  const sum = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((total, one) => total + of(one), 0);
  const calls = sum(understood, (one) => one.calls);
  const share = (100 * sum(understood, (one) => one.understood)) / Math.max(1, calls);
  for (const what of understood.flatMap(({ misunderstood }) => misunderstood))
    process.stderr.write(`misunderstood: ${what}\n`);
  return [
    name,
    String(sessions.length),
    String(calls),
    `${share.toFixed(1)} %`,
    String(sum(understood, (one) => one.verdicts)),
    String(sum(understood, (one) => one.misunderstood.length)),
    String(sum(understood, (one) => one.edits.same)),
    String(sum(understood, (one) => one.edits.refused)),
    String(sum(understood, (one) => one.edits.other.length)),
    String(sum(judged, (one) => one.steps)),
    String(sum(judged, (one) => one.hints)),
    String(sum(judged, (one) => one.stops)),
  ];
}

if (process.argv[1] === path.join(import.meta.dirname, 'run.ts')) console.log(await report());
