import type { Locator } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';
import type { Session } from './session.ts';

/** The editor in front. */
export function editorOf({ window }: Session): Locator {
  return window.page.locator('.editor-group-container.active .monaco-editor').first();
}

/** Marks `discountCents`, four lines of `src/discounts.ts`, as a person does: with the keyboard. */
export async function selectFunction(session: Session): Promise<void> {
  const { keyboard } = session.window.page;
  const editor = editorOf(session);
  await session.window.openFile('src/discounts.ts');
  await waitFor(
    'the selection',
    async () => {
      await keyboard.press('Escape');
      const line = editor.locator('.view-line').filter({ hasText: 'export function discountCents' });
      await line.click({ timeout: 3000 });
      await keyboard.press('Home');
      for (let count = 0; count < 4; count++) await keyboard.press('Shift+ArrowDown');
      await editor.locator('.selected-text').first().waitFor({ state: 'attached', timeout: 3000 });
      return true;
    },
    { timeoutMs: 60_000 },
  );
}
