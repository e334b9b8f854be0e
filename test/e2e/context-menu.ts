import type { Locator } from 'playwright-core';
import { escapeTitle } from '../run/parts.ts';
import { waitFor } from '../vscode/wait-for.ts';
import type { Session } from './session.ts';

/**
 * Chooses in the context menu of `target`, through its submenus. Anew when something else has closed the menu; what is chosen
 * in it closes it.
 */
export async function chooseInMenu(session: Session, target: Locator, ...names: string[]): Promise<void> {
  const { page } = session.window;
  const open = page.locator('.monaco-menu');
  await waitFor(
    `the menu with ${names.join(', ')}`,
    async () => {
      if ((await open.count()) > 0) await page.keyboard.press('Escape');
      await target.click({ button: 'right', timeout: 5000 });
      for (const [depth, name] of names.entries()) {
        // Each in its own menu: the editor's own entries have the same names.
        const menu = depth === 0 ? open.first() : page.locator('.monaco-submenu').nth(depth - 1);
        // An entry with a key is read out with it.
        const named = new RegExp(`^${escapeTitle(name)}( (Ctrl|Shift|Alt|Meta)\\S*)*$`);
        const item = menu.getByRole('menuitem', { name: named }).first();
        await item.hover({ timeout: 5000 });
        // A menu that has just opened takes no clicks yet.
        await page.keyboard.press('Enter');
      }
      return true;
    },
    { timeoutMs: 60_000 },
  );
  await open.first().waitFor({ state: 'detached' });
}
