import type { CDPSession, Frame, Page } from 'playwright-core';

/** What a page drew of a marked answer. */
export interface Painted {
  /** Epoch milliseconds, by mark, of the first frame that showed it. */
  at: number[];
  longTasks: number;
  longestTaskMs: number;
}

interface Watch {
  painted: Painted;
  stop(): void;
}

declare global {
  var benchWatch: Watch | undefined;
}

/** Notes from now on which marks are painted in this frame, and the long tasks of its process. */
export function startWatching(frame: Frame): Promise<void> {
  return frame.evaluate(watch);
}

export function paintedIn(frame: Frame): Promise<Painted> {
  return frame.evaluate(() => globalThis.benchWatch?.painted ?? { at: [], longTasks: 0, longestTaskMs: 0 });
}

export async function stopWatching(frame: Frame): Promise<Painted> {
  const painted = await paintedIn(frame);
  await frame.evaluate(() => globalThis.benchWatch?.stop());
  return painted;
}

/** Runs in the page. A mark counts from the first message after the frame whose changes of the document held it. */
function watch(): void {
  globalThis.benchWatch?.stop();
  const painted: Painted = { at: [], longTasks: 0, longestTaskMs: 0 };
  const seen = new Set<number>();
  let drawn: number[] = [];
  let running = true;
  const find = (text: string) => {
    for (const [, number] of text.matchAll(/item(\d+)x/g)) {
      const mark = Number(number);
      if (seen.has(mark)) continue;
      seen.add(mark);
      drawn.push(mark);
    }
  };
  const changes = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') find(target.nodeValue ?? '');
      // A line that is written piece by piece may be a text node for each.
      else if (addedNodes.length > 0)
        find(target.childNodes.length > 64 ? textOf(addedNodes) : (target.textContent ?? ''));
    }
  });
  const textOf = (nodes: NodeList) => Array.from(nodes, (node) => node.textContent).join('');
  changes.observe(document.body, { subtree: true, childList: true, characterData: true });
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      painted.longTasks++;
      painted.longestTaskMs = Math.max(painted.longestTaskMs, duration);
    }
  });
  tasks.observe({ type: 'longtask' });
  const afterFrame = new MessageChannel();
  afterFrame.port1.onmessage = () => {
    const now = performance.timeOrigin + performance.now();
    for (const mark of drawn) painted.at[mark] = now;
    drawn = [];
  };
  const onFrame = () => {
    if (!running) return;
    afterFrame.port2.postMessage(0);
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  globalThis.benchWatch = {
    painted,
    stop() {
      running = false;
      changes.disconnect();
      tasks.disconnect();
    },
  };
}

/** Main-thread time of a window: its page and those of its frames that have a process of their own. */
export interface MainThread {
  /** Milliseconds since it began. */
  ms(): Promise<number>;
  processes(): number;
  end(): Promise<void>;
}

export async function followMainThread(page: Page): Promise<MainThread> {
  const own = page
    .frames()
    .slice(1)
    .map((frame) =>
      page
        .context()
        .newCDPSession(frame)
        .catch(() => undefined),
    );
  const found = await Promise.all([page.context().newCDPSession(page), ...own]);
  const sessions = found.filter((session): session is CDPSession => session !== undefined);
  for (const session of sessions) await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    async ms() {
      const seconds = await Promise.all(sessions.map(taskSeconds));
      return seconds.reduce((sum, one) => sum + one, 0) * 1000;
    },
    processes: () => sessions.length,
    async end() {
      for (const session of sessions) await session.detach();
    },
  };
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}
