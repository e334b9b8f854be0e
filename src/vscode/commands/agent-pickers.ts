import * as vscode from 'vscode';
import { type ForeignTools, foreignChoices } from '../../tools/foreign-tools.ts';
import type { Settings } from '../host/settings.ts';
import type { Customizations, ShownRule } from '../workspace/customizations-adapter.ts';

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

/** The rules of the workspace that go along with every request of the open conversation, with what they weigh. */
export async function showInstructions(customizations: Customizations, inPlay: readonly string[]): Promise<void> {
  await customizations.refresh();
  const files = customizations.ruleFiles(inPlay);
  if (files.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("No instruction files such as AGENTS.md were found, or the workspace isn't trusted."),
    );
    return;
  }
  const rows = files.map(({ label, uri, tokens, state }) => ({
    label,
    description: vscode.l10n.t('about {0} tokens', tokens),
    ...(state !== 'sent' && { detail: stateText(state) }),
    uri,
  }));
  const chosen = await vscode.window.showQuickPick(rows, {
    placeHolder: vscode.l10n.t('Sent in full with every request. Select a file to open it.'),
  });
  if (chosen) await vscode.window.showTextDocument(chosen.uri);
}

function stateText(state: Exclude<ShownRule['state'], 'sent'>): string {
  switch (state) {
    case 'cut':
      return vscode.l10n.t('too long; only part is sent');
    case 'same-as-another':
      return vscode.l10n.t('duplicate of another file; sent once');
    case 'other-files':
      return vscode.l10n.t('sent once a file that it is for is part of the conversation');
    case 'not-now':
      return vscode.l10n.t('only its name is sent until the model reads a file that it applies to');
  }
}
