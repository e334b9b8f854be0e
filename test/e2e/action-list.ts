import type { Locator } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';

/** Takes an entry of the list of actions. 1.106 keeps the mouse from a list that has just opened until it has moved. */
export async function pressAction(entry: Locator): Promise<void> {
  let tried = false;
  await waitFor('the entry to be taken', async () => {
    // A click may have worked although nobody was told in time.
    if (tried && !(await entry.isVisible())) return true;
    await entry.hover({ force: true, timeout: 5000 });
    tried = true;
    await entry.click({ timeout: 5000 });
    return true;
  });
}
