import * as vscode from 'vscode';
import type { ChatPane, ChatPanes } from './chat-panes.ts';
import type { ChatSession } from './chat-session.ts';
import type { ViewHost } from './chat-view.ts';
import { chatTabType } from './command-ids.ts';
import type { Comparisons } from './comparisons.ts';
import { createTabMemory, type DraftStore, type ViewMemory } from './view-memory.ts';

export interface ChatTabsDeps {
  extensionUri: vscode.Uri;
  panes: ChatPanes;
  comparisons: Comparisons;
  nameOf(model: string): string;
  createSession(memory: ViewMemory): Promise<ChatSession>;
  createPane(session: ChatSession, frame: { reveal(): Promise<void>; close(): void }): ChatPane & { dispose(): void };
  /** What is being typed in tabs, and what was left with its conversation. */
  texts: DraftStore;
  drafts: DraftStore;
}

/** The chat in editor tabs (F11). */
export interface ChatTabs {
  /** A conversation, or by default the one that the active view shows. Out of the side bar it moves, with what is being typed. */
  open(conversationId?: string): Promise<void>;
  /** Live conversations in tabs beside each other. */
  openBeside(conversationIds: readonly string[]): Promise<void>;
  /** A tab that VS Code kept; `state` is what its page stored. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

export function createChatTabs(deps: ChatTabsDeps): ChatTabs {
  const { panes } = deps;
  const show = (panel: vscode.WebviewPanel, session: ChatSession): ChatPane => {
    const pane = deps.createPane(session, {
      reveal: async () => panel.reveal(),
      close: () => panel.dispose(),
    });
    const setTitle = () => {
      const { id } = session.conversation();
      const name = session.state().title || vscode.l10n.t('New Chat');
      const compared = deps.comparisons.of(id) !== undefined;
      const title = compared ? vscode.l10n.t('{0}: {1}', deps.nameOf(session.state().model), name) : name;
      if (panel.title !== title) panel.title = title;
    };
    panel.iconPath = {
      light: vscode.Uri.joinPath(deps.extensionUri, 'media', 'icon-light.svg'),
      dark: vscode.Uri.joinPath(deps.extensionUri, 'media', 'icon.svg'),
    };
    setTitle();
    const stopListening = [
      session.onReset(setTitle),
      session.onEvents(setTitle),
      deps.comparisons.onDidChange(setTitle),
    ];
    panes.add(pane);
    pane.view.resolve(tabHost(panel));
    panel.onDidDispose(() => {
      for (const stop of stopListening) stop();
      pane.dispose();
      panes.remove(pane);
      deps.comparisons.end(session.conversation().id);
      session.leave();
    });
    return pane;
  };
  return {
    async open(conversationId) {
      const from = panes.active();
      const id = conversationId ?? (from === panes.sideBar() ? from.session.conversation().id : undefined);
      const shown = panes.all().find((pane) => pane.session.conversation().id === id);
      if (shown && shown !== panes.sideBar()) return shown.show();
      const panel = vscode.window.createWebviewPanel(chatTabType, '', vscode.ViewColumn.Active, {});
      const session = await deps.createSession(createTabMemory(deps.texts, id));
      if (id !== undefined) takeOver(session, deps.drafts, shown?.session);
      await show(panel, session).show();
    },
    async openBeside(conversationIds) {
      let column = vscode.ViewColumn.Active;
      for (const id of conversationIds) {
        const panel = vscode.window.createWebviewPanel(chatTabType, '', column, {});
        column = vscode.ViewColumn.Beside;
        await show(panel, await deps.createSession(createTabMemory(deps.texts, id))).show();
      }
    },
    async restore(panel, state) {
      show(panel, await deps.createSession(createTabMemory(deps.texts, conversationIn(state))));
    },
  };
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

function tabHost(panel: vscode.WebviewPanel): ViewHost {
  let visible = panel.visible;
  return {
    webview: panel.webview,
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
