import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import type { TestBrowser } from './browser.ts';
import { type CommandNames, keysOfUnlisted, readCommandNames } from './command-names.ts';
import type { VsCodeServer } from './launch.ts';
import { createQuickInput, type QuickInput } from './quick-input.ts';
import { isWindowNoise } from './server-noise.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

export interface WindowOptions {
  /** The server's launch folder unless given. */
  folder?: string;
  /** Absolute path of an extension to run from its folder; not for a server with an installed or linked one. */
  extensionDevelopmentPath?: string;
  /** Absolute path of the extension whose command ids `runCommand` knows; the project's own unless given. */
  extensionFolder?: string;
  /** VS Code's display language; without a language pack only extensions follow it. */
  language?: string;
}

/** A VS Code window in a browser and what a person can do with it. Every step waits for its effect. */
export interface VsCodeWindow {
  page: Page;
  /** Console lines of the window and its extension host, noise left out. */
  console(): string;
  /**
   * Runs a command through the palette: by `category: title`, or by its id if the extension contributes it. One that the extension
   * handles and does not list is run by a key that the session bound.
   */
  runCommand(titleOrId: string): Promise<void>;
  /** The frame of the webview that holds an element matching `selector`, once there is one. */
  webviewFrame(selector: string, options?: WaitOptions): Promise<Frame>;
  /** Opens a file of the workspace folder by its relative path, or shows its tab, and waits for its lines. */
  openFile(relativePath: string): Promise<void>;
  /** Texts of all status bar items, one a line. */
  statusBarText(): Promise<string>;
  /** Waits for an input box, fills it in and accepts. */
  answerInputBox(text: string): Promise<void>;
  /** Waits for a pick list and takes the entry with this label. */
  quickPick(label: string): Promise<void>;
  /** What input boxes and pick lists show, for tests that look closer. */
  quickInput: QuickInput;
  /** Waits for the notification that says this, be it a toast or one that others cover or that is gone from sight. */
  notification(text: string | RegExp): Promise<Locator>;
  /** Messages of the toasts that are showing. */
  notifications(): Promise<string[]>;
  /** Presses a button of a notification: of the one that says `text` when given, wherever it is. */
  pressNotificationButton(label: string, text?: string | RegExp): Promise<void>;
  /** Answers a modal dialog; waits for it to close. */
  pressDialogButton(label: string): Promise<void>;
  /** Writes `out/screenshots/<name>.png` and returns its path. Of one element when given. */
  screenshot(name: string, of?: Locator): Promise<string>;
  /** Loads the window again, as after a restart, and waits until it is usable. */
  reload(): Promise<void>;
  /**
   * Changes the colour theme to one that is not on, by its label: `Dark Modern`, `Light Modern`, `Dark High Contrast`,
   * `Light High Contrast`.
   */
  setTheme(label: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a window on the server and waits until its extension host has started. */
export async function openWindow(
  server: VsCodeServer,
  browser: TestBrowser,
  options: WindowOptions = {},
): Promise<VsCodeWindow> {
  const { extensionDevelopmentPath } = options;
  const names = await readCommandNames(
    options.extensionFolder ?? extensionDevelopmentPath ?? projectRoot,
    options.language,
  );
  const unlisted = await keysOfUnlisted(options.extensionFolder ?? projectRoot);
  const page = await browser.newPage();
  // A busy machine takes longer than the usual half minute to load the editor.
  page.setDefaultNavigationTimeout(120_000);
  // What the texts of a language pack would set.
  if (options.language)
    await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)}`);
  const lines: string[] = [];
  page.on('console', (message) => {
    lines.push(
      ...message
        .text()
        .split('\n')
        .filter((line) => !isWindowNoise(line)),
    );
  });
  // A window with unsaved files asks before it goes.
  page.on('dialog', (dialog) => void dialog.accept().catch((error: unknown) => lines.push(String(error))));
  const load = async (go: () => Promise<unknown>) => {
    await go();
    await waitUntilUsable(page, lines);
  };
  await load(() =>
    page.goto(server.url(options.folder ?? server.folder, { extensionDevelopmentPath }), { timeout: 180_000 }),
  );
  const quickInput = createQuickInput(page);
  const run = async (titleOrId: string) => {
    const key = unlisted.find(({ command }) => command === titleOrId)?.key;
    if (key === undefined) await runCommand(quickInput, names, titleOrId);
    else {
      // A page that has the focus would get the key, and what the command asks would close when the focus goes back to it.
      await page.evaluate(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      });
      await page.keyboard.press(pressOf(key));
    }
  };
  const notification = (text: string | RegExp) =>
    findNotification(page, text, () => run('Notifications: Show Notifications'));
  return {
    page,
    console: () => lines.join('\n'),
    runCommand: run,
    webviewFrame: (selector, wait) => findWebviewFrame(page, selector, wait),
    openFile: (relativePath) => openFile(page, quickInput, relativePath),
    statusBarText: async () => (await page.locator('.statusbar-item:visible').allTextContents()).join('\n'),
    answerInputBox: (text) => quickInput.answer(text),
    quickPick: (label) => quickInput.pick(label, { timeoutMs: 60_000 }),
    quickInput,
    notification,
    notifications: () => page.locator('.notification-toast .notification-list-item-message').allTextContents(),
    pressNotificationButton: async (label, text) => {
      const item = text === undefined ? page.locator('.notification-toast') : await notification(text);
      await item.getByRole('button', { name: label, exact: true }).first().click();
    },
    pressDialogButton: async (label) => {
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByRole('button', { name: label, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    },
    screenshot: (name, of) => takeScreenshot(page, name, of),
    reload: () => load(() => page.reload()),
    setTheme: (label) => setTheme(page, quickInput, label),
    close: () => page.close(),
  };
}

async function waitUntilUsable(page: Page, lines: readonly string[]): Promise<void> {
  try {
    await page.locator('.monaco-workbench .statusbar-item').first().waitFor({ timeout: 180_000 });
    await waitForRemote(page);
  } catch (error) {
    throw new Error(`VS Code did not start:\n${lines.slice(-40).join('\n')}`, { cause: error });
  }
}

/** The remote indicator says `Opening Remote…` until the extension host on the server answers. */
async function waitForRemote(page: Page): Promise<void> {
  await waitFor(
    'the remote extension host',
    async () => {
      const label = await page.locator('[id="status.host"]').getAttribute('aria-label');
      return label !== null && !/opening|reconnecting|disconnected/i.test(label);
    },
    { timeoutMs: 120_000 },
  );
}

/** `ctrl+alt+f13` as the browser calls it. */
function pressOf(key: string): string {
  const names: Record<string, string> = { ctrl: 'Control', alt: 'Alt', shift: 'Shift' };
  return key
    .split('+')
    .map((part) => names[part] ?? part.toUpperCase())
    .join('+');
}

async function runCommand(quickInput: QuickInput, names: CommandNames, titleOrId: string): Promise<void> {
  const title = names.get(titleOrId) ?? titleOrId;
  const { widget, input } = quickInput;
  // What the command itself asks comes in the same widget.
  const isClosed = async () =>
    !(await widget.isVisible()) || !(await input.inputValue({ timeout: 3000 })).startsWith('>');
  // The palette does not grow while it is open: an extension that was not read yet needs it to be opened again. It closes
  // before the command runs, so one that still stands there with its entry has not taken the click.
  let timeoutMs = 500;
  await waitFor(
    `the command "${title}" in the palette`,
    async () => {
      await quickInput.open('F1', `>${title}`);
      timeoutMs = Math.min(2 * timeoutMs, 5000);
      try {
        // What the command before this one shows may take the focus only now, and the palette closes.
        if (!(await quickInput.settledWhileOpen(title, { timeoutMs }))) return false;
      } catch (error) {
        await quickInput.cancel();
        throw error;
      }
      await quickInput.pick(title, { timeoutMs: 5000 });
      await waitFor('the palette to close', isClosed, { timeoutMs: 15_000 });
      return true;
    },
    { timeoutMs: 90_000 },
  );
}

async function openFile(page: Page, quickInput: QuickInput, relativePath: string): Promise<void> {
  const name = path.posix.basename(relativePath);
  const tab = page.locator(`.editor-group-container.active .tab.active[data-resource-name="${name}"]`);
  await waitFor(
    `${relativePath} in the editor`,
    async () => {
      // A click may have worked although nobody was told in time.
      if (await tab.isVisible()) return true;
      await quickInput.open('Control+P', relativePath);
      await quickInput.pick(name, { timeoutMs: 15_000 });
      await tab.waitFor({ timeout: 10_000 });
      return true;
    },
    { timeoutMs: 120_000 },
  );
  await page.locator('.editor-group-container.active .monaco-editor .view-line').first().waitFor();
}

async function findWebviewFrame(page: Page, selector: string, wait?: WaitOptions): Promise<Frame> {
  return waitFor(
    `a webview that holds ${selector}`,
    async () => {
      for (const frame of page.frames()) {
        if (!frame.url().includes('/webview/browser/pre/fake.html')) continue;
        // A frame that is being replaced throws; the next one may be the right one.
        const count = await frame
          .locator(selector)
          .count()
          .catch(() => 0);
        if (count > 0) return frame;
      }
      return undefined;
    },
    wait,
  );
}

async function findNotification(page: Page, text: string | RegExp, showAll: () => Promise<void>): Promise<Locator> {
  const item = page
    .locator('.notification-toast .notification-list-item, .notifications-center.visible .notification-list-item')
    .filter({ has: page.locator('.notification-list-item-message', { hasText: text }) })
    .first();
  const startedAt = Date.now();
  let showsAll = false;
  return waitFor(`a message that says ${text}`, async () => {
    if (await item.isVisible()) return item;
    // Three are shown at once, and for about ten seconds; the rest is in the list of all.
    const isHidden = (await page.locator('.notification-toast').count()) > 2 || Date.now() - startedAt > 12_000;
    if (!isHidden || showsAll) return undefined;
    showsAll = true;
    await showAll();
    return undefined;
  });
}

async function takeScreenshot(page: Page, name: string, of?: Locator): Promise<string> {
  const folder = path.join(projectRoot, 'out/screenshots');
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${name}.png`);
  await (of ?? page).screenshot({ path: file, animations: 'disabled' });
  return file;
}

async function setTheme(page: Page, quickInput: QuickInput, label: string): Promise<void> {
  const before = await themeOf(page);
  await runCommand(quickInput, new Map(), 'Preferences: Color Theme');
  await quickInput.type(label);
  await quickInput.pick(label);
  await waitFor(`the theme ${label}`, async () => (await themeOf(page)) !== before);
}

/** The workbench carries its theme as classes: the base kind and the theme's file. */
async function themeOf(page: Page): Promise<string> {
  const classes = (await page.locator('.monaco-workbench').first().getAttribute('class')) ?? '';
  return classes
    .split(' ')
    .filter((name) => /^(vs|vs-dark|hc-black|hc-light)$/.test(name) || name.includes('-themes-'))
    .join(' ');
}
