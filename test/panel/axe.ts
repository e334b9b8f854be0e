import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

type Axe = { run(options: RunOptions): Promise<AxeResults> };

/** All of axe's rules about colour that are on unless asked for otherwise. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong on the page, or in the webview, as it is, one line each; with `colors`, only by the rules about colour. */
export async function axeProblems(page: Page | Frame, rules: 'all' | 'colors' = 'all'): Promise<string[]> {
  // Half a megabyte of script: once a page is enough.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const results = await page.evaluate((options) => (globalThis as unknown as { axe: Axe }).axe.run(options), {
    resultTypes: ['violations'],
    ...(rules === 'colors' && { runOnly: colorRules }),
  } satisfies RunOptions);
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}
