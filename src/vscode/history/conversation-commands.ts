import * as vscode from 'vscode';
import type { OpenConversations } from '../../chat/open-conversations.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { type ForkPoint, forkEvents } from '../../conversation/fork.ts';
import { ConversationInUseError, type ConversationStore } from '../../conversation/store/store.ts';
import { relativeTime } from '../../shared/relative-time.ts';
import type { ImageStore } from '../../storage/image-store.ts';
import type { ChatWidget } from '../chat-panel/chat-widgets.ts';
import { askText } from '../host/ask-text.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import { pickOne } from '../host/pick-one.ts';
import { showMessage, showWarning } from '../host/show-message.ts';
import {
  type ConversationFilesDeps,
  exportAsJson,
  exportAsMarkdown,
  importConversations,
} from './conversation-files.ts';
import { pickConversation } from './conversation-picker.ts';
import { detailsOfRow, titleOfRow } from './conversation-row.ts';
import type { ConversationsView } from './conversations-view.ts';

export interface ConversationCommandDeps {
  withoutKeys: ConversationFilesDeps['withoutKeys'];
  /** Returns the widget to act on. Call it before the user is asked anything, because the focus may move meanwhile. */
  widget(): Pick<ChatWidget, 'viewModel' | 'show'>;
  sideBar(): Pick<ChatWidget, 'viewModel' | 'show'>;
  showing(conversation: Conversation): Pick<ChatWidget, 'viewModel' | 'show'> | undefined;
  store: ConversationStore;
  images: ImageStore;
  conversations: OpenConversations;
  view: ConversationsView;
  /** Deletes the unsent texts and the prompt history of these conversations from this workspace. */
  forgetTexts(conversationIds: ReadonlySet<string>): void;
  eraseInWorkspace(): Promise<void>;
  newId(): string;
  /** Removes what commands left of conversations that are not stored. */
  tidyCommands(): Promise<void>;
  eraseWorktrees(isErased: (folder: string) => boolean): Promise<void>;
}

export type ConversationCommands = Pick<CommandHandlers, ConversationCommandId>;

type ConversationCommandId =
  | 'svc.openConversation'
  | 'svc.renameConversation'
  | 'svc.pinConversation'
  | 'svc.unpinConversation'
  | 'svc.forkConversation'
  | 'svc.deleteConversation'
  | 'svc.deleteAllConversations'
  | 'svc.restoreConversation'
  | 'svc.exportConversation'
  | 'svc.exportConversationAsMarkdown'
  | 'svc.exportConversationAsJson'
  | 'svc.importConversation'
  | 'svc.copyConversationId'
  | 'svc.showAllConversations'
  | 'svc.showWorkspaceConversations';

/**
 * Each command takes a conversation id, a row of the list, `{ from: 'list' }` for the selection there, or nothing for
 * the conversation that is shown.
 */
