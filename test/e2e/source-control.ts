import type { Locator } from 'playwright-core';
import type { Session } from './session.ts';

const generous = { timeout: 180_000 };

/** The Source Control view as a person uses it. */
export interface SourceControl {
  view: Locator;
  generate: Locator;
  stop: Locator;
  /** What stands in the box of the message. */
  message(): Promise<string>;
}

export async function openSourceControl({ window: { page } }: Session): Promise<SourceControl> {
  // The badge that counts the changes lies over it.
  const icon = page.locator('.activitybar a.action-label[aria-label^="Source Control"]');
  await icon.click({ ...generous, force: true });
  // The history of 1.106 is such a view too.
  const view = page.locator('.scm-view:not(.scm-history-view)');
  await view.waitFor(generous);
  const lines = view.locator('.scm-input .view-lines').first();
  return {
    view,
    generate: page.getByRole('button', { name: 'Generate Commit Message' }).first(),
    stop: page.getByRole('button', { name: 'Stop Generating Commit Message' }).first(),
    message: async () => textOf(lines),
  };
}

/** An editor draws spaces as non-breaking ones, and breaks long lines. */
export async function textOf(lines: Locator): Promise<string> {
  return (await lines.innerText()).replace(/\s+/g, ' ').trim();
}
