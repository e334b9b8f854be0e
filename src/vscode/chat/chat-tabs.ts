import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/chat-session.ts';
import type { Comparisons } from '../../chat/comparisons.ts';
import type { TabMemory, UnshownTab } from '../../chat/tab-memory.ts';
import { createTabViewMemory, type DraftStore, type PageMemory, type ViewMemory } from '../../chat/view-memory.ts';
import { chatTabType } from '../host/command-ids.ts';
import { panelRoot } from '../host/panel-html.ts';
import type { ChatPane, ChatPanes } from './chat-panes.ts';
import type { ViewHost } from './chat-view.ts';

export interface ChatTabsDeps {
  extensionUri: vscode.Uri;
  panes: ChatPanes;
  comparisons: Comparisons;
  nameOf(model: string): string;
  createSession(memory: ViewMemory): Promise<ChatSession>;
  createPane(
    session: ChatSession,
    frame: { reveal(): Promise<void>; close(): void; page: PageMemory },
  ): ChatPane & { dispose(): void };
  /** What the page of this tab tells of itself. */
  pageOf(key: string): PageMemory;
  /** What is being typed in tabs, and what was left with its conversation. */
  texts: DraftStore;
  drafts: DraftStore;
  /** Which tab shows what, for the next window. */
  tabMemory: TabMemory;
  newKey(): string;
}

/** The chat in editor tabs. */
export interface ChatTabs {
  /** A conversation, or by default the one that the active view shows. Out of the side bar it moves, with what is being typed. */
  open(conversationId?: string): Promise<void>;
  /** Live conversations in tabs beside each other. */
  openBeside(conversationIds: readonly string[]): Promise<void>;
  /** A tab that VS Code kept; `state` is what its page stored. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  /** Opens the tabs again that VS Code lost in a crash. To be called once, before any tab is restored. */
  reopenLost(): Promise<void>;
}

