import * as vscode from 'vscode';
import { commandsOnFirstUse } from '../../base/on-first-use.ts';
import type { TurnSummary } from '../../conversation/conversation.ts';
import type { MenuAction } from '../../shared/menu-action.ts';
import type { Onboarding } from '../account/onboarding.ts';
import { openNeighbour } from '../chat/chat-panes.ts';
import type { ChatSession } from '../chat/chat-session.ts';
import type { ConversationCommands } from '../history/conversation-commands.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import type { Log } from '../host/log.ts';
import type { Settings } from '../host/settings.ts';
import type { CommitCommands } from '../inline/commit-command.ts';
import type { InlineEditCommands } from '../inline/inline-edit.ts';
import type { Editing } from '../review/editing.ts';
import type { Spend } from '../spend/spend.ts';
import type { AskingCommandDeps, AskingCommands } from './asking-commands.ts';

/** What asks the model without the chat. */
export type EditorCommands = CommitCommands & InlineEditCommands;

export type ServiceCommands = Pick<
  CommandHandlers,
  | 'svc.showModels'
  | 'svc.resetLearnedFacts'
  | 'svc.replaceLeakedKey'
  | 'svc.toggleInlineSuggestions'
  | 'svc.guardCredits'
  | 'svc.undoGuardCredits'
>;

export interface CommandDeps extends AskingCommandDeps {
  session(): ChatSession;
  editor(): Promise<EditorCommands>;
  settings: Settings;
  onboarding: Onboarding;
  /** The side bar. */
  openChat(): Promise<void>;
  /** The view that had the focus last. */
  showChat(): Promise<void>;
  /** The turn of the active view, and the one that stands beside it. */
  stop(): void;
  compareModels(argument: unknown): Promise<void>;
  /** In an editor tab. */
  openInEditor(id?: string): Promise<void>;
  /** Shows the chat at the call that waits for consent. */
  showApproval(): Promise<void>;
  /** Does it where the context menu of the chat was opened. */
  menu(action: MenuAction): void;
  send(text: string): Promise<TurnSummary | undefined>;
  pickModel(current: string): Promise<string | undefined>;
  today(): { microUsd: number; estimated: boolean };
  service: ServiceCommands;
  checkService(): Promise<void>;
  showCapabilities(): Promise<void>;
  showAccessibilityHelp(): Promise<void>;
  copyReport(): Promise<void>;
  compact(): Promise<void>;
  newChatFromSummary(): Promise<void>;
  /** What the last request carried. */
  showSent(): Promise<void>;
  /** What Send would send now. */
  showNext(): Promise<void>;
  edits: Editing['commands'];
  history(): Promise<ConversationCommands>;
  spend(): Promise<Spend['commands']>;
  pickTools(): Promise<void>;
  showInstructions(): Promise<void>;
  log: Log;
}

const asking: Record<keyof AskingCommands, true> = {
  'svc.ask': true,
  'svc.addToChat': true,
  'svc.explain': true,
  'svc.fix': true,
  'svc.refactor': true,
  'svc.addTests': true,
  'svc.addDocs': true,
  'svc.review': true,
  'svc.explainChange': true,
  'svc.reviewChanges': true,
  'svc.explainTerminal': true,
  'svc.fixTestFailure': true,
};

const editor: Record<keyof EditorCommands, true> = {
  'svc.generateCommitMessage': true,
  'svc.stopCommitMessage': true,
  'svc.inlineEdit': true,
  'svc.stopInlineEdit': true,
  'svc.keepInlineEdit': true,
  'svc.undoInlineEdit': true,
  'svc.retryInlineEdit': true,
  'svc.refineInlineEdit': true,
  'svc.olderInstruction': true,
  'svc.newerInstruction': true,
};

