import type { Page } from 'playwright-core';
import type { TestBrowser } from '../../vscode/browser.ts';

/** The least that can be done: text is appended once a frame, one element a line, and the end stays in view. */
export async function openLimit(browser: TestBrowser): Promise<Page> {
  const page = await browser.newPage();
  await page.setViewportSize({ width: 380, height: 720 });
  await page.setContent(
    '<!DOCTYPE html><style>body { font: 13px sans-serif; height: 100vh; margin: 0; overflow: auto } div { white-space: pre-wrap }</style>',
  );
  await page.evaluate(() => {
    let waiting = '';
    let line = document.createElement('div');
    document.body.append(line);
    const draw = () => {
      const [first = '', ...more] = waiting.split('\n');
      waiting = '';
      line.append(first);
      for (const text of more) {
        line = document.createElement('div');
        line.append(text);
        document.body.append(line);
      }
      document.body.scrollTop = document.body.scrollHeight;
    };
    globalThis.drawing = {
      push(piece) {
        if (waiting === '') requestAnimationFrame(draw);
        waiting += piece;
      },
      done: () => undefined,
    };
  });
  return page;
}
