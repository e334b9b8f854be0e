import type * as vscode from 'vscode';
import { createEmitter, type Event } from '../../base/emitter.ts';
import { type HostMessage, type PanelMessage, panelMessageSchema } from '../../shared/panel/protocol.ts';
import { beginPage, type PreloadedWebview } from './preloaded-webview.ts';

export interface ViewHost {
  webview: vscode.Webview;
  page?: PreloadedWebview;
  /**
   * This folder is allowed in addition to the panel's own. VS Code keeps it with a tab, which identifies the tab after
   * a restart. The folder itself is empty.
   */
  ownRoot?: vscode.Uri;
  visible(): boolean;
  onDidChangeVisibility: Event;
  onDidDispose: Event;
}

export function sideBarHost(view: vscode.WebviewView, page: PreloadedWebview): ViewHost {
  return {
    webview: view.webview,
    page,
    visible: () => view.visible,
    onDidChangeVisibility: (listener) => view.onDidChangeVisibility(() => listener()),
    onDidDispose: (listener) => view.onDidDispose(() => listener()),
  };
}

export interface WebviewChannel {
  resolve(host: ViewHost): void;
  /** Messages to a hidden panel are dropped, because the next snapshot contains everything. */
  post(message: HostMessage): void;
  visible(): boolean;
  /** Is true when the script runs and the page is visible, so that posted messages arrive. */
  isShown(): boolean;
  /** Messages of another shape are dropped. A page that is hidden reports that it has lost the focus. */
  onDidReceiveMessage: Event<[message: PanelMessage]>;
  /** Fires when the page was kept while it was hidden, and nothing was posted to it meanwhile. */
  onDidShowAgain: Event;
  onDidShow: Event;
}

export interface WebviewChannelDeps {
  extensionUri: vscode.Uri;
  log: { error(line: string, error?: unknown): void };
}

export function createWebviewChannel({ extensionUri, log }: WebviewChannelDeps): WebviewChannel {
  let host: ViewHost | undefined;
  let ready = false;
  const messages = createEmitter<[message: PanelMessage]>();
  const shownAgain = createEmitter();
  const shown = createEmitter();
  const isShown = () => ready && host?.visible() === true;
  const receive = (raw: unknown) => {
    const message = panelMessageSchema.safeParse(raw);
    if (!message.success) {
      log.error('A message of the panel was dropped', new Error(JSON.stringify(message.error.issues)));
      return;
    }
    if (message.data.type === 'ready') ready = true;
    messages.fire(message.data);
  };
  const focusLost = () => messages.fire({ type: 'focusChanged', chat: false, input: false, used: false });
  return {
    resolve(resolved) {
      host = resolved;
      ready = false;
      if (resolved.visible()) shown.fire();
      resolved.onDidChangeVisibility(() => {
        // A hidden panel loses its page; when it comes back it says `ready` itself, unless VS Code kept the page.
        if (!resolved.visible()) {
          focusLost();
          return;
        }
        shown.fire();
        shownAgain.fire();
      });
      resolved.onDidDispose(() => {
        if (host !== resolved) return;
        host = undefined;
        ready = false;
        focusLost();
      });
      const page = resolved.page ?? beginPage(resolved.webview, extensionUri, resolved.ownRoot);
      page.listen(receive);
    },
    post(message) {
      if (isShown()) void host?.webview.postMessage(message);
    },
    visible: () => host?.visible() ?? false,
    isShown,
    onDidReceiveMessage: messages.event,
    onDidShowAgain: shownAgain.event,
    onDidShow: shown.event,
  };
}
