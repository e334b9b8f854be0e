import type * as vscode from 'vscode';
import { createEmitter, type Event } from '../../base/emitter.ts';
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

/** Messages to and from the page of one view, wherever it is and whether or not there is one at the moment. */
export interface WebviewChannel {
  resolve(host: ViewHost): void;
  /** Dropped while the panel is hidden: what matters comes with the next snapshot. */
  post(message: HostMessage): void;
  visible(): boolean;
  /** Its script runs and is in sight: what is posted arrives. */
  isShown(): boolean;
  /** Messages of another shape are dropped. A page that goes out of sight says that it has lost the focus. */
  onDidReceiveMessage: Event<[message: PanelMessage]>;
  /** The page was kept while it was out of sight, and nothing was posted to it meanwhile. */
  onDidShowAgain: Event;
  /** It came into sight, with its page or before it has one. */
  onDidShow: Event;
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
