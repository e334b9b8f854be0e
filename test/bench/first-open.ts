import { waitFor } from '../vscode/wait-for.ts';
import type { VsCodeWindow } from '../vscode/window.ts';
import type { Figure } from './figure.ts';
import { withEditor } from './latency/editor.ts';
import type { BenchContext, Part } from './part.ts';
import type { Round } from './statistics.ts';

/**
 * P17: from the command that opens the chat in a window that has just started until its text box takes text, and until its
 * conversation and its buttons are there.
 */
export const firstOpen: Part = {
  ids: ['P17'],
  measure: async (context) => {
    context.progress('Building the product');
    return withEditor(async (editor) => {
      await editor.browser.context.addInitScript(noteTimes);
      return figuresOf(await measureRounds(context, editor.freshWindow));
    });
  },
};

/** What opens each is bound to a key by the plain extension, so that one press tells when it was asked for. */
const contenders = {
  'plain webview': { key: 'Control+Alt+8', box: 'Plain message' },
  ours: { key: 'Control+Alt+9', box: 'Message' },
} as const;

interface Opening {
  /** Milliseconds after the key. */
  takesText: number;
  drawn: number;
}

async function measureRounds(
  context: BenchContext,
  freshWindow: () => Promise<VsCodeWindow>,
): Promise<Record<keyof Opening, Round>[]> {
  const rounds: Record<keyof Opening, Round>[] = [];
  // The first round fills the browser's caches.
  for (let index = 0; index <= context.rounds; index++) {
    context.progress(`P17: round ${index} of ${context.rounds}`);
    const round: Record<keyof Opening, Round> = { takesText: {}, drawn: {} };
    for (const [name, { key, box }] of Object.entries(contenders)) {
      const window = await freshWindow();
      const { takesText, drawn } = await measureOpening(window, key, box);
      round.takesText[name] = takesText;
      round.drawn[name] = drawn;
      await window.close();
    }
    if (index > 0) rounds.push(round);
  }
  return rounds;
}

async function measureOpening(window: VsCodeWindow, key: string, box: string): Promise<Opening> {
  // A window that has just started does not know the keys of its extensions yet: the press that it takes is the last one.
  const opened = async () => {
    await window.page.keyboard.press(key);
    return window.webviewFrame(`[aria-label="${box}"]`, { timeoutMs: 5000 });
  };
  const frame = await waitFor(`${box} to open`, opened, { timeoutMs: 120_000 });
  const takesText = () => frame.evaluate((label) => globalThis.benchTimes?.takesText[label], box);
  const at = await waitFor(`${box} to take text`, takesText, { timeoutMs: 60_000 });
  const drawn = () => frame.evaluate(() => globalThis.benchTimes?.drawn);
  const drawnAt = await waitFor(`what is beside ${box} to be drawn`, drawn, { timeoutMs: 60_000 });
  const presses = await window.page.evaluate(() => globalThis.benchTimes?.presses ?? []);
  const asked = presses.findLast((pressed) => pressed <= at) ?? Number.NaN;
  return { takesText: at - asked, drawn: drawnAt - asked };
}

declare global {
  /** All in epoch milliseconds. */
  var benchTimes: { presses: number[]; takesText: Record<string, number>; drawn?: number } | undefined;
}

/** Runs in every frame before its scripts: when keys were pressed, when each text box first had the focus, and when all was drawn. */
function noteTimes(): void {
  const times: NonNullable<typeof globalThis.benchTimes> = { presses: [], takesText: {} };
  globalThis.benchTimes = times;
  const press = ({ timeStamp }: Event) => {
    times.presses.push(performance.timeOrigin + timeStamp);
  };
  window.addEventListener('keydown', press, { capture: true });
  const look = () => {
    const focused = document.activeElement;
    const label = focused instanceof HTMLTextAreaElement && document.hasFocus() ? focused.ariaLabel : null;
    if (label !== null) times.takesText[label] ??= performance.timeOrigin + performance.now();
    const isPlain = document.querySelector('[aria-label="Plain answer"]') !== null && label !== null;
    if (isPlain || document.querySelector('main:has([role=log]) button') !== null) {
      times.drawn ??= performance.timeOrigin + performance.now();
    }
  };
  // A webview writes its document anew, which ends what waits for frames.
  if (window !== window.top) setInterval(look, 1);
}

function figuresOf(rounds: readonly Record<keyof Opening, Round>[]): Figure[] {
  const figure = (part: keyof Opening, what: string, goal: number): Figure => ({
    id: 'P17',
    what: `first open of the chat until ${what}`,
    unit: 'ms',
    rounds: rounds.map((round) => round[part]),
    ours: 'ours',
    comparisons: [{ by: 'ratio', anchor: 'plain webview', goal }],
  });
  return [figure('takesText', 'it takes text', 1.5), figure('drawn', 'conversation and buttons are drawn', 1.3)];
}
