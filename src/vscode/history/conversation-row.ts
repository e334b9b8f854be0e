import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import type { GroupName } from '../../conversation/groups.ts';
import type { ConversationSummary } from '../../conversation/store/store.ts';
import { waitsForUser } from '../../shared/chat/chat-state.ts';
import { formatMicroUsd } from '../../shared/money.ts';
import { relativeTime } from '../../shared/relative-time.ts';

/** `waiting` means that the conversation needs its user's consent or answer. */
export type LiveState = 'idle' | 'running' | 'waiting';

export function liveState(conversation: Conversation | undefined): LiveState {
  if (conversation === undefined) return 'idle';
  if (waitsForUser(conversation.state())) return 'waiting';
  return conversation.running ? 'running' : 'idle';
}

export function titleOfRow({ title }: Pick<ConversationSummary, 'title'>): string {
  return title || vscode.l10n.t('Untitled');
}

/** Returns the relative time, the cost and, when it is another one, the folder: `2 hr. ago · $0.0021 · website`. */
export function detailsOfRow(summary: ConversationSummary, nowMs: number): string {
  const locale = vscode.env.language;
  const folder = isOfThisWorkspace(summary) ? undefined : folderName(summary.workspace);
  return [
    relativeTime(summary.updatedAt, nowMs, locale),
    formatMicroUsd(summary.microUsd, false, locale),
    ...(folder === undefined ? [] : [folder]),
    ...(summary.worktreeFiles === undefined ? [] : [worktreeText(summary.worktreeFiles)]),
  ].join(' · ');
}

/** Returns whether a conversation began in this workspace; one without a folder belongs to every workspace. */
export function isOfThisWorkspace({ workspace }: ConversationSummary): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return workspace === undefined || folders.some((folder) => folder.uri.toString() === workspace);
}

export function conversationItem(summary: ConversationSummary, live: LiveState, nowMs: number): vscode.TreeItem {
  const item = new vscode.TreeItem(titleOfRow(summary));
  item.id = summary.id;
  item.description = detailsOfRow(summary, nowMs);
  item.tooltip = tooltipOf(summary);
  item.iconPath = new vscode.ThemeIcon(iconOf(summary, live));
  item.contextValue = summary.pinned ? 'conversation.pinned' : 'conversation';
  item.command = { command: 'svc.openConversation', title: vscode.l10n.t('Open'), arguments: [{ id: summary.id }] };
  const spoken = [item.label, ...(live === 'idle' ? [] : [liveText(live)]), item.description];
  item.accessibilityInformation = { label: spoken.join(', ') };
  return item;
}

export function groupItem(name: GroupName): vscode.TreeItem {
  const item = new vscode.TreeItem(groupTexts[name](), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `group:${name}`;
  item.contextValue = 'group';
  return item;
}

function worktreeText(files: number): string {
  return files === 1 ? vscode.l10n.t('worktree: 1 file') : vscode.l10n.t('worktree: {0} files', files);
}

function iconOf({ forkedFrom, worktreeFiles }: ConversationSummary, live: LiveState): string {
  if (live === 'running') return 'loading~spin';
  if (live === 'waiting') return 'bell-dot';
  if (worktreeFiles !== undefined) return 'git-branch';
  return forkedFrom === undefined ? 'comment' : 'repo-forked';
}

function liveText(live: Exclude<LiveState, 'idle'>): string {
  return live === 'running' ? vscode.l10n.t('running') : vscode.l10n.t('waiting for you');
}

function tooltipOf(summary: ConversationSummary): string {
  const { messages, totalTokens, model, workspace, updatedAt } = summary;
  const locale = vscode.env.language;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const count = messages === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', messages);
  return [
    titleOfRow(summary),
    format.format(updatedAt),
    ...(model === '' ? [] : [model]),
    `${count} · ${vscode.l10n.t('{0} tokens', new Intl.NumberFormat(locale).format(totalTokens))}`,
    ...(workspace === undefined ? [] : [vscode.Uri.parse(workspace).path]),
  ].join('\n');
}

function folderName(workspace = ''): string | undefined {
  return vscode.Uri.parse(workspace)
    .path.split('/')
    .findLast((part) => part !== '');
}

export const groupTexts: Readonly<Record<GroupName, () => string>> = {
  pinned: () => vscode.l10n.t('Pinned'),
  today: () => vscode.l10n.t('Today'),
  yesterday: () => vscode.l10n.t('Yesterday'),
  week: () => vscode.l10n.t('Last 7 days'),
  older: () => vscode.l10n.t('Older'),
};
