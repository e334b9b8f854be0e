import { bundle } from './bundle.ts';
import { type ContenderName, contenderNames } from './contenders/contender.ts';
import type { Comparison, Figure } from './figure.ts';
import type { ColdResult, ColdTask, StreamPart, StreamResult, StreamTask } from './host/task.ts';
import { emptyExtension, performInHost } from './host-session.ts';
import type { BenchContext, Part } from './part.ts';
import type { Round } from './statistics.ts';
import { buildScenarios } from './stream-bodies.ts';
import { startStreamServer } from './stream-server-process.ts';

const warmParts = ['P1', 'P2', 'P3', 'P4'] as const;

/** P1–P4: reading streams in the extension host. */
export const streams: Part = {
  ids: warmParts,
  measure: async (context, wanted) => {
    const bundles = await bundle();
    const server = await startStreamServer(context.seed);
    try {
      const files = contenderNames.map((name) => ({ name, file: bundles.contenders[name] }));
      const run: Run = { context, hostModule: bundles.host, origin: server.origin, files };
      const parts = warmParts.filter((part) => wanted.has(part));
      const figures = warmFigures(await measureWarm(run, parts), parts);
      if (!parts.includes('P1') && !parts.includes('P3')) return figures;
      const cold = coldFigures(await measureCold(run));
      return [...figures, ...cold.filter(({ id }) => wanted.has(id))];
    } finally {
      await server.end();
    }
  },
};

interface Run {
  context: BenchContext;
  hostModule: string;
  origin: string;
  files: StreamTask['contenders'];
}

async function measureWarm({ context, hostModule, origin, files }: Run, parts: StreamPart[]): Promise<StreamResult> {
  context.progress(`${parts.join(', ')}: ${context.rounds} rounds of ${files.length} contenders`);
  const expected = Object.fromEntries(
    buildScenarios(context.seed).map(({ name, textLength, argumentsLength }) => [
      name,
      { textLength, argumentsLength },
    ]),
  );
  const { seed, rounds } = context;
  const task: StreamTask = { kind: 'stream', contenders: files, origin, rounds, seed, parts, expected };
  const timeoutMs = 60_000 + rounds * 60_000;
  return performInHost({ browser: await context.browser(), hostModule, extension: emptyExtension, task, timeoutMs });
}

const coldContenders: readonly ContenderName[] = ['raw-drain', 'ours', 'ai-sdk', 'openai'];

async function measureCold({ context, hostModule, origin, files }: Run): Promise<Record<keyof ColdResult, Round[]>> {
  const rounds: Record<keyof ColdResult, Round[]> = { coldMs: [], loadedMs: [], burstPeakMb: [], keptMb: [] };
  for (let index = 1; index <= context.rounds; index++) {
    context.progress(`P1 memory, P3 cold: round ${index} of ${context.rounds}`);
    const round: Record<keyof ColdResult, Round> = { coldMs: {}, loadedMs: {}, burstPeakMb: {}, keptMb: {} };
    for (const contender of files.filter(({ name }) => coldContenders.includes(name))) {
      const task: ColdTask = { kind: 'cold', contender, origin };
      const browser = await context.browser();
      const work = { browser, hostModule, extension: emptyExtension, task, timeoutMs: 60_000 };
      const result = await performInHost<ColdResult>(work);
      for (const metric of Object.keys(round) as (keyof ColdResult)[]) round[metric][contender.name] = result[metric];
    }
    for (const metric of Object.keys(round) as (keyof ColdResult)[]) rounds[metric].push(round[metric]);
  }
  return rounds;
}

function warmFigures(result: StreamResult, parts: readonly StreamPart[]): Figure[] {
  const perChunkGrowth = result.toolsCpuUs8000.map((long, index) => {
    const short = result.toolsCpuUs1000[index] ?? {};
    return Object.fromEntries(Object.entries(long).map(([name, us]) => [name, us / (short[name] ?? Number.NaN)]));
  });
  const figures: Figure[] = [
    {
      ...figure('P1', 'CPU, burst of 20,000 chunks', 'ms', result.burstCpuMs),
      comparisons: [
        ratio('bare-parser', 1.5),
        ratio('openai', 1 / 20),
        ratio('ai-sdk'),
        ratio('stream-text'),
        ratio('raw-drain'),
      ],
    },
    {
      ...figure('P1', 'longest block of the loop, burst', 'ms', result.burstBlockMs),
      comparisons: [{ by: 'alone', goal: 8 }, ratio('bare-parser'), ratio('openai')],
    },
    {
      ...figure('P2', 'tool arguments: cost a chunk, 8,000 ÷ 1,000 chunks', '×', perChunkGrowth),
      comparisons: [
        { by: 'alone', goal: 1.1 },
        ...(['bare-parser', 'openai', 'ai-sdk', 'stream-text'] as const).map(
          (anchor): Comparison => ({ by: 'beside', anchor }),
        ),
      ],
    },
    {
      ...figure('P2', 'tool arguments: CPU a chunk of 8,000', 'µs', result.toolsCpuUs8000),
      comparisons: (['bare-parser', 'openai', 'ai-sdk', 'stream-text'] as const).map((name) => ratio(name)),
    },
    {
      ...figure('P3', 'first delta, warm', 'ms', result.firstDeltaMs),
      comparisons: [{ by: 'difference', anchor: 'raw-drain', goal: 0.3 }, ratio('openai'), ratio('stream-text')],
    },
    {
      ...figure('P4', 'CPU a chunk, one every 2 ms', 'µs', result.pacedCpuUs),
      comparisons: [
        ratio('raw-drain', 1.1),
        ratio('bare-parser'),
        ratio('openai'),
        ratio('ai-sdk'),
        ratio('stream-text'),
      ],
    },
  ];
  return figures.filter(({ id }) => parts.some((part) => part === id));
}

function coldFigures(rounds: Record<keyof ColdResult, Round[]>): Figure[] {
  const overRaw = (goal?: number): Comparison => ({ by: 'difference', anchor: 'raw-drain', goal });
  return [
    {
      ...figure('P1', 'memory added at the peak of a first burst', 'MB', rounds.burstPeakMb),
      comparisons: [ratio('openai', 1 / 5), ratio('ai-sdk'), ratio('raw-drain')],
    },
    {
      ...figure('P1', 'memory kept after it', 'MB', rounds.keptMb),
      comparisons: [ratio('openai'), ratio('ai-sdk'), ratio('raw-drain')],
    },
    {
      ...figure('P3', 'first delta, cold, loading included', 'ms', rounds.coldMs),
      comparisons: [overRaw(), ratio('openai'), ratio('ai-sdk')],
    },
    {
      ...figure('P3', 'first delta, cold, loaded while typing', 'ms', rounds.loadedMs),
      comparisons: [overRaw(10), ratio('openai'), ratio('ai-sdk')],
    },
  ];
}

function figure(id: string, what: string, unit: Figure['unit'], rounds: readonly Round[]): Omit<Figure, 'comparisons'> {
  return { id, what, unit, rounds, ours: 'ours' };
}

function ratio(anchor: ContenderName, goal?: number): Comparison {
  return { by: 'ratio', anchor, goal };
}
