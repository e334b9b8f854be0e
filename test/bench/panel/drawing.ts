import type { Page } from 'playwright-core';
import { pieceEveryMs } from './answers.ts';

/** How a stream reaches a contender: 470 pieces a second, drawn once a frame; or one piece a task, as fast as they are taken. */
export type Pace = 'per frame' | 'as fast as possible';

export interface DrawingResult {
  /** Milliseconds of CPU on the page's main thread, from the first piece until nothing is left to be done. */
  mainMs: number;
  /** Milliseconds of the longest run of callbacks of one frame with the layout that it asked for. */
  longestFlushMs: number;
  longTasks: number;
}

/** What a page of the bench offers; `push` takes a piece, `done` ends the answer. */
export interface DrawingPage {
  push(piece: string): void;
  done(): void;
}

declare global {
  var drawing: DrawingPage;
}

/** Feeds the pieces to `drawing` of the page and measures what that costs. */
export async function measureDrawing(page: Page, pieces: readonly string[], pace: Pace): Promise<DrawingResult> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await taskSeconds();
  const { longestFlushMs, longTasks } = await page.evaluate(feed, {
    pieces: [...pieces],
    everyMs: pace === 'per frame' ? pieceEveryMs : 0,
  });
  const mainMs = ((await taskSeconds()) - before) * 1000;
  await session.detach();
  return { mainMs, longestFlushMs, longTasks };
}

/** Runs in the page. */
async function feed({ pieces, everyMs }: { pieces: string[]; everyMs: number }) {
  let longestFlushMs = 0;
  let longTasks = 0;
  const observer = new PerformanceObserver((list) => {
    longTasks += list.getEntries().length;
  });
  observer.observe({ type: 'longtask' });
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      const started = performance.now();
      callback(time);
      longestFlushMs = Math.max(longestFlushMs, performance.now() - started);
    });
  const frames = async (count: number) => {
    for (let frame = 0; frame < count; frame++) await new Promise((resolve) => request(resolve));
  };
  const channel = new MessageChannel();
  const nextTask = () =>
    new Promise((resolve) => {
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    });
  const started = performance.now();
  for (let index = 0; index < pieces.length; ) {
    const due =
      everyMs === 0 ? index + 1 : Math.min(pieces.length, Math.floor((performance.now() - started) / everyMs) + 1);
    for (; index < due; index++) drawing.push(pieces[index] ?? '');
    await (everyMs === 0 ? nextTask() : frames(1));
  }
  drawing.done();
  // Until the document has been at rest for a while.
  for (let quiet = 0, last = ''; quiet < 20; ) {
    await frames(1);
    const size = String(document.getElementsByTagName('*').length);
    quiet = size === last ? quiet + 1 : 0;
    last = size;
  }
  window.requestAnimationFrame = request;
  observer.disconnect();
  return { longestFlushMs, longTasks };
}
