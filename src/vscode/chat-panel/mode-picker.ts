import * as vscode from 'vscode';
import type { Customization } from '../../customizations/customization.ts';
import { requestPrice } from '../../customizations/request-price.ts';
import { estimateTokens } from '../../service/tokens.ts';
import { type ChatMode, chatModes } from '../../shared/approval.ts';
import type { PickRow } from '../../shared/panel/panel-info.ts';
import { itemsOf, pickOne } from '../host/pick-one.ts';
import type { Customizations } from '../workspace/customizations-adapter.ts';

export type Agents = Pick<Customizations, 'agents' | 'agent' | 'pickAgent' | 'refresh'>;

/**
 * Sets the given mode, or the agent of the given path, or opens the list. An agent narrows the mode until another mode
 * or agent is picked. A running turn is not affected.
 */
export async function selectMode(
  current: ChatMode,
  wanted: unknown,
  agents: Agents,
): Promise<Customization | undefined> {
  const id = typeof wanted === 'string' ? wanted : await pickMode(current, agents);
  const mode = chatModes.find((one) => one === id);
  const agent = mode === undefined ? agents.agents().find(({ path }) => path === id) : undefined;
  if (mode === undefined && agent === undefined) return undefined;
  await agents.pickAgent(agent);
  if (mode !== undefined) {
    await vscode.workspace.getConfiguration('svc').update('chat.mode', mode, vscode.ConfigurationTarget.Global);
  }
  return agent;
}

async function pickMode(current: ChatMode, agents: Agents): Promise<string | undefined> {
  await agents.refresh();
  const items = itemsOf(modeRows(current, agents));
  const active = items.find((item) => item.current);
  const picked = await pickOne(items, active, {
    title: vscode.l10n.t('Mode'),
    placeHolder: vscode.l10n.t('What the model can do, starting with the next message'),
    matchOnDetail: true,
  });
  return picked?.id;
}

/** Lists the modes, and below them the agents, whose id is their path. */
export function modeRows(current: ChatMode, agents: Pick<Agents, 'agents' | 'agent'>): PickRow[] {
  const picked = agents.agent();
  return [
    ...chatModes.map((mode): PickRow => {
      const isCurrent = mode === current && picked === undefined;
      return { id: mode, ...modeTexts[mode](), ...(isCurrent && { current: true }) };
    }),
    ...agents.agents().map(
      (agent): PickRow => ({
        id: agent.path,
        label: agent.name,
        description: [agent.path, agentPrice(agent)].join(' · '),
        detail: agent.description || vscode.l10n.t("Keeps the current mode and the agent's tools."),
        group: vscode.l10n.t('Agents'),
        ...(agent === picked && { current: true }),
      }),
    ),
  ];
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
