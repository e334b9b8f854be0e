import * as vscode from 'vscode';
import { modelFor } from '../../customizations/agent-text.ts';
import type { Customization } from '../../customizations/customization.ts';
import { requestPrice } from '../../customizations/request-price.ts';
import { estimateTokens } from '../../service/tokens.ts';
import { type ChatMode, chatModes } from '../../shared/approval.ts';
import type { MenuAction } from '../../shared/panel/protocol.ts';
import type { Service } from '../account/create-service.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import { pickOne } from '../host/pick-one.ts';
import type { Reports } from '../reports/create-reports.ts';
import type { Customizations } from '../workspace/customizations-adapter.ts';
import { openNeighbour, showPendingApproval } from './chat-widgets.ts';
import type { Chat } from './create-chat.ts';
import type { Views } from './create-views.ts';

export type ChatCommands = Pick<
  CommandHandlers,
  | 'svc.openChat'
  | 'svc.openChatInEditor'
  | 'svc.nextConversation'
  | 'svc.previousConversation'
  | 'svc.newChat'
  | 'svc.newWorktreeTask'
  | 'svc.newChatFromSummary'
  | 'svc.compactConversation'
  | 'svc.stop'
  | 'svc.compareModels'
  | 'svc.selectModel'
  | 'svc.selectMode'
  | 'svc.focusApproval'
  | 'svc.copyMessage'
  | 'svc.copyCode'
  | 'svc.showSentRequest'
  | 'svc.showNextRequest'
>;

/** The commands act on the view of the chat that had the focus last. */
export function createChatCommands(
  { settings, models }: Service,
  chat: Chat,
  views: Views,
  reports: Pick<Reports, 'showSent'>,
): ChatCommands {
  const { customizations, turns } = chat.tools;
  const { open: conversations, tasks } = chat.conversations;
  const { widgets } = chat.panel;
  const viewModel = () => widgets.active().viewModel;
  const menu = (action: MenuAction) => () => widgets.active().channel.post({ type: 'menuAction', action });
  return {
    'svc.openChat': views.sideBar.show,
    'svc.openChatInEditor': (from) => views.tabs.open(idIn(from)),
    'svc.nextConversation': () => openNeighbour(viewModel(), 1),
    'svc.previousConversation': () => openNeighbour(viewModel(), -1),
    'svc.newChat': async () => {
      viewModel().newChat();
      await widgets.active().show();
    },
    'svc.newWorktreeTask': () => tasks.start(viewModel()),
    'svc.newChatFromSummary': () => widgets.active().compaction.newChatFromSummary(),
    'svc.compactConversation': () => widgets.active().compaction.compact(),
    'svc.stop': () => views.compared.stop(viewModel().conversation()),
    'svc.compareModels': views.compareModels,
    'svc.selectModel': async (id) => {
      const current = viewModel().conversation().model() || settings.model();
      const chosen = typeof id === 'string' ? id : await views.pickModel(current);
      if (chosen === undefined) return;
      viewModel().setModel(chosen);
      await settings.setModel(chosen);
    },
    'svc.selectMode': async (wanted) => {
      const agent = await selectMode(settings.chatMode(), wanted, customizations);
      const model = agent && modelFor(agent, models.ids());
      if (model !== undefined) viewModel().setModel(model);
    },
    'svc.focusApproval': () => showPendingApproval(widgets, conversations.all()),
    'svc.copyMessage': menu('copyMessage'),
    'svc.copyCode': menu('copyCode'),
    'svc.showSentRequest': () => reports.showSent(turns.last(viewModel().conversation().id)),
    'svc.showNextRequest': () => widgets.active().showNext(),
  };
}

function idIn(from: unknown): string | undefined {
  if (typeof from === 'object' && from !== null && 'id' in from) return idIn(from.id);
  return typeof from === 'string' ? from : undefined;
}

type Agents = Pick<Customizations, 'agents' | 'agent' | 'pickAgent' | 'refresh'>;

/**
 * Sets the given mode (from a keybinding), or opens the picker. An agent narrows the mode until another mode or agent
 * is picked. A running turn is not affected.
 */
export async function selectMode(
  current: ChatMode,
  wanted: unknown,
  agents: Agents,
): Promise<Customization | undefined> {
  const known = chatModes.find((mode) => mode === wanted);
  const picked: Pick<ModeItem, 'mode' | 'agent'> | undefined =
    known === undefined ? await pickMode(current, agents) : { mode: known };
  if (picked === undefined) return undefined;
  await agents.pickAgent(picked.agent);
  if (picked.mode !== undefined) {
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration('svc').update('chat.mode', picked.mode, Global);
  }
  return picked.agent;
}

interface ModeItem extends vscode.QuickPickItem {
  mode?: ChatMode;
  agent?: Customization;
}

async function pickMode(current: ChatMode, agents: Agents): Promise<ModeItem | undefined> {
  await agents.refresh();
  const picked = agents.agent();
  const isCurrent = { description: vscode.l10n.t('current') };
  const modes = chatModes.map(
    (mode): ModeItem => ({ mode, ...modeTexts[mode](), ...(mode === current && picked === undefined && isCurrent) }),
  );
  const others = agents.agents().map(
    (agent): ModeItem => ({
      agent,
      label: agent.name,
      description: [agent.path, agentPrice(agent), ...(agent === picked ? [isCurrent.description] : [])].join(' · '),
      detail: agent.description || vscode.l10n.t("Keeps the current mode and the agent's tools."),
    }),
  );
  const head = { label: vscode.l10n.t('Agents'), kind: vscode.QuickPickItemKind.Separator };
  const active = [...others, ...modes].find(({ agent, mode }) => (picked ? agent === picked : mode === current));
  return pickOne([...modes, ...(others.length > 0 ? [head, ...others] : [])], active, {
    title: vscode.l10n.t('Mode'),
    placeHolder: vscode.l10n.t('What the model can do, starting with the next message'),
    matchOnDetail: true,
  });
}

function agentPrice({ text }: Customization): string {
  const tokens = estimateTokens(text);
  return vscode.l10n.t('{0} tokens, {1} a request', tokens.toLocaleString('en'), requestPrice(tokens));
}

const modeTexts: Readonly<Record<ChatMode, () => { label: string; detail: string }>> = {
  ask: () => ({
    label: vscode.l10n.t('Ask'),
    detail: vscode.l10n.t('Reads and searches the workspace. Fewer tools are sent, so a message costs less.'),
  }),
  plan: () => ({
    label: vscode.l10n.t('Plan'),
    detail: vscode.l10n.t('Reads, asks, and writes a plan that you can edit. Starts nothing.'),
  }),
  edit: () => ({ label: vscode.l10n.t('Edit'), detail: vscode.l10n.t('Reads and edits files. Runs nothing.') }),
  agent: () => ({
    label: vscode.l10n.t('Agent'),
    detail: vscode.l10n.t("Also runs commands and other extensions' tools. Asks you first."),
  }),
};
