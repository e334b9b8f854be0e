import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ColorWorker } from '../../src/colors/color-worker.ts';
import type { ChatEvent } from '../../src/shared/events.ts';
import { ask, say, snapshot, turn } from '../panel/fixtures.ts';
import { closeShared, openPanel, type PanelPage } from '../panel/panel-page.ts';
import type { TestBrowser } from '../vscode/browser.ts';
import { tryPeers } from './bundle.ts';
import type { Comparison, Figure } from './figure.ts';
import { type Answer, buildAnswers, code, sentence } from './panel/answers.ts';
import { type DrawingResult, measureDrawing, type Pace } from './panel/drawing.ts';
import { openLimit } from './panel/limit.ts';
import { documentAtOnce, documentOf, openOurs, prepareStream, startColors } from './panel/ours.ts';
import { openPeer, type PeerName, peerNames } from './panel/peers.ts';
import { measuredSteps, measureSteps } from './panel/steps.ts';
import type { BenchContext, Part } from './part.ts';
import { createRandom } from './seeded-random.ts';
import type { Round } from './statistics.ts';

/** P6, P7 and P23: what the panel's own page costs to draw, in the same browser as the others. */
export const panel: Part = {
  ids: ['P6', 'P7', 'P23'],
  measure: async (context, wanted) => {
    const figures: Figure[] = [];
    try {
      if (wanted.has('P6')) figures.push(...(await measureStreams(context)));
      if (wanted.has('P7')) figures.push(...(await measureConversations(context)));
      if (wanted.has('P23')) figures.push(...(await measureLongTurn(context)));
    } finally {
      await closeShared();
    }
    return figures;
  },
};

const paces: readonly Pace[] = ['per frame', 'as fast as possible'];

async function measureStreams(context: BenchContext): Promise<Figure[]> {
  const colors = await startColors();
  try {
    const figures: Figure[] = [];
    for (const answer of buildAnswers(context.seed)) {
      const whole = await documentAtOnce(colors, answer.pieces.join(''));
      for (const pace of paces) figures.push(...(await measureAnswer(context, colors, answer, pace, whole)));
    }
    return figures;
  } finally {
    colors.dispose();
  }
}

async function measureAnswer(
  context: BenchContext,
  colors: ColorWorker,
  answer: Answer,
  pace: Pace,
  whole: string,
): Promise<Figure[]> {
  const rounds: Record<keyof DrawingResult, Round[]> = { mainMs: [], longestFlushMs: [], longTasks: [] };
  const browser = await context.browser();
  const peers = (await tryPeers(context.progress)) ? peerNames : [];
  for (let index = 1; index <= context.rounds; index++) {
    context.progress(`P6 ${answer.name}, ${pace}: round ${index} of ${context.rounds}`);
    const results: Record<string, DrawingResult> = {
      limit: await measurePage(openLimit(browser), answer, pace),
      ours: await measureOurs(colors, answer, pace, whole),
    };
    for (const peer of peers) results[peer] = await measurePeer(browser, peer, answer, pace);
    for (const metric of Object.keys(rounds) as (keyof DrawingResult)[]) {
      rounds[metric].push(Object.fromEntries(Object.entries(results).map(([name, result]) => [name, result[metric]])));
    }
  }
  const what = `${answer.name}, ${pace}`;
  const beside: Comparison[] = peerNames.map((anchor) => ({ by: 'ratio', anchor }));
  return [
    figure('P6', `main thread, ${what}`, 'ms', rounds.mainMs, [{ by: 'ratio', anchor: 'limit', goal: 1.3 }, ...beside]),
    figure('P6', `longest flush, ${what}`, 'ms', rounds.longestFlushMs, [{ by: 'alone', goal: 8 }]),
    figure('P6', `long tasks, ${what}`, '×', rounds.longTasks, [{ by: 'alone', goal: 0 }, ...beside.map(shown)]),
  ];
}

const shown = ({ anchor }: Comparison): Comparison => ({ by: 'beside', anchor });