export function createChatTabs(deps: ChatTabsDeps): ChatTabs {
  const { panes } = deps;
  const held = new Set<string>();
  /** VS Code keeps a tab's options from the moment it is open; its page's state comes later, and after a crash perhaps not. */
  const rootOf = (key: string) => vscode.Uri.joinPath(panelRoot(deps.extensionUri), 'tab', key);
  const titleOf = (session: ChatSession): string => {
    const name = session.state().title || vscode.l10n.t('New Chat');
    const compared = deps.comparisons.of(session.conversation().id) !== undefined;
    return compared ? vscode.l10n.t('{0}: {1}', deps.nameOf(session.state().model), name) : name;
  };
  const show = (panel: vscode.WebviewPanel, session: ChatSession, key: string): ChatPane => {
    const page = deps.pageOf(key);
    const pane = deps.createPane(session, {
      page,
      reveal: async () => panel.reveal(),
      close: () => panel.dispose(),
    });
    held.add(key);
    const update = () => {
      const title = titleOf(session);
      if (panel.title !== title) panel.title = title;
      deps.tabMemory.keep(key, {
        conversationId: session.conversation().id,
        title,
        ...(panel.viewColumn !== undefined && { column: panel.viewColumn }),
      });
    };
    panel.iconPath = {
      light: vscode.Uri.joinPath(deps.extensionUri, 'media', 'icon-light.svg'),
      dark: vscode.Uri.joinPath(deps.extensionUri, 'media', 'icon.svg'),
    };
    update();
    const stopListening = [session.onReset(update), session.onEvents(update), deps.comparisons.onDidChange(update)];
    panes.add(pane);
    pane.view.resolve(tabHost(panel, rootOf(key)));
    panel.onDidChangeViewState(update);
    panel.onDidDispose(() => {
      for (const stop of stopListening) stop();
      held.delete(key);
      deps.tabMemory.forget(key);
      page.forget();
      pane.dispose();
      panes.remove(pane);
      deps.comparisons.end(session.conversation().id);
      session.leave();
    });
    return pane;
  };
  const openTab = (
    session: ChatSession,
    at: { viewColumn: vscode.ViewColumn; preserveFocus?: boolean },
    key: string,
  ) => {
    const options = { localResourceRoots: [rootOf(key)] };
    return show(vscode.window.createWebviewPanel(chatTabType, titleOf(session), at, options), session, key);
  };
  const createSession = (id: string | undefined) => deps.createSession(createTabViewMemory(deps.texts, id));
  return {
    async open(conversationId) {
      const from = panes.active();
      const id = conversationId ?? (from === panes.sideBar() ? from.session.conversation().id : undefined);
      const shown = panes.all().find((pane) => pane.session.conversation().id === id);
      if (shown && shown !== panes.sideBar()) return shown.show();
      const session = await createSession(id);
      if (id !== undefined) takeOver(session, deps.drafts, shown?.session);
      await openTab(session, { viewColumn: vscode.ViewColumn.Active }, deps.newKey()).show();
    },
    async openBeside(conversationIds) {
      let viewColumn = vscode.ViewColumn.Active;
      for (const id of conversationIds) {
        await openTab(await createSession(id), { viewColumn }, deps.newKey()).show();
        viewColumn = vscode.ViewColumn.Beside;
      }
    },
    async restore(panel, state) {
      const key = keyOf(panel);
      // A copy of a tab is a tab of its own.
      const own = key === undefined || held.has(key) ? deps.newKey() : key;
      held.add(own);
      const kept = own === key ? deps.tabMemory.get(key) : undefined;
      show(panel, await createSession(kept?.conversationId ?? conversationIn(state)), own);
    },
    async reopenLost() {
      // There is always a group, once VS Code has told of them.
      if (vscode.window.tabGroups.all.length === 0) return;
      for (const { key, tab } of deps.tabMemory.takeLost(unshownTabs())) {
        const session = await createSession(tab.conversationId);
        openTab(session, { viewColumn: tab.column ?? vscode.ViewColumn.Active, preserveFocus: true }, key);
      }
    },
  };
}

/** VS Code prefixes the types of the extensions' tabs. */
function unshownTabs(): UnshownTab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
    tabs
      .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(`-${chatTabType}`))
      .map(({ label }) => ({ title: label, column: viewColumn })),
  );
}

/** Plain components instead of addresses come with a restored tab. */
function keyOf(panel: vscode.WebviewPanel): string | undefined {
  const keys = (panel.webview.options.localResourceRoots ?? []).map(({ path }) => /\/tab\/([\w-]+)$/.exec(path)?.[1]);
  return keys.find((key) => key !== undefined);
}

/** What was being written in the conversation comes along; the view that showed it begins a new chat. */
function takeOver(session: ChatSession, drafts: DraftStore, from: ChatSession | undefined): void {
  const { id } = session.conversation();
  const draft = from?.draft() ?? drafts.get(id);
  for (const attachment of from?.attachments() ?? []) {
    session.attach(attachment);
    from?.detach(attachment.id);
  }
  from?.setDraft('');
  from?.startOver();
  drafts.set(id, '');
  if (draft !== '') session.addToDraft(draft);
}

function conversationIn(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('conversationId' in state)) return undefined;
  return typeof state.conversationId === 'string' && state.conversationId !== '' ? state.conversationId : undefined;
}

function tabHost(panel: vscode.WebviewPanel, ownRoot: vscode.Uri): ViewHost {
  let visible = panel.visible;
  return {
    webview: panel.webview,
    ownRoot,
    visible: () => panel.visible,
    onDidChangeVisibility: (listener) =>
      void panel.onDidChangeViewState(() => {
        // Also called when another tab becomes the active one.
        if (panel.visible === visible) return;
        visible = panel.visible;
        listener();
      }),
    onDidDispose: (listener) => void panel.onDidDispose(listener),
  };
}
