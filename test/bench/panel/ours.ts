import { createRequire } from 'node:module';
import path from 'node:path';
import { type ColorWorker, createColorWorker } from '../../../src/colors/color-worker.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import type { HostMessage, PanelMessage } from '../../../src/shared/panel/protocol.ts';
import { ask, end, snapshot, turn } from '../../panel/fixtures.ts';
import { openPanel, type PanelPage } from '../../panel/panel-page.ts';
import { getVsCode } from '../../vscode/get-vscode.ts';
import { projectRoot } from '../bundle.ts';

/** The thread that colours code, with VS Code's own grammar and theme. */
export async function startColors(): Promise<ColorWorker> {
  const { root } = await getVsCode('1.139');
  const inExtensions = (file: string) => path.join(root, 'extensions', file);
  return createColorWorker({
    thread: new URL(`file://${path.join(projectRoot, 'src/colors/color-thread.ts')}`),
    wasm: createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'),
    setup: () => ({
      catalog: {
        languages: { ts: 'source.ts' },
        grammars: [{ scope: 'source.ts', file: inExtensions('typescript-basics/syntaxes/TypeScript.tmLanguage.json') }],
      },
      themes: { '': inExtensions('theme-defaults/themes/dark_modern.json') },
      customizations: undefined,
      brackets: true,
    }),
    log: {
      error: (line, error) => {
        throw new Error(line, { cause: error });
      },
    },
  });
}

/** The product's panel whose host colours code; its `drawing` makes deltas of the pieces. */
export async function openOurs(colors: ColorWorker): Promise<PanelPage> {
  const panel = await openPanel({ fresh: true });
  await panel.page.exposeFunction('colorsOf', (message: Extract<PanelMessage, { type: 'colorCode' }>) =>
    colors.color(message),
  );
  await panel.page.evaluate(answerColors);
  return panel;
}

/** Shows a turn that waits for its answer. */
export async function prepareStream(panel: PanelPage): Promise<void> {
  await panel.send(snapshot(ask('Write it.')));
  await panel.page.evaluate((ended) => {
    const deliver = (events: ChatEvent[]) =>
      window.dispatchEvent(new MessageEvent('message', { data: { type: 'events', events } satisfies HostMessage }));
    globalThis.drawing = {
      push: (text) => deliver([{ type: 'textDelta', turnId: 'turn-1', step: 0, text }]),
      done: () => deliver([ended]),
    };
  }, end());
}

/** The document of the answer as it stands now, when all colours have come. */
export async function documentOf(panel: PanelPage): Promise<string> {
  await panel.page.waitForFunction(allColored);
  return panel.page.locator('.answer .markdown').last().innerHTML();
}

/** The document that the whole text gives at once. */
export async function documentAtOnce(colors: ColorWorker, text: string): Promise<string> {
  const panel = await openOurs(colors);
  try {
    await panel.send(snapshot(turn('Write it.', text)));
    // Only what is looked at is coloured; the streamed one was looked at to its end.
    for (const block of await panel.page.locator('.code-block').all()) {
      await block.scrollIntoViewIfNeeded();
      await panel.page.waitForFunction(allColored);
    }
    return await documentOf(panel);
  } finally {
    await panel.close();
  }
}

interface ColorHost {
  posted: { push(message: PanelMessage): number };
  waitingColors: number;
  /** `performance.now()` of the last answer. */
  coloredAt: number;
  colorsOf(message: PanelMessage): Promise<Extract<HostMessage, { type: 'codeColors' }>['colored']>;
}

/** Runs in the page, which asks for more a frame after an answer, and for code that grew a tenth of a second later. */
function allColored(): boolean {
  const { waitingColors, coloredAt } = globalThis as unknown as ColorHost;
  return waitingColors === 0 && performance.now() - coloredAt > 500;
}

/** Runs in the page. */
function answerColors(): void {
  const host = globalThis as unknown as ColorHost;
  host.waitingColors = 0;
  host.coloredAt = performance.now();
  host.posted.push = (message) => {
    if (message.type !== 'colorCode') return 0;
    host.waitingColors++;
    void host.colorsOf(message).then((colored) => {
      host.waitingColors--;
      host.coloredAt = performance.now();
      const data: HostMessage = { type: 'codeColors', block: message.block, ...(colored && { colored }) };
      window.dispatchEvent(new MessageEvent('message', { data }));
    });
    return 0;
  };
}