async function measurePage(opening: Promise<Page>, answer: Answer, pace: Pace): Promise<DrawingResult> {
  const page = await opening;
  try {
    return await measureDrawing(page, answer.pieces, pace);
  } finally {
    await page.close();
  }
}

function measurePeer(browser: TestBrowser, peer: PeerName, answer: Answer, pace: Pace): Promise<DrawingResult> {
  return measurePage(openPeer(browser, peer), answer, pace);
}

async function measureOurs(colors: ColorWorker, answer: Answer, pace: Pace, whole: string): Promise<DrawingResult> {
  const page = await openOurs(colors);
  try {
    await prepareStream(page);
    const result = await measureDrawing(page.page, answer.pieces, pace);
    for (const block of await page.page.locator('.code-block').all()) await block.scrollIntoViewIfNeeded();
    assert.equal(await documentOf(page), whole, 'the streamed document differs from the one drawn at once');
    return result;
  } finally {
    await page.close();
  }
}

/** What a step costs must not grow with the steps before it. */
async function measureLongTurn({ seed, rounds, progress }: BenchContext): Promise<Figure[]> {
  const measured: Round[] = [];
  for (let index = 1; index <= rounds; index++) {
    progress(`P23: round ${index} of ${rounds}`);
    const steps = await measureSteps(seed + index);
    measured.push(Object.fromEntries(measuredSteps.map((step) => [`step ${step}`, steps[step]])));
  }
  const [first, ...later] = measuredSteps;
  const goals: Comparison = { by: 'ratio', anchor: `step ${first}`, goal: 1.2 };
  return later.map((step) =>
    figure('P23', `main thread, step ${step} of a turn`, 'ms', measured, [goals], `step ${step}`),
  );
}

const sizes = { 'last 20 only': 20, '1,000': 1000, '10,000': 10_000 };
const metrics = [
  'first frame',
  'change of width',
  'worst scroll step',
  'frame of streaming',
  'nodes',
  'memory',
] as const;

async function measureConversations(context: BenchContext): Promise<Figure[]> {
  const rounds: Record<(typeof metrics)[number], Round[]> = {
    'first frame': [],
    'change of width': [],
    'worst scroll step': [],
    'frame of streaming': [],
    nodes: [],
    memory: [],
  };
  const random = createRandom(context.seed);
  const turns = Array.from({ length: 5000 }, (_, index) => turn(sentence(random, 12), answerText(random), `t${index}`));
  for (let index = 1; index <= context.rounds; index++) {
    const round: Record<string, Round> = Object.fromEntries(metrics.map((metric) => [metric, {}]));
    for (const [name, count] of Object.entries(sizes)) {
      context.progress(`P7 ${name}: round ${index} of ${context.rounds}`);
      const page = await openPanel({ fresh: true });
      try {
        const values = await measureConversation(page, turns.slice(-count / 2).flat());
        for (const metric of metrics) round[metric] = { ...round[metric], [name]: values[metric] };
      } finally {
        await page.close();
      }
    }
    for (const metric of metrics) rounds[metric].push(round[metric] ?? {});
  }
  return [
    figure(
      'P7',
      'first frame of 1,000 messages',
      'ms',
      rounds['first frame'],
      [{ by: 'ratio', anchor: 'last 20 only', goal: 1.2 }],
      '1,000',
    ),
    figure(
      'P7',
      'first frame of 10,000 messages',
      'ms',
      rounds['first frame'],
      [{ by: 'ratio', anchor: 'last 20 only', goal: 1.2 }],
      '10,000',
    ),
    figure(
      'P7',
      'frame of an answer that streams below 10,000 messages',
      'ms',
      rounds['frame of streaming'],
      [{ by: 'ratio', anchor: 'last 20 only' }],
      '10,000',
    ),
    figure(
      'P7',
      'what the page holds of 10,000 messages',
      'nodes',
      rounds.nodes,
      [
        { by: 'alone', goal: 6000 },
        { by: 'beside', anchor: 'last 20 only' },
      ],
      '10,000',
    ),
    figure(
      'P7',
      'memory of its scripts with 10,000 messages',
      'MB',
      rounds.memory,
      [
        { by: 'alone', goal: 60 },
        { by: 'beside', anchor: 'last 20 only' },
      ],
      '10,000',
    ),
    ...(['1,000', '10,000'] as const).flatMap((size) => [
      figure(
        'P7',
        `change of width, ${size} messages`,
        'ms',
        rounds['change of width'],
        [{ by: 'alone', goal: 3 }],
        size,
      ),
      figure(
        'P7',
        `worst scroll step, ${size} messages`,
        'ms',
        rounds['worst scroll step'],
        [
          { by: 'alone', goal: 17 },
          { by: 'beside', anchor: 'last 20 only' },
        ],
        size,
      ),
    ]),
  ];
}

