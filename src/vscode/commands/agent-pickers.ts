import * as vscode from 'vscode';
import { type ForeignTools, foreignChoices } from '../../tools/foreign-tools.ts';
import type { Settings } from '../host/settings.ts';

/** Which tools of other extensions and MCP servers the model may use. None by default: each is paid for every time. */
export async function pickTools(foreign: ForeignTools, settings: Settings): Promise<void> {
  const choices = foreignChoices(foreign);
  if (choices.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No other extension or MCP server provides tools in this window.'),
    );
    return;
  }
  const picked = new Set(settings.foreignTools());
  const rows = choices.map(({ name, description }) => ({ label: name, detail: description, picked: picked.has(name) }));
  const chosen = await vscode.window.showQuickPick(rows, {
    canPickMany: true,
    matchOnDetail: true,
    placeHolder: vscode.l10n.t('Tools the model can use; each one adds a little to the cost of every request'),
  });
  if (!chosen) return;
  // A server that is not running now keeps its tools picked.
  const away = settings.foreignTools().filter((name) => !choices.some((choice) => choice.name === name));
  const names = [...chosen.map((row) => row.label), ...away];
  await vscode.workspace.getConfiguration('svc').update('tools.foreign', names, vscode.ConfigurationTarget.Global);
}
