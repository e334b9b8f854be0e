import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Features } from './features/features.ts';
import type { PreloadedWebview } from './vscode/chat-panel/preloaded-webview.ts';
import type { FirstLook } from './vscode/first-look.ts';
import { createDisposableStore, type Register } from './vscode/host/disposable-store.ts';

export interface Assistant {
  /** `page` is already loading in the view. `shown` is called when the page has been sent what it shows. */
  resolveChatView(view: vscode.WebviewView, page: PreloadedWebview, shown: () => void): void;
  restoreChatTab(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  createFeatures(): Promise<Features>;
}

export async function createAssistant(context: vscode.ExtensionContext): Promise<Assistant> {
  const firstLook = await owned(context, (register) => createFirstLook(context, register));
  return {
    resolveChatView: firstLook.resolveSideBar,
    restoreChatTab: firstLook.views.tabs.restore,
    createFeatures: () => addFeatures(context, firstLook),
  };
}

/**
 * Imports in the order of need. Each imported file becomes one in `dist/` with everything that those before it lack;
 * the build reads this file from top to bottom. The service waits for the disk and the keychain while the next ones
 * load.
 */
async function createFirstLook(context: vscode.ExtensionContext, register: Register): Promise<FirstLook> {
  // What host and pages share makes its texts without VS Code's API.
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  await inTurn(
    () => import('./shared/event-schema.ts'),
    () => import('./service/client.ts'),
    () => import('./tools/run-command.ts'),
    () => import('./tools/all-tools.ts'),
    () => import('./vscode/account/create-service.ts'),
  );
  const { createService } = await import('./vscode/account/create-service.ts');
  const [service] = await Promise.all([
    createService(context, register),
    inTurn(
      () => import('./vscode/edits/create-review.ts'),
      () => import('./tools/command/command-ports.ts'),
      () => import('./vscode/chat-panel/create-tools.ts'),
      () => import('./vscode/chat-panel/create-chat.ts'),
      () => import('./vscode/composer/create-composer.ts'),
      () => import('./vscode/first-look.ts'),
    ),
  ]);
  const firstLook = await import('./vscode/first-look.ts');
  return firstLook.createFirstLook(service, register);
}

async function addFeatures(context: vscode.ExtensionContext, firstLook: FirstLook): Promise<Features> {
  await inTurn(
    () => import('./features/inline/index.ts'),
    () => import('./features/next-places/index.ts'),
    () => import('./features/git/index.ts'),
    () => import('./features/features.ts'),
  );
  const { createFeatures } = await import('./features/features.ts');
  return owned(context, async (register) => createFeatures(firstLook, register));
}

/** Yields between two parts, because all extensions share one thread. */
async function inTurn(...parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of parts) {
    await setImmediate();
    await load();
  }
  await setImmediate();
}

async function owned<T>(context: vscode.ExtensionContext, create: (register: Register) => Promise<T>): Promise<T> {
  const disposables = createDisposableStore();
  try {
    const made = await create(disposables.register);
    context.subscriptions.push(disposables);
    return made;
  } catch (error) {
    disposables.dispose();
    throw error;
  }
}