function answerText(random: () => number): string {
  return `${sentence(random, 30)}\n\n- ${sentence(random, 8)}\n- ${sentence(random, 8)}\n\n\`\`\`ts\n${code(random, 300)}\`\`\`\n\n${sentence(random, 20)} **${sentence(random, 4)}**`;
}

type Metrics = Record<(typeof metrics)[number], number>;

async function measureConversation(panel: PanelPage, events: Parameters<typeof snapshot>[0]): Promise<Metrics> {
  const firstFrame = await panel.page.evaluate(async (data) => {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const started = performance.now();
    window.dispatchEvent(new MessageEvent('message', { data }));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    document.body.getBoundingClientRect();
    return performance.now() - started;
  }, snapshot(events));
  const { nodes, memory } = await sizeAtRest(panel);
  await panel.events(...ask('More', 'last'));
  const streaming = await panel.page.evaluate(streamFrames, say('word ', 'last'));
  const moved = await panel.page.evaluate(moveAround);
  return { 'first frame': firstFrame, 'frame of streaming': streaming, nodes, memory, ...moved };
}

/** Once nothing more is drawn: elements, and megabytes of what scripts hold. */
async function sizeAtRest(panel: PanelPage): Promise<Pick<Metrics, 'nodes' | 'memory'>> {
  const elements = () => panel.page.evaluate(() => document.querySelectorAll('*').length);
  let nodes = -1;
  for (let found = await elements(); found !== nodes; found = await elements()) {
    nodes = found;
    for (let time = 0; time < 20; time++) {
      await panel.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 200 })));
    }
  }
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return { nodes, memory: usedSize / 1e6 };
}

/** Runs in the page: the middle of what frames with a delta take, with the layout that they ask for. */
async function streamFrames(event: ChatEvent): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 60; index++) {
    let started = 0;
    requestAnimationFrame(() => {
      started = performance.now();
    });
    window.dispatchEvent(new MessageEvent('message', { data: { type: 'events', events: [event] } }));
    await new Promise<void>((resolve) =>
      requestAnimationFrame(() => {
        document.body.getBoundingClientRect();
        times.push(performance.now() - started);
        resolve();
      }),
    );
  }
  return times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

/** Runs in the page. */
async function moveAround(): Promise<Pick<Metrics, 'change of width' | 'worst scroll step'>> {
  const log = document.querySelector<HTMLElement>('[role=log]');
  if (!log) throw new Error('there is no conversation');
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const widths: number[] = [];
  for (let index = 0; index < 9; index++) {
    await frame();
    const started = performance.now();
    document.body.style.width = `${340 - 3 * index}px`;
    log.getBoundingClientRect();
    widths.push(performance.now() - started);
  }
  let worst = 0;
  for (let step = 0; step < 120; step++) {
    await frame();
    const started = performance.now();
    log.scrollTop -= 350;
    // What the frame has to do comes before the next task.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const waited = performance.now() - started;
    worst = Math.max(worst, waited);
  }
  return { 'change of width': widths.sort((a, b) => a - b)[4] ?? Number.NaN, 'worst scroll step': worst };
}

function figure(
  id: string,
  what: string,
  unit: Figure['unit'],
  rounds: readonly Round[],
  comparisons: Comparison[],
  ours = 'ours',
): Figure {
  return { id, what, unit, rounds, ours, comparisons };
}
