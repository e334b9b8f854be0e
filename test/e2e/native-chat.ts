import type { Locator } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';
import type { Session } from './session.ts';

/** VS Code's own chat panel. */
export function nativeChat({ window }: Session): Locator {
  return window.page.locator('.interactive-session').first();
}

/** Asks `@participant words…` there; resolves when the question was sent. */
export async function askNativeChat(session: Session, text: string): Promise<void> {
  const { window } = session;
  const view = nativeChat(session);
  await window.runCommand('Chat: Open Chat');
  await view.waitFor({ timeout: 180_000 });
  const input = view.locator('.chat-input-container .monaco-editor').first();
  await input.click({ timeout: 180_000 });
  // A participant that was asked stands there again.
  await window.page.keyboard.press('Control+a');
  await window.page.keyboard.type(text);
  const words = text.split(' ').slice(1).join(' ');
  // Spaces that do not break are drawn, and long lines broken.
  const typed = async () => (await input.innerText()).replace(/\s+/g, ' ');
  await waitFor('the text', async () => (await typed()).includes(words));
  await waitFor('the question to be sent', async () => {
    // What is offered for the words may open late, and would take the Enter.
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Enter');
    await waitFor('the empty input', async () => !(await typed()).includes(words), { timeoutMs: 5000 });
    return true;
  });
}
