import * as vscode from 'vscode';
import { formatMicroUsd } from '../../shared/money.ts';

interface MenuState {
  running: boolean;
  today: { microUsd: number; estimated: boolean };
}

export async function showMenu({ running, today }: MenuState): Promise<void> {
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
      description: vscode.l10n.t('Balance, top-ups, and keys'),
      command: 'svc.openDashboard',
    },
    { label: vscode.l10n.t('$(pulse) Show What the Service Offers'), command: 'svc.showService' },
    {
      label: vscode.l10n.t('$(check) Check Service'),
      description: vscode.l10n.t('Free. None of your content is sent.'),
      command: 'svc.checkService',
    },
    { label: vscode.l10n.t('$(discard) Forget Learned Model Limits…'), command: 'svc.resetLearnedFacts' },
    { label: vscode.l10n.t('$(question) Help'), command: 'svc.help' },
    { label: vscode.l10n.t('$(output) Show Log'), command: 'svc.showLog' },
    { label: vscode.l10n.t('$(eye-closed) Hide from Status Bar'), command: hide },
  ];
  if (running) {
    rows.unshift({ label: vscode.l10n.t('$(debug-stop) Stop'), command: 'svc.stop' });
  }
  const picked = await vscode.window.showQuickPick(rows, { placeHolder: 'svc Assistant' });
  if (picked?.command === hide) {
    await vscode.workspace
      .getConfiguration('svc')
      .update('statusBar.content', 'hidden', vscode.ConfigurationTarget.Global);
  } else if (picked?.command) await vscode.commands.executeCommand(picked.command);
}

const hide = 'hide';
