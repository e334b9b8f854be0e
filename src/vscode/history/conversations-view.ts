import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/emitter.ts';
import type { OpenConversations } from '../../chat/open-conversations.ts';
import { type ConversationGroup, groupConversations } from '../../conversation/groups.ts';
import type { ConversationStore, ConversationSummary } from '../../conversation/store/store.ts';
import { waiting } from '../../shared/event-traits.ts';
import { setContextKey } from '../host/context-keys.ts';
import { conversationItem, groupItem, isOfThisWorkspace, liveState } from './conversation-row.ts';
import type { ConversationTree } from './register-conversations.ts';

export type ConversationNode = ConversationGroup | ConversationSummary;

export interface ConversationsViewDeps {
  store: Pick<ConversationStore, 'list' | 'listCached' | 'watch'>;
  conversations: Pick<OpenConversations, 'get' | 'onDidChange' | 'onDidEmit'>;
  memento: vscode.Memento;
  log: { error(line: string, error?: unknown): void };
}

export interface ConversationsView extends ConversationTree<ConversationNode>, vscode.Disposable {
  selected(): string | undefined;
  /** Shows all conversations of this machine, or only those that were started in this workspace's folders. */
  showAll(all: boolean): Promise<void>;
}

const allName = 'svc.showAllConversations';

/** Shows the rows of the last session at once, else the newest first, until the files have been read. */
export function createConversationsView(deps: ConversationsViewDeps): ConversationsView {
  const { store, conversations, memento, log } = deps;
  const disposables: Disposable[] = [];
  let view: vscode.TreeView<ConversationNode> | undefined;
  let draw: () => void = () => undefined;
  let rows: readonly ConversationSummary[] | undefined;
  let stale = false;
  let reading: Promise<void> | undefined;
  const begun = Promise.withResolvers<void>();

  const showsAll = () => memento.get<boolean>(allName) ?? true;

  /** Reads once at a time; changes that arrive meanwhile are read afterwards. */
  function refresh(): Promise<void> {
    stale = true;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function read(): Promise<void> {
    while (stale) {
      stale = false;
      try {
        const next = await store.list((some) => {
          if (some.length <= (rows?.length ?? 0)) return;
          rows = some;
          begun.resolve();
          draw();
        });
        const changed = JSON.stringify(next) !== JSON.stringify(rows);
        rows = next;
        if (changed) draw();
      } catch (error) {
        log.error('The conversations could not be listed', error);
      }
    }
  }

  const filesChanged = () => {
    stale = true;
    if (view?.visible) void refresh();
  };
  const live = () => {
    if (view?.visible) draw();
  };

  function attach(attached: vscode.TreeView<ConversationNode>, changed: () => void) {
    view = attached;
    draw = changed;
    showFilter();
    const seen = attached.onDidChangeVisibility(({ visible }) => {
      if (visible) void refresh();
    });
    disposables.push(
      { dispose: store.watch(filesChanged) },
      conversations.onDidChange(live),
      conversations.onDidEmit((_conversation, events) => {
        if (events.some((event) => waiting(event) !== undefined)) live();
      }),
      seen,
    );
    return { getChildren, getTreeItem };
  }

  async function getChildren(node?: ConversationNode): Promise<ConversationNode[]> {
    if (node !== undefined) return 'conversations' in node ? node.conversations : [];
    if (rows === undefined) {
      const cached = await store.listCached().catch(() => []);
      if (cached.length > 0) {
        rows = cached;
        void refresh();
      } else {
        await Promise.race([refresh(), begun.promise]);
      }
    }
    const shown = showsAll() ? rows : rows?.filter(isOfThisWorkspace);
    return groupConversations(shown ?? [], new Date());
  }

  function getTreeItem(node: ConversationNode): vscode.TreeItem {
    if ('conversations' in node) return groupItem(node.name);
    return conversationItem(node, liveState(conversations.get(node.id)), Date.now());
  }

  function showFilter(): void {
    const all = showsAll();
    setContextKey('svc.showsAllConversations', all);
    if (view) view.description = all ? undefined : vscode.l10n.t('This Workspace');
  }

  return {
    attach,
    selected() {
      const node = view?.selection[0];
      return node === undefined || 'conversations' in node ? undefined : node.id;
    },
    async showAll(all) {
      await memento.update(allName, all);
      showFilter();
      draw();
    },
    dispose() {
      disposeAll(disposables.splice(0));
    },
  };
}
