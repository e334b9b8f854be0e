import { waitFor } from '../vscode/wait-for.ts';
import type { VsCodeWindow } from '../vscode/window.ts';
import type { Comparison, Figure } from './figure.ts';
import { type Editor, withEditor } from './latency/editor.ts';
import type { PacedServer } from './latency/paced-server.ts';
import { followMainThread, paintedIn, startWatching, stopWatching } from './latency/painted.ts';
import { type SurfaceName, surfaceNames, surfaces } from './latency/surfaces.ts';
import { buildMarkedAnswers, type MarkedAnswer } from './panel/answers.ts';
import type { BenchContext, Part } from './part.ts';
import type { Round } from './statistics.ts';

/** P5: from the socket to the screen, in VS Code itself, beside its own chat and the least that a webview can do. */
export const latency: Part = {
  ids: ['P5'],
  measure: async (context) => {
    context.progress('Building the product');
    return withEditor((editor, server) => measureAnswers(context, editor, server));
  },
};

/** What one answer cost from the first delta until everything was painted. */
interface Result {
  /** Milliseconds from the write to the socket to the frame that shows it. */
  p50Ms: number;
  p99Ms: number;
  /** Milliseconds from the last delta until it is painted. */
  lastMs: number;
  mainMs: number;
  longTasks: number;
  longestTaskMs: number;
}

/** VS Code's chat takes a minute more than the answer itself; where it takes longer than this, its figures are lower bounds. */
const mostWaitMs = 90_000;
/** The others take part in the last one only: they are far away, or need minutes. */
const mostRounds = 2;

async function measureAnswers(context: BenchContext, editor: Editor, server: PacedServer): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const answer of buildMarkedAnswers(context.seed)) {
    const rounds: Partial<Record<SurfaceName, Result>>[] = [];
    server.use(answer.pieces);
    // What VS Code's chat has taken stays in the window.
    const window = await editor.freshWindow();
    const count = Math.min(context.rounds, mostRounds);
    for (let index = 1; index <= count; index++) {
      const round: Partial<Record<SurfaceName, Result>> = {};
      for (const name of surfaceNames) {
        if (name !== 'ours' && index < count) continue;
        context.progress(`P5 ${answer.name}, ${name}: round ${index} of ${count}`);
        round[name] = await measureAnswer(window, server, answer, name);
      }
      rounds.push(round);
    }
    await window.close();
    figures.push(...figuresOf(answer.name, rounds));
  }
  return figures;
}

async function measureAnswer(
  window: VsCodeWindow,
  server: PacedServer,
  answer: MarkedAnswer,
  name: SurfaceName,
): Promise<Result> {
  const { frame, send } = await surfaces[name](window);
  await startWatching(frame);
  const thread = await followMainThread(window.page);
  const before = await thread.ms();
  await send();
  await waitFor('the whole answer', () => server.isWritten(), { timeoutMs: 120_000 });
  const deadline = performance.now() + mostWaitMs;
  const last = answer.marks.length - 1;
  while (performance.now() < deadline && (await paintedIn(frame)).at[last] == null)
    await window.page.waitForTimeout(250);
  // What follows the last frame, such as colours.
  await window.page.waitForTimeout(1000);
  const mainMs = (await thread.ms()) - before;
  await thread.end();
  const painted = await stopWatching(frame);
  const now = Date.now();
  const latencies = answer.marks.map((piece, mark) => (painted.at[mark] ?? now) - (server.writtenAt()[piece] ?? 0));
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    lastMs: latencies.at(-1) ?? Number.NaN,
    mainMs,
    longTasks: painted.longTasks,
    longestTaskMs: painted.longestTaskMs,
  };
}

const frameMs = 1000 / 60;

function figuresOf(answer: string, rounds: readonly Partial<Record<SurfaceName, Result>>[]): Figure[] {
  const figure = (what: string, metric: keyof Result, unit: Figure['unit'], comparisons: Comparison[]): Figure => ({
    id: 'P5',
    what: `${what}, ${answer}`,
    unit,
    ours: 'ours',
    rounds: rounds.map((round) => ofMetric(round, metric)),
    comparisons,
  });
  const beside: Comparison[] = [
    { by: 'beside', anchor: 'plain webview' },
    { by: 'beside', anchor: "VS Code's chat" },
  ];
  return [
    figure('socket to screen, median', 'p50Ms', 'ms', [{ by: 'alone', goal: frameMs }, ...beside]),
    figure('socket to screen, 99 of 100', 'p99Ms', 'ms', [{ by: 'alone', goal: 3 * frameMs }, ...beside]),
    figure('painted after the last delta', 'lastMs', 'ms', [{ by: 'alone' }, ...beside]),
    figure('CPU of the main thread of the window', 'mainMs', 'ms', [
      { by: 'ratio', anchor: "VS Code's chat", goal: 0.05 },
      { by: 'ratio', anchor: 'plain webview' },
    ]),
    figure('long tasks', 'longTasks', '×', [{ by: 'alone', goal: 0 }, ...beside]),
    figure('longest task', 'longestTaskMs', 'ms', [{ by: 'alone' }, ...beside]),
  ];
}

function ofMetric(round: Partial<Record<SurfaceName, Result>>, metric: keyof Result): Round {
  return Object.fromEntries(Object.entries(round).map(([name, result]) => [name, result[metric]]));
}
