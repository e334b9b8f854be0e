import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { waitFor } from '../vscode/wait-for.ts';
import type { VsCodeWindow } from '../vscode/window.ts';
import { projectRoot } from './bundle.ts';
import type { Figure } from './figure.ts';
import { withEditor } from './latency/editor.ts';
import type { BenchContext, Part } from './part.ts';
import type { Round } from './statistics.ts';

/** Presses in each window: the first finds a window in which nothing of ours has run yet. */
const presses = 20;
const file = 'src/agent/loop.ts';

/**
 * P32: from the key until the box of an inline edit takes text, beside the box of VS Code's own *Go to Line*, in windows
 * that have just opened this project. What is typed right behind the key must be in the box, and nothing of it in the code.
 */
export const inlineBox: Part = {
  ids: ['P32'],
  measure: async (context) => {
    context.progress('Building the product');
    return withEditor(async (editor) => {
      await editor.browser.context.addInitScript(noteBoxes);
      const first: Round[] = [];
      const later: Round[] = [];
      for (let round = 0; round < context.rounds; round++) {
        const window = await editor.freshWindow(cloneProject);
        const found = await measureWindow(context, window, round);
        first.push(...found.slice(0, 1));
        later.push(...found.slice(1));
        await window.close();
      }
      return [figure('the first time in a window', first), figure('afterwards', later)];
    });
  },
};

async function cloneProject(folder: string): Promise<void> {
  await promisify(execFile)('git', ['clone', '-q', projectRoot, folder]);
}

async function measureWindow(context: BenchContext, window: VsCodeWindow, round: number): Promise<Round[]> {
  const found: Round[] = [];
  await window.openFile(file);
  const lines = window.page.locator('.editor-group-container.active .monaco-editor .view-lines');
  await lines.getByText('import').first().waitFor();
  await lines.click();
  // Before VS Code has read what an extension contributes, it knows none of its keys.
  await window.quickInput.open('F1', '>Edit Inline');
  await window.quickInput.settled('svc: Edit Inline…');
  await window.quickInput.cancel();
  context.progress(`P32: window ${round + 1} of ${context.rounds}`);
  for (let count = 0; count < presses; count++) {
    const own = await press(window, 'Control+Alt+j');
    const anchor = await press(window, 'Control+g');
    found.push({ ours: own, 'Go to Line': anchor });
  }
  return found;
}

async function press({ page, quickInput }: VsCodeWindow, key: string): Promise<number> {
  await page.evaluate(() => globalThis.benchBoxes?.reset());
  await page.keyboard.press(key);
  const opened = () => page.evaluate(() => globalThis.benchBoxes?.ms());
  const ms = await waitFor(`the box of ${key}`, opened, { timeoutMs: 60_000 });
  await page.keyboard.press('Escape');
  await quickInput.widget.waitFor({ state: 'hidden' });
  return ms;
}

declare global {
  var benchBoxes: { reset(): void; ms(): number | undefined } | undefined;
}

/** Runs in the page before its scripts: when the first key of a chord was pressed, and when a box had the focus after it. */
function noteBoxes(): void {
  let [pressed, focused] = [0, 0];
  globalThis.benchBoxes = {
    reset: () => {
      [pressed, focused] = [0, 0];
    },
    ms: () => (focused === 0 ? undefined : focused - pressed),
  };
  const press = ({ key, timeStamp }: KeyboardEvent) => {
    if (pressed === 0 && (key === 'j' || key === 'g')) pressed = timeStamp;
  };
  const look = () => {
    if (pressed === 0 || focused !== 0) return;
    if (document.activeElement?.closest('.quick-input-widget')) focused = performance.now();
  };
  window.addEventListener('keydown', press, { capture: true });
  window.addEventListener('focusin', look, { capture: true });
}

function figure(when: string, rounds: readonly Round[]): Figure {
  return {
    id: 'P32',
    what: `key to the box of an inline edit, ${when}`,
    unit: 'ms',
    rounds,
    ours: 'ours',
    comparisons: [
      { by: 'ratio', anchor: 'Go to Line' },
      { by: 'alone', goal: 100 },
    ],
  };
}
