import * as vscode from 'vscode';
import { requestPrice } from '../../customizations/request-price.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { type ForeignPrice, foreignPrices } from '../../tools/foreign-prices.ts';
import type { ForeignTools } from '../../tools/foreign-tools.ts';
import type { Settings } from '../host/settings.ts';

interface ToolItem extends vscode.QuickPickItem {
  tool?: ForeignPrice;
}

export interface PickToolsDeps {
  workspace: Workspace;
  foreign: ForeignTools;
  settings: Settings;
  /** Calls of a tool in the open conversation. */
  used(name: string): number;
}

/**
 * Which tools of other extensions and MCP servers the model may use, by server, each with what its definition adds to every request
 * and how often it was used. None by default.
 */
export async function pickTools({ workspace, foreign, settings, used }: PickToolsDeps): Promise<void> {
  const choices = foreignPrices({ workspace, foreign });
  if (choices.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No other extension or MCP server provides tools in this window.'),
    );
    return;
  }
  const picked = new Set(settings.foreignTools());
  const items = itemsOf(choices, used);
  const chosen = await pickMany(
    items,
    items.filter(({ tool }) => tool !== undefined && picked.has(tool.name)),
  );
  if (!chosen) return;
  // A server that is not running now keeps its tools picked.
  const away = settings.foreignTools().filter((name) => !choices.some((choice) => choice.name === name));
  const names = [...chosen.map(({ name }) => name), ...away];
  await vscode.workspace.getConfiguration('svc').update('tools.foreign', names, vscode.ConfigurationTarget.Global);
}

function itemsOf(choices: readonly ForeignPrice[], used: PickToolsDeps['used']): ToolItem[] {
  return [...Map.groupBy(choices, ({ server }) => server)].flatMap(([server, tools]) => [
    {
      label: `${server === '' ? vscode.l10n.t('Extensions') : server} · ${priced(sum(tools))}`,
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...tools.map((tool): ToolItem => {
      const calls = used(tool.name);
      const times = calls > 0 ? [vscode.l10n.t('used {0} times in this conversation', calls)] : [];
      const description = [priced(tool.tokens), ...times].join(' · ');
      return { tool, label: tool.name, description, detail: tool.description };
    }),
  ]);
}

/** The title has the total of what is picked, at every change. */
function pickMany(items: ToolItem[], selected: readonly ToolItem[]): Promise<readonly ForeignPrice[] | undefined> {
  const picker = vscode.window.createQuickPick<ToolItem>();
  picker.canSelectMany = true;
  picker.matchOnDetail = true;
  picker.items = items;
  picker.selectedItems = selected;
  picker.placeholder = vscode.l10n.t('Tools the model can use; each one adds a little to the cost of every request');
  const tools = (chosen: readonly ToolItem[]) => chosen.flatMap(({ tool }) => tool ?? []);
  const tell = (chosen: readonly ToolItem[]) => {
    picker.title = vscode.l10n.t('Tools from Other Extensions: {0}', priced(sum(tools(chosen))));
  };
  picker.onDidChangeSelection(tell);
  tell(selected);
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      resolve(tools(picker.selectedItems));
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

const sum = (tools: readonly ForeignPrice[]) => tools.reduce((total, { tokens }) => total + tokens, 0);

function priced(tokens: number): string {
  return vscode.l10n.t('{0} tokens, {1} a request', tokens.toLocaleString('en'), requestPrice(tokens));
}
