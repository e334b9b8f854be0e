import type * as vscode from 'vscode';
import { createEmitter } from '../../base/emitter.ts';
import { type HostMessage, type PanelMessage, panelMessageSchema } from '../../shared/panel/protocol.ts';
import { beginPage, type PreloadedWebview } from './preloaded-webview.ts';

/** Where a panel can be: a view of the side bar, or an editor tab. */
export interface ViewHost {
  webview: vscode.Webview;
  /** Where the page was begun already. */
  page?: PreloadedWebview;
  /**
   * Allowed besides the panel's own folder: what VS Code keeps with a tab, by which it is known again. There is nothing
   * there.
   */
  ownRoot?: vscode.Uri;
  visible(): boolean;
  onDidChangeVisibility(listener: () => void): void;
  onDidDispose(listener: () => void): void;
}

export function sideBarHost(view: vscode.WebviewView, page: PreloadedWebview): ViewHost {
  return {
    webview: view.webview,
    page,
    visible: () => view.visible,
    onDidChangeVisibility: (listener) => void view.onDidChangeVisibility(listener),
    onDidDispose: (listener) => void view.onDidDispose(listener),
  };
}

/** Messages to and from the page of one view, wherever it is and whether or not there is one at the moment. */
export interface WebviewChannel {
  resolve(host: ViewHost): void;
  /** Dropped while the panel is hidden: what matters comes with the next snapshot. */
  post(message: HostMessage): void;
  visible(): boolean;
  /** Its script runs and is in sight: what is posted arrives. */
  isShown(): boolean;
  /** Messages of another shape are dropped. A page that goes out of sight says that it has lost the focus. */
  onMessage(listener: (message: PanelMessage) => void): () => void;
  /** The page was kept while it was out of sight, and nothing was posted to it meanwhile. */
  onShownAgain(listener: () => void): () => void;
  /** It came into sight, with its page or before it has one. */
  onShown(listener: () => void): () => void;
}

export interface WebviewChannelDeps {
  extensionUri: vscode.Uri;
  log: { error(line: string, error?: unknown): void };
}

export function createWebviewChannel({ extensionUri, log }: WebviewChannelDeps): WebviewChannel {
  let host: ViewHost | undefined;
  /** The panel's script runs and has asked for a snapshot. */
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
    messages.tell(message.data);
  };
  const focusLost = () => messages.tell({ type: 'focusChanged', chat: false, input: false, used: false });
  return {
    resolve(resolved) {
      host = resolved;
      ready = false;
      if (resolved.visible()) shown.tell();
      resolved.onDidChangeVisibility(() => {
        // A hidden panel loses its page; when it comes back it says `ready` itself, unless VS Code kept the page.
        if (!resolved.visible()) {
          focusLost();
          return;
        }
        shown.tell();
        shownAgain.tell();
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
    onMessage: messages.add,
    onShownAgain: shownAgain.add,
    onShown: shown.add,
  };
}
