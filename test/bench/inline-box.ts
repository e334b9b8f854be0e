import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { waitFor } from '../vscode/wait-for.ts';
import type { VsCodeWindow } from '../vscode/window.ts';
import { projectRoot } from './bundle.ts';
import type { Figure } from './figure.ts';
import { withEditor } from './latency/editor.ts';
import type { Part } from './part.ts';
import type { Round } from './statistics.ts';

/** In each window: the first press finds a window in which nothing of ours has run yet. */
const presses = 10;
const file = 'src/agent/loop.ts';
/** So long after the key somebody types. */
const typedAfterMs = 100;
const typed = 'handle';

/**
 * P32: from the key until the box of an inline edit takes text, beside a plain extension that shows a box and nothing else, in
 * windows that have just opened this project; and how many letters of what is typed 100 ms after the key are not in the box.
 */
export const inlineBox: Part = {
  ids: ['P32'],
  measure: async (context) => {
    context.progress('Building the product');
    return withEditor(async (editor) => {
      await editor.browser.context.addInitScript(noteBoxes);
      const rounds: Press[][] = [];
      for (let round = 0; round < context.rounds; round++) {
        const found: Record<string, Pressed[]> = {};
        for (const [name, how] of Object.entries(contenders)) {
          context.progress(`P32: round ${round + 1} of ${context.rounds}, ${name}`);
          const window = await editor.freshWindow(cloneProject);
          found[name] = await measureWindow(window, how);
          await window.close();
        }
        rounds.push(togetherOf(found));
      }
      return [
        ...figures(
          'the first time in a window',
          rounds.flatMap((each) => each.slice(0, 1)),
        ),
        ...figures(
          'afterwards',
          rounds.flatMap((each) => each.slice(1)),
        ),
      ];
    });
  },
};

/** `until`: what stands in the box when all that was begun with it has ended. */
const contenders = {
  'plain extension': { key: 'Control+Alt+7', title: 'Plain: Box', until: '' },
  ours: { key: 'Control+Alt+j', title: 'svc: Edit Inline…', until: '≈' },
} as const;
type Contender = (typeof contenders)[keyof typeof contenders];

interface Pressed {
  ms: number;
  lost: number;
}

/** One press of each contender, in windows of their own. */
interface Press {
  ms: Round;
  lost: Round;
}

async function cloneProject(folder: string): Promise<void> {
  await promisify(execFile)('git', ['clone', '-q', projectRoot, folder]);
}

function togetherOf(found: Readonly<Record<string, readonly Pressed[]>>): Press[] {
  const of = (at: number, part: keyof Pressed): Round =>
    Object.fromEntries(Object.entries(found).map(([name, all]) => [name, all[at]?.[part] ?? Number.NaN]));
  return Array.from({ length: presses }, (_, at) => ({ ms: of(at, 'ms'), lost: of(at, 'lost') }));
}

async function measureWindow(window: VsCodeWindow, { key, title, until }: Contender): Promise<Pressed[]> {
  await window.openFile(file);
  const lines = window.page.locator('.editor-group-container.active .monaco-editor .view-lines');
  await lines.getByText('import').first().waitFor();
  await lines.click();
  // Before VS Code has read what an extension contributes, it knows none of its keys.
  await window.quickInput.open('F1', `>${title}`);
  await window.quickInput.settled(title);
  await window.quickInput.cancel();
  const found: Pressed[] = [];
  for (let count = 0; count < presses; count++) found.push(await press(window, key, until));
  return found;
}

async function press({ page, quickInput }: VsCodeWindow, key: string, until: string): Promise<Pressed> {
  await page.evaluate(() => globalThis.benchBoxes?.reset());
  await page.keyboard.press(key);
  await setTimeout(typedAfterMs);
  await page.keyboard.type(typed);
  const opened = () => page.evaluate(() => globalThis.benchBoxes?.ms());
  const ms = await waitFor(`the box of ${key}`, opened, { timeoutMs: 60_000 });
  const value = await quickInput.widget.locator('input[type="text"]:visible').first().inputValue();
  const lost = typed.length - value.length + Math.max(0, value.indexOf(typed));
  if (until !== '') await quickInput.widget.getByText(until).first().waitFor({ timeout: 60_000 });
  await page.keyboard.press('Escape');
  await quickInput.widget.waitFor({ state: 'hidden' });
  // What was typed into the code must not change the place of the next press.
  if (lost > 0) await page.keyboard.press('Control+z');
  return { ms, lost };
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
  const press = ({ key, timeStamp, ctrlKey }: KeyboardEvent) => {
    if (pressed === 0 && ctrlKey && (key === 'j' || key === '7')) pressed = timeStamp;
  };
  const look = () => {
    if (pressed === 0 || focused !== 0) return;
    if (document.activeElement?.closest('.quick-input-widget')) focused = performance.now();
  };
  window.addEventListener('keydown', press, { capture: true });
  window.addEventListener('focusin', look, { capture: true });
}

function figures(when: string, rounds: readonly Press[]): Figure[] {
  const figure = (what: string, unit: Figure['unit'], each: readonly Round[], goal: number): Figure => ({
    id: 'P32',
    what: `${what}, ${when}`,
    unit,
    rounds: each,
    ours: 'ours',
    comparisons: [{ by: 'alone', goal }],
  });
  const ms = rounds.map((each) => each.ms);
  return [
    {
      ...figure('key to the box of an inline edit', 'ms', ms, 100),
      comparisons: [
        { by: 'ratio', anchor: 'plain extension' },
        { by: 'alone', goal: 100 },
      ],
    },
    figure(
      'letters typed 100 ms after the key that are not in the box',
      'letters',
      rounds.map((each) => each.lost),
      0,
    ),
  ];
}
