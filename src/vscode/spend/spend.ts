import * as vscode from 'vscode';
import type { SpendReport } from '../../shared/panel/spend-report.ts';
import type { Ledger } from '../../spend/ledger.ts';
import { createReport } from '../../spend/spend-report.ts';
import type { ModelDirectory } from '../account/model-directory.ts';
import type { TreeSource } from '../host/lazy-tree.ts';
import type { Settings } from '../host/settings.ts';
import { exportSpend } from './spend-export.ts';
import { setSpendLimit } from './spend-limits.ts';
import { createSpendPanel } from './spend-panel.ts';
import { nameOfSurface } from './surface-names.ts';
import { type UsageNode, usageNodes } from './usage-tree.ts';

export interface SpendDeps {
  extensionUri: vscode.Uri;
  ledger: Ledger;
  settings: Settings;
  models: Pick<ModelDirectory, 'nameOf'>;
  /** Those that still exist. */
  conversations(): Promise<readonly { id: string; title: string }[]>;
  /** The one that is open. */
  conversationId(): string;
  onDidChangeConversation(listener: () => void): () => void;
  onError(error: unknown): void;
}

/** What shows where the money went: report, tree, export, limits. */
export function createSpend(deps: SpendDeps) {
  const { ledger, settings } = deps;
  const report = async (days: number): Promise<SpendReport> => {
    const conversations = await deps.conversations();
    return createReport({
      ledger,
      days,
      locale: vscode.env.language,
      nameOfModel: deps.models.nameOf,
      nameOfSurface,
      titles: new Map(conversations.map(({ id, title }) => [id, title || vscode.l10n.t('Untitled')])),
      nameOfDeleted: vscode.l10n.t('Deleted conversation'),
      dailyLimitUsd: settings.limits().dailyLimitUsd,
    });
  };
  const onDidChange = (listener: () => void): vscode.Disposable =>
    vscode.Disposable.from({ dispose: ledger.onDidChange(listener) }, settings.onDidChange(listener));
  const panel = createSpendPanel({
    extensionUri: deps.extensionUri,
    report,
    onDidChange,
    run: (command, ...args) => vscode.commands.executeCommand(command, ...args),
    onError: deps.onError,
  });
  const usage: TreeSource<UsageNode> = {
    roots: async () => usageNodes(await report(30), deps.conversationId()),
    onDidChange: (listener) =>
      vscode.Disposable.from(onDidChange(listener), { dispose: deps.onDidChangeConversation(listener) }),
  };
  return {
    commands: {
      'svc.showSpend': () => panel.show(),
      'svc.exportSpend': (target: unknown) => exportSpend(ledger, target),
      'svc.setSpendLimit': () => setSpendLimit(settings),
    },
    usage,
    dispose: panel.dispose,
  };
}

export type Spend = ReturnType<typeof createSpend>;
