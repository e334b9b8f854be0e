import path from 'node:path';
import { getVsCode } from '../vscode/get-vscode.ts';
import { bundle } from './bundle.ts';
import type { Comparison, Figure } from './figure.ts';
import type { ActivationResult, ActivationTask } from './host/task.ts';
import { performInHost } from './host-session.ts';
import type { BenchContext, Part } from './part.ts';
import { copyQuiet, type QuietExtension, quietCandidates } from './quiet-extensions.ts';
import type { Round } from './statistics.ts';

const idleMs = 8000;
const afterMs = 6000;

/** P8 and P9: what starting the extension costs, each in a host of its own beside nothing else. */
export const activation: Part = {
  ids: ['P8', 'P9'],
  measure: async (context, wanted) => {
    const { host } = await bundle();
    const candidates = await prepareCandidates(context);
    const rounds: Rounds = {
      activateMs: [],
      activateCpuMs: [],
      maxBlockMs: [],
      cpuAfterMs: [],
      cpuBeforeMs: [],
      memoryMb: [],
    };
    for (let index = 1; index <= context.rounds; index++) {
      context.progress(`P8, P9: round ${index} of ${context.rounds}`);
      await measureRound(context, host, candidates, rounds);
    }
    return figuresOf(rounds).filter(({ id }) => wanted.has(id));
  },
};

type Rounds = Record<keyof ActivationResult, Round[]>;

async function measureRound(
  context: BenchContext,
  hostModule: string,
  candidates: readonly QuietExtension[],
  rounds: Rounds,
): Promise<void> {
  const round = Object.fromEntries(Object.keys(rounds).map((metric) => [metric, {}])) as Record<keyof Rounds, Round>;
  for (const { name, folder, extensionId } of candidates) {
    const task: ActivationTask = { kind: 'activation', extensionId, idleMs, afterMs };
    const browser = await context.browser();
    const work = { browser, hostModule, extension: folder, task, timeoutMs: 120_000 };
    const result = await performInHost<ActivationResult>(work);
    for (const metric of Object.keys(round) as (keyof Rounds)[]) round[metric][name] = result[metric];
  }
  for (const metric of Object.keys(round) as (keyof Rounds)[]) rounds[metric].push(round[metric]);
}

function figuresOf(rounds: Rounds): Figure[] {
  const beside = (empty: Partial<Comparison>): Comparison[] => [
    { by: 'ratio', anchor: 'empty', ...empty },
    { by: 'ratio', anchor: 'Copilot' },
  ];
  const alone = (goal: number): Comparison => ({ by: 'alone', goal });
  return [
    { ...figure('P8', 'activation', 'ms', rounds.activateMs), comparisons: beside({ goal: 1.5 }) },
    { ...figure('P8', 'CPU of activation', 'ms', rounds.activateCpuMs), comparisons: beside({}) },
    {
      ...figure('P8', 'longest block of the host', 'ms', rounds.maxBlockMs),
      comparisons: [alone(10), ...beside({})],
    },
    { ...figure('P8', 'CPU in the 6 s after', 'ms', rounds.cpuAfterMs), comparisons: beside({ goal: 1.05 }) },
    {
      ...figure('P9', 'memory added by activation', 'MB', rounds.memoryMb),
      comparisons: [alone(2), { by: 'difference', anchor: 'empty' }, { by: 'ratio', anchor: 'Copilot' }],
    },
  ];
}

function figure(id: string, what: string, unit: Figure['unit'], rounds: readonly Round[]): Omit<Figure, 'comparisons'> {
  return { id, what, unit, rounds, ours: 'ours' };
}

async function prepareCandidates(context: BenchContext): Promise<QuietExtension[]> {
  context.progress('Building the product');
  const candidates = await quietCandidates();
  const { root } = await getVsCode('1.139');
  const parts = ['dist', 'assets', 'package.nls.json'];
  return [
    ...candidates,
    { name: 'Copilot', ...(await copyQuiet('copilot', path.join(root, 'extensions/copilot'), parts)) },
  ];
}