export function createConversationCommands(deps: ConversationCommandDeps): ConversationCommands {
  const { store, view } = deps;
  const open = async (id: string, asked = deps.widget()) => {
    const live = deps.conversations.get(id);
    const widget = (live && deps.showing(live)) ?? asked;
    await widget.viewModel.open(id);
    await widget.show();
  };
  const idOf = (argument: unknown): string | undefined => {
    if (typeof argument === 'string') return argument;
    if (typeof argument !== 'object' || argument === null) return deps.widget().viewModel.conversation().id;
    if ('from' in argument) return view.selected();
    return 'id' in argument && typeof argument.id === 'string' ? argument.id : undefined;
  };
  const withStored = (run: (id: string, argument: unknown) => unknown) => async (argument: unknown) => {
    const id = idOf(argument);
    if (id === undefined) return;
    if (await store.has(id)) await run(id, argument);
    else showMessage(vscode.l10n.t('There are no conversations yet. Ask something first.'));
  };
  /** Resolves with whether the conversation could be changed; if not, the user was told why. */
  const change = async (id: string, run: (conversation: Conversation) => void): Promise<boolean> => {
    const conversation = await deps.conversations.acquire(id);
    if (conversation === undefined) return false;
    const { readOnly } = conversation;
    if (readOnly) {
      showMessage(
        vscode.l10n.t("An answer to this conversation is in progress in another window. Try again when it's done."),
      );
    } else run(conversation);
    deps.conversations.release(conversation);
    return !readOnly;
  };
  const rename = async (id: string) => {
    let title = '';
    const canRename = await change(id, (conversation) => {
      title = conversation.state().title;
    });
    if (!canRename) return;
    const answer = await askText({
      title: vscode.l10n.t('Rename Conversation'),
      value: title,
      prompt: vscode.l10n.t('Leave it empty to use the first line of the first message.'),
    });
    if (answer !== undefined && answer !== title) await change(id, (conversation) => conversation.rename(answer));
  };
  const fork = async (id: string, point: ForkPoint) => {
    const copy = deps.newId();
    const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
    const events = forkEvents((await store.read(id)) ?? [], point, { from: id, id: copy, atMs: Date.now(), workspace });
    if (events === undefined) return;
    await store.create(copy, events);
    await open(copy);
  };
  const { images, conversations, newId, withoutKeys } = deps;
  const files = { store, images, conversations, newId, withoutKeys };

  return {
    'svc.openConversation': async (argument) => {
      const isRow = typeof argument === 'object' && argument !== null;
      const widget = isRow ? deps.sideBar() : deps.widget();
      const given = argument === undefined ? undefined : idOf(argument);
      const id = given ?? (await pickConversation(store, widget.viewModel.conversation().id));
      if (id !== undefined) await open(id, widget);
    },
    'svc.renameConversation': withStored(rename),
    'svc.pinConversation': withStored((id) => change(id, (conversation) => conversation.setPinned(true))),
    'svc.unpinConversation': withStored((id) => change(id, (conversation) => conversation.setPinned(false))),
    'svc.forkConversation': withStored((id, argument) => fork(id, pointIn(argument))),
    'svc.deleteConversation': withStored((id) => remove(deps, id)),
    'svc.deleteAllConversations': () => removeAll(deps),
    'svc.restoreConversation': async () => {
      const widget = deps.widget();
      const id = await restoreRemoved(deps);
      if (id !== undefined) await open(id, widget);
    },
    'svc.exportConversation': withStored(async (id) => {
      const format = await pickFormat();
      if (format === 'markdown') await exportAsMarkdown(files, id);
      if (format === 'json') await exportAsJson(files, id);
    }),
    // Not `withStored`: also exports a conversation that a full disk kept from being stored.
    'svc.exportConversationAsMarkdown': async (argument) => {
      const id = idOf(argument);
      if (id !== undefined) await exportAsMarkdown(files, id);
    },
    'svc.exportConversationAsJson': withStored((id) => exportAsJson(files, id)),
    'svc.importConversation': async (file) => {
      const widget = deps.widget();
      const id = await importConversations(files, file);
      if (id !== undefined) await open(id, widget);
    },
    'svc.copyConversationId': withStored((id) => vscode.env.clipboard.writeText(id)),
    'svc.showAllConversations': () => view.showAll(true),
    'svc.showWorkspaceConversations': () => view.showAll(false),
  };
}

/** Other extensions may call this command, so an argument that is not a fork point means the end of the conversation. */
function pointIn(argument: unknown): ForkPoint {
  if (typeof argument !== 'object' || argument === null || !('point' in argument)) return 'end';
  const { point } = argument;
  if (typeof point !== 'object' || point === null) return 'end';
  if ('messageId' in point && typeof point.messageId === 'string') return { messageId: point.messageId };
  return 'rewind' in point && typeof point.rewind === 'number' ? { rewind: point.rewind } : 'end';
}

async function pickFormat(): Promise<'markdown' | 'json' | undefined> {
  const rows = [
    { label: 'Markdown', detail: vscode.l10n.t('For reading and sharing'), format: 'markdown' as const },
    {
      label: 'JSON',
      detail: vscode.l10n.t('Everything that is stored, for importing later'),
      format: 'json' as const,
    },
  ];
  return (await vscode.window.showQuickPick(rows, { placeHolder: vscode.l10n.t('Export Conversation') }))?.format;
}

/** Moves the conversation to the trash without asking; Undo brings it back. */
async function remove(deps: ConversationCommandDeps, id: string): Promise<void> {
  const { store, conversations } = deps;
  const { viewModel } = deps.widget();
  const wasShown = viewModel.conversation().id === id;
  const title = titleOfRow((await store.list()).find((row) => row.id === id) ?? { title: '' });
  await conversations.close(id);
  if (!(await moveToTrash(store, id))) return;
  const undo = vscode.l10n.t('Undo');
  const text = vscode.l10n.t('"{0}" was deleted.', title);
  // Not waited for: the message may stay for as long as the user likes.
  void vscode.window.showInformationMessage(text, undo, erasing()).then(async (answer) => {
    if (answer === erasing()) return eraseRemoved(deps, id);
    if (answer !== undo) return;
    if (!(await store.restore(id))) {
      showWarning(vscode.l10n.t('The conversation is no longer in the trash.'));
    } else if (wasShown) {
      await viewModel.open(id);
    }
  });
}

