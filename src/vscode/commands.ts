import * as vscode from 'vscode';
import type { TurnSummary } from '../conversation/conversation.ts';
import type { Attachment } from '../shared/messages.ts';
import { formatMicroUsd } from '../shared/money.ts';
import type { Git } from '../tools/git.ts';
import { type AddToChatDeps, attachmentsToAdd } from './add-to-chat.ts';
import { ask } from './ask.ts';
import { createChangeCommands } from './change-commands.ts';
import { openNeighbour } from './chat-panes.ts';
import type { ChatSession } from './chat-session.ts';
import { createCodeCommands } from './code-commands.ts';
import type { CommandHandlers } from './command-ids.ts';
import type { CommitCommands } from './commit-command.ts';
import type { ConversationCommands } from './conversation-commands.ts';
import type { Editing } from './editing.ts';
import type { InlineEditCommands } from './inline-edit.ts';
import type { Log } from './log.ts';
import type { Onboarding } from './onboarding.ts';
import { createOutputCommands } from './output-commands.ts';
import type { PickedImage } from './read-context.ts';
import { openSetting, type Settings } from './settings.ts';
import type { Spend } from './spend.ts';

/** What asks the model without the chat. */
export type EditorCommands = CommitCommands & InlineEditCommands;

export interface CommandDeps {
  session(): ChatSession;
  /** To the next message of the active view. */
  attach(found: Attachment | PickedImage): void;
  addToChat: AddToChatDeps & { git: Git; knowsTerminal(terminal: vscode.Terminal): boolean };
  editor: EditorCommands;
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
  send(text: string): Promise<TurnSummary | undefined>;
  pickModel(current: string): Promise<string | undefined>;
  today(): { microUsd: number; estimated: boolean };
  service: Pick<
    CommandHandlers,
    | 'svc.showModels'
    | 'svc.resetLearnedFacts'
    | 'svc.replaceLeakedKey'
    | 'svc.toggleInlineSuggestions'
    | 'svc.guardCredits'
    | 'svc.undoGuardCredits'
  >;
  checkService(): Promise<void>;
  showCapabilities(): Promise<void>;
  showAccessibilityHelp(): Promise<void>;
  copyReport(): Promise<void>;
  compact(): Promise<void>;
  newChatFromSummary(): Promise<void>;
  /** What the last request carried (U16). */
  showSent(): Promise<void>;
  /** What Send would send now (U16). */
  showNext(): Promise<void>;
  edits: Editing['commands'];
  history: ConversationCommands;
  spend: Spend['commands'];
  pickTools(): Promise<void>;
  showInstructions(): Promise<void>;
  log: Log;
}

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
    'svc.ask': (argument) => ask(deps, argument),
    'svc.stop': deps.stop,
    'svc.compareModels': (argument) => deps.compareModels(argument),
    'svc.setApiKey': () => deps.onboarding.setApiKey(),
    'svc.removeApiKey': () => deps.onboarding.removeApiKey(),
    'svc.setBaseUrl': () => deps.onboarding.setBaseUrl(),
    'svc.selectModel': (id) => selectModel(deps, id),
    'svc.addToChat': async (...args) => {
      for (const found of await attachmentsToAdd(args, deps.addToChat)) deps.attach(found);
      await showChat();
    },
    ...createCodeCommands(deps),
    ...createChangeCommands(deps),
    ...createOutputCommands({
      read: deps.addToChat.read,
      knowsTerminal: deps.addToChat.knowsTerminal,
      attach: deps.attach,
      ask: (prompt) => ask(deps, { prompt }),
    }),
    ...deps.editor,
    'svc.checkService': deps.checkService,
    'svc.showCapabilities': deps.showCapabilities,
    'svc.showAccessibilityHelp': deps.showAccessibilityHelp,
    'svc.copySupportReport': deps.copyReport,
    'svc.openDashboard': () => openDashboard(deps),
    'svc.showLog': () => deps.log.show(),
    'svc.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', '@ext:svc.svc-assistant'),
    'svc.focusApproval': deps.showApproval,
    'svc.showMenu': () => showMenu(deps),
    'svc.showSentRequest': deps.showSent,
    'svc.showNextRequest': deps.showNext,
    'svc.newChatFromSummary': deps.newChatFromSummary,
    'svc.compactConversation': deps.compact,
    'svc.pickTools': deps.pickTools,
    'svc.showInstructions': deps.showInstructions,
    ...deps.edits,
    ...deps.service,
    ...deps.history,
    ...deps.spend,
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

async function openDashboard(deps: CommandDeps): Promise<void> {
  const url = deps.settings.dashboardUrl();
  if (/^https?:\/\//.test(url)) {
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
    return;
  }
  const open = vscode.l10n.t('Open Setting');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('The address of the dashboard is not set. Keys, top-ups and your balance are there.'),
    open,
  );
  if (answer === open) await openSetting('dashboardUrl');
}

async function showMenu(deps: CommandDeps): Promise<void> {
  const today = deps.today();
  const rows: (vscode.QuickPickItem & { command?: string })[] = [
    { label: vscode.l10n.t('$(comment-discussion) Open Chat'), command: 'svc.openChat' },
    { label: vscode.l10n.t('$(add) New Chat'), command: 'svc.newChat' },
    { label: vscode.l10n.t('$(arrow-swap) Select Model…'), command: 'svc.selectModel' },
    {
      label: vscode.l10n.t('$(graph) Show Spend'),
      description: vscode.l10n.t(
        '{0} spent today on this machine',
        formatMicroUsd(today.microUsd, today.estimated, vscode.env.language),
      ),
      command: 'svc.showSpend',
    },
    { label: vscode.l10n.t('$(credit-card) Set Spend Limit…'), command: 'svc.setSpendLimit' },
    {
      label: vscode.l10n.t('$(link-external) Open Dashboard'),
      description: vscode.l10n.t('Balance, top-up and keys'),
      command: 'svc.openDashboard',
    },
    { label: vscode.l10n.t('$(checklist) Show Service Capabilities'), command: 'svc.showCapabilities' },
    { label: vscode.l10n.t('$(pulse) Check Service'), command: 'svc.checkService' },
    { label: vscode.l10n.t('$(output) Show Log'), command: 'svc.showLog' },
    { label: vscode.l10n.t('$(eye-closed) Hide From Status Bar'), command: hide },
  ];
  if (deps.session().conversation().running) {
    rows.unshift({ label: vscode.l10n.t('$(debug-stop) Stop'), command: 'svc.stop' });
  }
  const picked = await vscode.window.showQuickPick(rows, { placeHolder: 'svc Assistant' });
  if (picked?.command === hide) {
    await vscode.workspace
      .getConfiguration('svc')
      .update('statusBar.content', 'hidden', vscode.ConfigurationTarget.Global);
  } else if (picked?.command) await vscode.commands.executeCommand(picked.command);
}

/** A row of the menu that is no command of its own. */
const hide = 'hide';
