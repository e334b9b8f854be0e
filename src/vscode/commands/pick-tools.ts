import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import { requestPrice } from '../../customizations/request-price.ts';
import type { Workspace } from '../../files/workspace.ts';
import { type ExternalToolPrice, externalToolPrices, tokensOfExternalTools } from '../../tools/external-tool-prices.ts';
import type { ExternalTools } from '../../tools/external-tools.ts';
import type { Settings } from '../host/settings.ts';
import { showMessage } from '../host/show-message.ts';

interface ToolItem extends vscode.QuickPickItem {
  tool?: ExternalToolPrice;
}

export interface PickToolsDeps {
  workspace: Workspace;
  external: ExternalTools;
  settings: Settings;
  conversation: Pick<Conversation, 'state' | 'readOnly' | 'pickTools'>;
  used(name: string): number;
}

/**
 * Lets the user pick, by server, which tools of other extensions and MCP servers the model may use in a conversation.
 * Each row shows what its definition adds to every request and how often the tool was used. No tool is picked by
 * default.
 */
export async function pickTools({ workspace, external, settings, conversation, used }: PickToolsDeps): Promise<void> {
  if (conversation.readOnly) {
    return showMessage(
      vscode.l10n.t("An answer to this conversation is in progress in another window. Try again when it's done."),
    );
  }
  const choices = externalToolPrices({ workspace, external });
  if (choices.length === 0) {
    return showMessage(vscode.l10n.t('No other extension or MCP server provides tools in this window.'));
  }
  const before = conversation.state().pickedTools ?? settings.externalTools();
  const items = itemsOf(choices, used);
  // A server that is not running now keeps its tools picked.
  const away = before.filter((name) => !choices.some((choice) => choice.name === name));
  const share = (names: readonly string[]) =>
    tokensOfExternalTools({ workspace, external, loadAbove: settings.loadToolsAbove }, names);
  const chosen = await pickMany(items, new Set(before), share);
  if (!chosen) return;
  const names = [...chosen.names, ...away];
  conversation.pickTools(names);
  if (!chosen.forNew) return;
  await vscode.workspace.getConfiguration('svc').update('tools.foreign', names, vscode.ConfigurationTarget.Global);
}

function itemsOf(choices: readonly ExternalToolPrice[], used: PickToolsDeps['used']): ToolItem[] {
  return [...Map.groupBy(choices, ({ server }) => server)].flatMap(([server, tools]) => [
    {
      label: `${server === '' ? vscode.l10n.t('Extensions') : server} · ${inAll(sum(tools))}`,
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...tools.map((tool): ToolItem => {
      const calls = used(tool.name);
      const times = calls > 0 ? [vscode.l10n.t('uses in this conversation: {0}', calls)] : [];
      const description = [priced(tool.tokens), ...times].join(' · ');
      return { tool, label: tool.name, description, detail: tool.description };
    }),
  ]);
}

interface Chosen {
  names: readonly string[];
  forNew: boolean;
}

function pickMany(
  items: ToolItem[],
  before: ReadonlySet<string>,
  share: (names: readonly string[]) => ReturnType<typeof tokensOfExternalTools>,
): Promise<Chosen | undefined> {
  const picker = vscode.window.createQuickPick<ToolItem>();
  picker.canSelectMany = true;
  picker.matchOnDetail = true;
  picker.items = items;
  picker.selectedItems = items.filter(({ tool }) => tool !== undefined && before.has(tool.name));
  picker.placeholder = vscode.l10n.t('Tools the model can use; each one adds a little to the cost of every request');
  const forNew = {
    iconPath: new vscode.ThemeIcon('save-all'),
    tooltip: vscode.l10n.t('Use in This and in New Conversations'),
  };
  picker.buttons = [forNew];
  const namesOf = (chosen: readonly ToolItem[]) => chosen.flatMap(({ tool }) => tool?.name ?? []);
  const notify = (chosen: readonly ToolItem[]) => {
    const { tokens, listed } = share(namesOf(chosen));
    picker.title = listed
      ? vscode.l10n.t('Tools from Other Extensions: {0}, names only', priced(tokens))
      : vscode.l10n.t('Tools from Other Extensions: {0}', priced(tokens));
  };
  picker.onDidChangeSelection(notify);
  notify(picker.selectedItems);
  return new Promise((resolve) => {
    const accept = (isForNew: boolean) => {
      resolve({ names: namesOf(picker.selectedItems), forNew: isForNew });
      picker.hide();
    };
    picker.onDidAccept(() => accept(false));
    picker.onDidTriggerButton((button) => accept(button === forNew));
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

const sum = (tools: readonly ExternalToolPrice[]) => tools.reduce((total, { tokens }) => total + tokens, 0);

function priced(tokens: number): string {
  return vscode.l10n.t('{0} tokens, {1} a request', tokens.toLocaleString('en'), requestPrice(tokens));
}

function inAll(tokens: number): string {
  return vscode.l10n.t('{0} tokens, {1}', tokens.toLocaleString('en'), requestPrice(tokens));
}
