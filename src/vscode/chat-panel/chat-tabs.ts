import * as vscode from 'vscode';
import { disposeAll } from '../../base/emitter.ts';
import type { Comparisons } from '../../chat/comparisons.ts';
import type { DraftView } from '../../chat/draft-store.ts';
import type { TabMemory, UnshownTab } from '../../chat/tab-memory.ts';
import type { PageMemory } from '../../chat/view-memory.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import { chatTabType } from '../host/command-ids.ts';
import { panelRoot } from '../host/panel-html.ts';
import { titleInView } from './chat-view.ts';
import type { ChatWidget, ChatWidgets } from './chat-widgets.ts';
import type { ViewHost } from './webview-channel.ts';

export interface ChatTabsDeps {
  extensionUri: vscode.Uri;
  widgets: ChatWidgets;
  comparisons: Comparisons;
  nameOf(model: string): string;
  createViewModel(place: DraftView): Promise<ChatViewModel>;
  createWidget(
    viewModel: ChatViewModel,
    frame: { reveal(): Promise<void>; close(): void; page: PageMemory },
  ): ChatWidget & { dispose(): void };
  pageOf(key: string): PageMemory;
  tabMemory: TabMemory;
  newKey(): string;
}

export interface ChatTabs {
  /**
   * Opens the given conversation; without an id, that of the side bar if it is active, else a new one. The text typed
   * in the side bar comes along.
   */
  open(conversationId?: string): Promise<void>;
  openBeside(conversationIds: readonly string[]): Promise<void>;
  /** Restores a tab that VS Code kept; `state` is what its page stored. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  /** Opens the tabs again that VS Code lost in a crash. It must be called once, before any tab is restored. */
  reopenLost(): Promise<void>;
}

export function createChatTabs(deps: ChatTabsDeps): ChatTabs {
  const { widgets } = deps;
  const held = new Set<string>();
  /**
   * The key is in the resource roots, because VS Code keeps a tab's options from the moment it is open. Its page's
   * state is stored later, and after a crash perhaps not at all.
   */
  const rootOf = (key: string) => vscode.Uri.joinPath(panelRoot(deps.extensionUri), 'tab', key);
  const titleOf = (viewModel: ChatViewModel): string => {
    const name = titleInView(viewModel, vscode.l10n.t('New Chat'));
    const compared = deps.comparisons.of(viewModel.conversation().id) !== undefined;
    return compared ? vscode.l10n.t('{0}: {1}', deps.nameOf(viewModel.state().model), name) : name;
  };
  const show = (panel: vscode.WebviewPanel, viewModel: ChatViewModel, key: string): ChatWidget => {
    const page = deps.pageOf(key);
    const widget = deps.createWidget(viewModel, {
      page,
      reveal: async () => panel.reveal(),
      close: () => panel.dispose(),
    });
    held.add(key);
    const update = () => {
      const title = titleOf(viewModel);
      if (panel.title !== title) panel.title = title;
      deps.tabMemory.keep(key, { conversationId: viewModel.conversation().id, title, column: panel.viewColumn });
    };
    panel.iconPath = {
      light: vscode.Uri.joinPath(deps.extensionUri, 'media', 'icon-light.svg'),
      dark: vscode.Uri.joinPath(deps.extensionUri, 'media', 'icon.svg'),
    };
    update();
    const listening = [viewModel.onDidReset(update), viewModel.onDidEmit(update), deps.comparisons.onDidChange(update)];
    widgets.add(widget);
    widget.channel.resolve(tabHost(panel, rootOf(key)));
    panel.onDidChangeViewState(update);
    panel.onDidDispose(() => {
      disposeAll(listening);
      held.delete(key);
      deps.tabMemory.forget(key);
      page.forget();
      widget.dispose();
      widgets.remove(widget);
      deps.comparisons.end(viewModel.conversation().id);
      viewModel.close();
    });
    return widget;
  };
  const openTab = (
    viewModel: ChatViewModel,
    at: { viewColumn: vscode.ViewColumn; preserveFocus?: boolean },
    key: string,
  ) => {
    const options = { localResourceRoots: [rootOf(key)], enableFindWidget: true };
    return show(vscode.window.createWebviewPanel(chatTabType, titleOf(viewModel), at, options), viewModel, key);
  };
  const createViewModel = (conversationId: string | undefined) =>
    deps.createViewModel({ view: 'tabs', conversationId });
  return {
    async open(conversationId) {
      const from = widgets.active();
      const id = conversationId ?? (from === widgets.sideBar() ? from.viewModel.conversation().id : undefined);
      const shown = widgets.all().find((widget) => widget.viewModel.conversation().id === id);
      if (shown && shown !== widgets.sideBar()) return shown.show();
      const viewModel = await createViewModel(id);
      if (id !== undefined) viewModel.takeDraft(shown?.viewModel);
      await openTab(viewModel, { viewColumn: vscode.ViewColumn.Active }, deps.newKey()).show();
    },
    async openBeside(conversationIds) {
      let viewColumn = vscode.ViewColumn.Active;
      for (const id of conversationIds) {
        await openTab(await createViewModel(id), { viewColumn }, deps.newKey()).show();
        viewColumn = vscode.ViewColumn.Beside;
      }
    },
    async restore(panel, state) {
      const key = keyOf(panel);
      // A copy of a tab is a tab of its own.
      const own = key === undefined || held.has(key) ? deps.newKey() : key;
      held.add(own);
      const kept = own === key ? deps.tabMemory.get(key) : undefined;
      show(panel, await createViewModel(kept?.conversationId ?? conversationIn(state)), own);
    },
    async reopenLost() {
      // VS Code has not reported its tabs yet.
      if (vscode.window.tabGroups.all.length === 0) return;
      for (const { key, tab } of deps.tabMemory.takeLost(unshownTabs())) {
        const viewModel = await createViewModel(tab.conversationId);
        openTab(viewModel, { viewColumn: tab.column ?? vscode.ViewColumn.Active, preserveFocus: true }, key);
      }
    },
  };
}

function unshownTabs(): UnshownTab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
    tabs
      .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(`-${chatTabType}`))
      .map(({ label }) => ({ title: label, column: viewColumn })),
  );
}

/** The roots of a restored tab are plain objects and no `Uri`s, so only their `path` is read. */
function keyOf(panel: vscode.WebviewPanel): string | undefined {
  const keys = (panel.webview.options.localResourceRoots ?? []).map(({ path }) => /\/tab\/([\w-]+)$/.exec(path)?.[1]);
  return keys.find((key) => key !== undefined);
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
      panel.onDidChangeViewState(() => {
        // Also called when another tab becomes the active one.
        if (panel.visible === visible) return;
        visible = panel.visible;
        listener();
      }),
    onDidDispose: (listener) => panel.onDidDispose(() => listener()),
  };
}
