import type { Frame } from 'playwright-core';
import { waitFor } from '../../vscode/wait-for.ts';
import type { VsCodeWindow } from '../../vscode/window.ts';

export const surfaceNames = ['ours', 'plain webview', "VS Code's chat"] as const;
export type SurfaceName = (typeof surfaceNames)[number];

/** Where an answer is drawn. */
export interface Surface {
  frame: Frame;
  /** Asks for the answer. */
  send(): Promise<void>;
}

/** Each opens its surface, empty. */
export const surfaces: Record<SurfaceName, (window: VsCodeWindow) => Promise<Surface>> = {
  ours: async (window) => {
    await window.runCommand('svc.newChat');
    const frame = await window.webviewFrame('[aria-label="Message"]', { timeoutMs: 60_000 });
    return {
      frame,
      async send() {
        await frame.getByRole('textbox', { name: 'Message' }).fill('Write it.');
        await frame.getByRole('button', { name: 'Send', exact: true }).click();
      },
    };
  },
  'plain webview': async (window) => {
    await window.runCommand('Plain: Open');
    const frame = await window.webviewFrame('[aria-label="Plain answer"]', { timeoutMs: 60_000 });
    return { frame, send: () => window.runCommand('Plain: Ask') };
  },
  "VS Code's chat": async (window) => {
    await window.runCommand('Chat: Open Chat');
    await window.runCommand('Chat: New Chat');
    const input = window.page.locator('.interactive-session .chat-input-container .monaco-editor').first();
    await input.click({ timeout: 60_000 });
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.type('@plain Write it.');
    await waitFor('the text', async () => (await input.innerText()).replaceAll('\u00a0', ' ').includes('Write it.'));
    await window.page.keyboard.press('Escape');
    return { frame: window.page.mainFrame(), send: () => window.page.keyboard.press('Enter') };
  },
};
