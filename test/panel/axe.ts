import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

type Axe = { run(options: RunOptions): Promise<AxeResults> };

/** What axe finds wrong on the page as it is, one line each. */
export async function axeProblems(page: Page): Promise<string[]> {
  // Half a megabyte of script: once a page is enough.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}
