import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';
import type { VsCodeWindow } from '../vscode/window.ts';
import { projectRoot } from './bundle.ts';
import type { Figure } from './figure.ts';
import { withEditor } from './latency/editor.ts';
import type { PacedServer } from './latency/paced-server.ts';
import { type SurfaceName, surfaces } from './latency/surfaces.ts';
import type { BenchContext, Part } from './part.ts';
import type { Round } from './statistics.ts';

/** P27: in a window of VS Code that has shown an answer before, from the last words of the next one to the frame that shows them. */
export const lastPaint: Part = {
  ids: ['P27'],
  measure: async (context) => {
    context.progress('Building the product');
    return withEditor(async (editor, server) =>
      figuresOf(await measureRounds(context, await editor.freshWindow(), server)),
    );
  },
};

const contenders = { ours: '.answer .markdown', 'plain webview': 'main' } as const satisfies Partial<
  Record<SurfaceName, string>
>;

interface LastPaint {
  /** Frames of the page after the one in which the message came. */
  frames: number;
  /** Milliseconds from the message. */
  pageMs: number;
  /** Milliseconds from the write to the socket. */
  socketMs: number;
}

async function measureRounds(
  context: BenchContext,
  window: VsCodeWindow,
  server: PacedServer,
): Promise<Record<keyof LastPaint, Round>[]> {
  const rounds: Record<keyof LastPaint, Round>[] = [];
  const answers = await readAnswers(context.rounds);
  // The first round warms the window.
  for (const [index, answer] of [answers.at(-1) ?? '', ...answers].entries()) {
    context.progress(`P27: round ${index} of ${context.rounds}`);
    server.use(answer.match(/.{1,4}/gs) ?? [], everyMs);
    const round: Record<keyof LastPaint, Round> = { frames: {}, pageMs: {}, socketMs: {} };
    for (const name of Object.keys(contenders) as (keyof typeof contenders)[]) {
      const { frames, pageMs, socketMs } = await measureAnswer(window, server, answer, name);
      round.frames[name] = frames;
      round.pageMs[name] = pageMs;
      round.socketMs[name] = socketMs;
    }
    if (index > 0) rounds.push(round);
  }
  return rounds;
}

/** About 125 pieces a second: a fast model. */
const everyMs = 8;

/** As people write for people: headings, lists, tables and code. Each ends with another of its blocks. */
async function readAnswers(count: number): Promise<string[]> {
  const text = await readFile(path.join(projectRoot, 'node_modules/entities/readme.md'), 'utf8');
  const blocks = text.split(/\n\n(?=[#|`A-Za-z-])/);
  return Array.from({ length: count }, (_, index) =>
    blocks.slice(0, Math.ceil((blocks.length * (index + 2)) / (count + 1))).join('\n\n'),
  );
}

async function measureAnswer(
  window: VsCodeWindow,
  server: PacedServer,
  answer: string,
  name: keyof typeof contenders,
): Promise<LastPaint> {
  const { frame, send } = await surfaces[name](window);
  const shown = name === 'ours' ? answer.replaceAll(/\]\([^)]*\)/g, '') : answer;
  await frame.evaluate(watchEnd, { answer: contenders[name], end: lettersOf(shown).slice(-12) });
  await send();
  const seen = await waitFor('the last words', () => shownIn(frame, server), { timeoutMs: 120_000 });
  return { frames: seen.frames, pageMs: seen.at - seen.cameAt, socketMs: seen.at - (server.writtenAt().at(-1) ?? 0) };
}

/** Once the whole answer was written and the page has been at rest for a while. */
async function shownIn(frame: Frame, server: PacedServer): Promise<Seen | undefined> {
  if (!server.isWritten()) return undefined;
  const seen = await frame.evaluate(() => globalThis.benchEnd);
  return seen !== undefined && Date.now() - seen.cameAt > 2000 ? seen : undefined;
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** When the last message with text came and when its words were painted, in epoch milliseconds. */
interface Seen {
  cameAt: number;
  at: number;
  frames: number;
}

declare global {
  var benchEnd: Seen | undefined;
}

/** Runs in the page, and looks at it after every frame. */
function watchEnd({ answer, end }: { answer: string; end: string }): void {
  globalThis.benchEnd = undefined;
  let [frame, came] = [0, { frame: 0, at: 0 }];
  let isShown = true;
  const now = () => performance.timeOrigin + performance.now();
  window.addEventListener(
    'message',
    ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string' && !JSON.stringify(data).includes('"textDelta"')) return;
      came = { frame, at: now() };
      isShown = false;
    },
    { capture: true },
  );
  const afterFrame = new MessageChannel();
  afterFrame.port1.onmessage = () => {
    if (isShown) return;
    const text = [...document.querySelectorAll(answer)].at(-1)?.textContent ?? '';
    if (!text.replaceAll(/[^\p{L}\p{N}]/gu, '').endsWith(end)) return;
    isShown = true;
    globalThis.benchEnd = { cameAt: came.at, at: now(), frames: frame - came.frame };
  };
  const onFrame = () => {
    frame++;
    afterFrame.port2.postMessage(0);
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}

function figuresOf(rounds: readonly Record<keyof LastPaint, Round>[]): Figure[] {
  const figure = (part: keyof LastPaint, what: string, unit: Figure['unit'], goal?: number): Figure => ({
    id: 'P27',
    what: `the last words of an answer, ${what}`,
    unit,
    rounds: rounds.map((round) => round[part]),
    ours: 'ours',
    comparisons: [
      { by: 'alone', ...(goal !== undefined && { goal }) },
      { by: 'beside', anchor: 'plain webview' },
    ],
  });
  return [
    figure('frames', 'from the message in the page to the frame that shows them', 'frames', 3),
    figure('pageMs', 'from the message in the page to the screen', 'ms'),
    figure('socketMs', 'from the socket to the screen', 'ms'),
  ];
}
