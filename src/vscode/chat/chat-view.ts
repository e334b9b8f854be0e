import type * as vscode from 'vscode';
import type { ChatSession } from '../../conversation/session/chat-session.ts';
import type { PricePreview } from '../../conversation/session/price-preview.ts';
import type { PageMemory } from '../../conversation/session/view-memory.ts';
import type { ChatState } from '../../shared/chat/chat-state.ts';
import type { ChatEvent } from '../../shared/events.ts';
import type { PanelInfo } from '../../shared/panel/panel-info.ts';
import { type HostMessage, type PanelMessage, panelMessageSchema } from '../../shared/panel/protocol.ts';
import { toolFaces } from '../../tools/index.ts';
import { type BegunPage, beginPage } from './begun-page.ts';
import type { CodeColoring } from './code-coloring.ts';
import { createEventBatch } from './event-batch.ts';

/** The side bar's view as a host of a panel. */
export function sideBarHost(view: vscode.WebviewView, page: BegunPage): ViewHost {
  return {
    webview: view.webview,
    page,
    visible: () => view.visible,
    onDidChangeVisibility: (listener) => void view.onDidChangeVisibility(listener),
    onDidDispose: (listener) => void view.onDidDispose(listener),
  };
}

/** The head of the side bar's view names the conversation. */
export function followTitle(view: vscode.WebviewView, session: ChatSession): void {
  const update = () => {
    // As its description: VS Code writes titles with capitals.
    const { title } = session.state();
    if (view.description !== title) view.description = title;
  };
  const stops = [session.onEvents(update), session.onReset(update)];
  view.onDidDispose(() => {
    for (const stop of stops) stop();
  });
  update();
}

export interface ChatViewDeps {
  extensionUri: vscode.Uri;
  state(): ChatState;
  draft(): string;
  draftFrom(): string | undefined;
  info(): PanelInfo;
  /** What the page told of itself last. */
  page: PageMemory;
  price: PricePreview;
  colors: Pick<CodeColoring, 'color'>;
  /** Takes the key out of what is shown of a conversation. */
  withoutKeys<T>(record: T): T;
  handle(message: PanelMessage): void;
  /** The panel has been given a snapshot. */
  onShown(): void;
  log: { error(line: string, error?: unknown): void };
}

/** Where a panel can be: a view of the side bar, or an editor tab. */
export interface ViewHost {
  webview: vscode.Webview;
  /** Where the page was begun already. */
  page?: BegunPage;
  /**
   * Allowed besides the panel's own folder: what VS Code keeps with a tab, by which it is known again. There is nothing
   * there.
   */
  ownRoot?: vscode.Uri;
  visible(): boolean;
  onDidChangeVisibility(listener: () => void): void;
  onDidDispose(listener: () => void): void;
}

/**
 * The panel's other end. The panel holds no truth: it gets a snapshot when it (re)starts or is shown again, events in
 * between, and nothing while it is hidden.
 */
export interface ChatView {
  resolve(host: ViewHost): void;
  onEvents(events: readonly ChatEvent[]): void;
  /** Everything changed: another conversation. */
  reset(): void;
  /** This text was added to the draft. */
  draftAdded(text: string): void;
  /** This draft was sent elsewhere. */
  draftTaken(text: string): void;
  infoChanged(): void;
  /** What the next message costs may have changed in other ways than by typing. */
  priceChanged(): void;
  /** Dropped while the panel is hidden: what matters comes with the next snapshot. */
  post(message: HostMessage): void;
  focusInput(): void;
  focusApproval(): void;
  visible(): boolean;
}

export function createChatView(deps: ChatViewDeps): ChatView {
  let view: ViewHost | undefined;
  /** The panel's script runs and has asked for a snapshot. */
  let ready = false;
  /** Something was added to the draft while there was no page to be told. */
  let addedUntold = false;
  let focusWhenReady: 'focusInput' | 'focusApproval' | undefined;
  const shown = () => ready && view?.visible() === true;
  const post = (message: HostMessage) => {
    if (shown()) void view?.webview.postMessage(message);
  };
  let priceDue: 'draft' | 'all' | undefined;
  /** After what happens now, and once for all of it: the end of a turn says several times that it may have changed. */
  const postPrice = (changed: 'draft' | 'all') => {
    if (priceDue === undefined) setImmediate(postDuePrice);
    if (priceDue !== 'all') priceDue = changed;
  };
  const postDuePrice = () => {
    const due = priceDue;
    priceDue = undefined;
    if (due !== undefined && shown()) post({ type: 'price', price: deps.price(due) });
  };
  const batch = createEventBatch((events) => post({ type: 'events', events: deps.withoutKeys(events) }));
  const snapshot = (begins = false) => {
    batch.clear();
    const page = begins ? deps.page.get() : undefined;
    if (shown()) {
      const draftFrom = deps.draftFrom();
      const draft = {
        draft: deps.draft(),
        ...(draftFrom && { draftFrom }),
        ...(addedUntold && { draftReplaced: true }),
        ...(page && { page: deps.withoutKeys(page) }),
      };
      post({
        type: 'snapshot',
        state: deps.withoutKeys(deps.state()),
        info: deps.info(),
        faces: toolFaces(),
        ...draft,
      });
      addedUntold = false;
      deps.onShown();
    }
    postPrice('all');
  };
  const focus = (type: 'focusInput' | 'focusApproval') => {
    if (shown()) post({ type });
    else focusWhenReady = type;
  };
  const receive = (raw: unknown) => {
    const message = panelMessageSchema.safeParse(raw);
    if (!message.success) {
      deps.log.error('A message of the panel was dropped', new Error(JSON.stringify(message.error.issues)));
      return;
    }
    if (message.data.type === 'colorCode') {
      const { block } = message.data;
      void deps.colors.color(message.data).then((colored) => post({ type: 'codeColors', block, colored }));
      return;
    }
    if (message.data.type === 'pageChanged') return deps.page.set(message.data.page);
    if (message.data.type !== 'ready') {
      deps.handle(message.data);
      if (message.data.type === 'draftChanged') postPrice('draft');
      return;
    }
    ready = true;
    snapshot(true);
    if (focusWhenReady) post({ type: focusWhenReady, late: true });
    focusWhenReady = undefined;
  };
  return {
    resolve(resolved) {
      view = resolved;
      ready = false;
      resolved.onDidChangeVisibility(() => {
        // A hidden panel loses its page; when it comes back it says `ready` itself. If VS Code kept the page, the
        // snapshot makes up for what was not posted.
        if (resolved.visible()) snapshot();
        else deps.handle({ type: 'focusChanged', chat: false, input: false, used: false });
      });
      resolved.onDidDispose(() => {
        if (view !== resolved) return;
        view = undefined;
        ready = false;
        deps.handle({ type: 'focusChanged', chat: false, input: false, used: false });
      });
      const page = resolved.page ?? beginPage(resolved.webview, deps.extensionUri, resolved.ownRoot);
      page.listen(receive);
    },
    onEvents: (events) => {
      if (shown()) batch.add(events);
    },
    reset: () => snapshot(),
    draftAdded(text) {
      if (shown()) post({ type: 'addToDraft', text });
      else addedUntold = true;
      postPrice('draft');
    },
    draftTaken(text) {
      post({ type: 'draftTaken', text });
      postPrice('draft');
    },
    infoChanged() {
      post({ type: 'info', info: deps.info() });
      postPrice('all');
    },
    post,
    priceChanged: () => postPrice('all'),
    focusInput: () => focus('focusInput'),
    focusApproval: () => focus('focusApproval'),
    visible: () => view?.visible() ?? false,
  };
}