const history: Record<keyof ConversationCommands, true> = {
  'svc.openConversation': true,
  'svc.renameConversation': true,
  'svc.pinConversation': true,
  'svc.unpinConversation': true,
  'svc.forkConversation': true,
  'svc.deleteConversation': true,
  'svc.deleteAllConversations': true,
  'svc.restoreConversation': true,
  'svc.exportConversation': true,
  'svc.exportConversationAsMarkdown': true,
  'svc.exportConversationAsJson': true,
  'svc.importConversation': true,
  'svc.copyConversationId': true,
  'svc.showAllConversations': true,
  'svc.showWorkspaceConversations': true,
};

const spend: Record<keyof Spend['commands'], true> = {
  'svc.showSpend': true,
  'svc.exportSpend': true,
  'svc.setSpendLimit': true,
};

/** Every command of the product, one row each. */
export function createCommands(deps: CommandDeps): CommandHandlers {
  const { session, showChat } = deps;
  return {
    'svc.openChat': deps.openChat,
    'svc.openChatInEditor': (from) => deps.openInEditor(idIn(from)),
    'svc.nextConversation': () => openNeighbour(session(), 1),
    'svc.previousConversation': () => openNeighbour(session(), -1),
    'svc.newChat': async () => {
      session().newChat();
      await showChat();
    },
    'svc.stop': deps.stop,
    'svc.compareModels': (argument) => deps.compareModels(argument),
    'svc.setApiKey': () => deps.onboarding.setApiKey(),
    'svc.removeApiKey': () => deps.onboarding.removeApiKey(),
    'svc.setBaseUrl': () => deps.onboarding.setBaseUrl(),
    'svc.selectModel': (id) => selectModel(deps, id),
    'svc.selectMode': async (mode) => (await import('./select-mode.ts')).selectMode(deps.settings.chatMode(), mode),
    ...commandsOnFirstUse(asking, async () => (await import('./asking-commands.ts')).createAskingCommands(deps)),
    ...commandsOnFirstUse(editor, deps.editor),
    'svc.checkService': deps.checkService,
    'svc.showCapabilities': deps.showCapabilities,
    'svc.showAccessibilityHelp': deps.showAccessibilityHelp,
    'svc.copySupportReport': deps.copyReport,
    'svc.openDashboard': async () => (await import('./menu.ts')).openDashboard(deps),
    'svc.showLog': () => deps.log.show(),
    'svc.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', '@ext:svc.svc-assistant'),
    'svc.focusApproval': deps.showApproval,
    'svc.copyMessage': () => deps.menu('copyMessage'),
    'svc.copyCode': () => deps.menu('copyCode'),
    'svc.askAgain': () => deps.menu('askAgain'),
    'svc.openAsMarkdown': () => deps.menu('openAsMarkdown'),
    'svc.showMenu': async () => (await import('./menu.ts')).showMenu(deps),
    'svc.showSentRequest': deps.showSent,
    'svc.showNextRequest': deps.showNext,
    'svc.newChatFromSummary': deps.newChatFromSummary,
    'svc.compactConversation': deps.compact,
    'svc.pickTools': deps.pickTools,
    'svc.showInstructions': deps.showInstructions,
    ...deps.edits,
    ...deps.service,
    ...commandsOnFirstUse(history, deps.history),
    ...commandsOnFirstUse(spend, deps.spend),
  };
}

/** From an id or a row of the list of conversations. */
function idIn(from: unknown): string | undefined {
  if (typeof from === 'object' && from !== null && 'id' in from) return idIn(from.id);
  return typeof from === 'string' ? from : undefined;
}

/** With an id (from a keybinding or another extension) it is set; else the picker opens. */
async function selectModel(deps: CommandDeps, id: unknown): Promise<void> {
  const current = deps.session().conversation().model() || deps.settings.model();
  const chosen = typeof id === 'string' ? id : await deps.pickModel(current);
  if (chosen === undefined) return;
  deps.session().setModel(chosen);
  const target = vscode.workspace.getConfiguration('svc').inspect('model')?.workspaceValue
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration('svc').update('model', chosen, target);
}