/** Restores from the trash, even after the notification with Undo is gone. Resolves with the restored id. */
async function restoreRemoved(deps: ConversationCommandDeps): Promise<string | undefined> {
  const { store } = deps;
  const removed = await store.listRemoved();
  if (removed.length === 0) return showMessage(vscode.l10n.t('There are no deleted conversations to restore.'));
  const nowMs = Date.now();
  const rows = removed.map(({ summary, removedAtMs }) => ({
    label: titleOfRow(summary),
    description: vscode.l10n.t('deleted {0}', relativeTime(removedAtMs, nowMs, vscode.env.language)),
    detail: detailsOfRow(summary, nowMs),
    id: summary.id,
  }));
  const placeHolder = vscode.l10n.t('Select a conversation to restore. The trash keeps each one for 30 days.');
  const chosen = await pickOne(
    rows,
    undefined,
    { placeHolder, matchOnDetail: true },
    {
      iconPath: new vscode.ThemeIcon('trash'),
      tooltip: erasing(),
      press: ({ id }) => void eraseRemoved(deps, id),
    },
  );
  if (chosen === undefined) return undefined;
  if (await store.restore(chosen.id)) return chosen.id;
  return showWarning(vscode.l10n.t('The conversation is no longer in the trash.'));
}

const erasing = () => vscode.l10n.t('Erase Permanently');

/** Erases a conversation that is in the trash, with all that belongs to it, once the user has confirmed it. */
async function eraseRemoved(deps: ConversationCommandDeps, id: string): Promise<void> {
  const summary = (await deps.store.listRemoved()).find((removed) => removed.summary.id === id)?.summary;
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Erase "{0}" permanently?', titleOfRow(summary ?? { title: '' })),
    { modal: true, detail: vscode.l10n.t("This includes its worktree and patches. It can't be undone.") },
    erasing(),
  );
  if (answer !== erasing()) return;
  await deps.eraseWorktrees((folder) => folder === summary?.worktreeFolder);
  await deps.store.erase(id);
  await deps.tidyCommands();
  deps.forgetTexts(new Set([id]));
}

/** Resolves with false, after showing why, when another window is writing to the conversation. */
async function moveToTrash(store: ConversationStore, id: string): Promise<boolean> {
  try {
    await store.remove(id);
    return true;
  } catch (error) {
    if (!(error instanceof ConversationInUseError)) throw error;
    showWarning(
      vscode.l10n.t(
        "An answer is in progress in another window, so its conversation wasn't deleted. Stop it there and try again.",
      ),
    );
    return false;
  }
}

async function removeAll(deps: ConversationCommandDeps): Promise<void> {
  const { store, conversations } = deps;
  const rows = await store.list();
  const removed = (await store.listRemoved()).map(({ summary }) => summary);
  if (rows.length + removed.length === 0)
    return showMessage(vscode.l10n.t('There are no conversations yet. Ask something first.'));
  const erase = erasing();
  const toTrash = rows.length === 0 ? [] : [vscode.l10n.t('Move to Trash')];
  const question =
    rows.length === 1
      ? vscode.l10n.t('Delete the only conversation on this machine?')
      : rows.length === 0
        ? vscode.l10n.t('Only the trash has conversations. Erase them?')
        : vscode.l10n.t('Delete all {0} conversations on this machine?', rows.length);
  const detail = vscode.l10n.t(
    "This includes pinned conversations and those of other workspaces. The trash keeps them for 30 days. Erasing deletes them from the disk immediately, with the trash, images, outputs of commands, worktrees and their patches, and the earlier texts of edited files. It can't be undone.",
  );
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...toTrash, erase);
  if (answer === undefined) return;
  for (const { id } of rows) await conversations.close(id);
  if (answer === erase) {
    const elsewhere = new Set<string | undefined>();
    for (const { id, worktreeFolder } of rows) if (await store.inUseElsewhere(id)) elsewhere.add(worktreeFolder);
    await deps.eraseWorktrees((folder) => !elsewhere.has(folder));
    await store.eraseAll();
    await deps.tidyCommands();
    deps.forgetTexts(new Set([...rows, ...removed].map(({ id }) => id)));
    await deps.eraseInWorkspace();
    return;
  }
  const moved: string[] = [];
  for (const { id } of rows) if (await moveToTrash(store, id)) moved.push(id);
  const undo = vscode.l10n.t('Undo');
  void vscode.window
    .showInformationMessage(vscode.l10n.t('Conversations deleted: {0}.', moved.length), undo)
    .then(async (choice) => {
      if (choice === undo) for (const id of moved) await store.restore(id);
    });
}
