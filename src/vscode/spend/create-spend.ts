import * as vscode from 'vscode';
import type { OpenConversations } from '../../chat/open-conversations.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import type { Surface } from '../../shared/messages.ts';
import type { SpendReport } from '../../shared/panel/spend-report.ts';
import { createReport } from '../../spend/create-report.ts';
import type { Service } from '../account/create-service.ts';
import { afterSent } from '../host/after-sent.ts';
import type { Register } from '../host/disposable-store.ts';
import type { TreeSource } from '../host/lazy-tree.ts';
import { exportSpend } from './spend-export.ts';
import { setSpendLimit } from './spend-limits.ts';
import { createSpendPanel } from './spend-panel.ts';
import { createStatus, type StatusDeps } from './status.ts';
import { type UsageNode, usageNodes } from './usage-tree.ts';

export interface SpendDeps {
  viewModel(): ChatViewModel;
  model(): string;
  conversations: OpenConversations;
  attention: StatusDeps['attention'];
}

export function createSpend(service: Service, register: Register, deps: SpendDeps) {
  const { ledger, settings, keys, readiness, limitChoice, models, log } = service;
  const conversationId = () => deps.viewModel().conversation().id;
  register(
    createStatus({
      ...{ settings, keys, readiness, ledger },
      ...{ conversations: deps.conversations, attention: deps.attention, model: deps.model },
      conversationId,
      afterSent,
      nameOf: models.nameOf,
      onError: (error) => log.error('The ledger could not be read', error),
    }),
  );
  const report = async (days: number): Promise<SpendReport> => {
    const conversations = await deps.viewModel().list();
    return createReport({
      ledger,
      days,
      locale: vscode.env.language,
      nameOfModel: models.nameOf,
      nameOfSurface,
      titles: new Map(conversations.map(({ id, title }) => [id, title || vscode.l10n.t('Untitled')])),
      nameOfDeleted: vscode.l10n.t('Deleted conversation'),
      dailyLimitUsd: settings.limits().dailyLimitUsd,
    });
  };
  const onDidChange = (listener: () => void): vscode.Disposable =>
    vscode.Disposable.from(ledger.onDidChange(listener), settings.onDidChange(listener));
  const panel = register(
    createSpendPanel({
      extensionUri: service.context.extensionUri,
      report,
      onDidChange,
      run: (command, ...args) => vscode.commands.executeCommand(command, ...args),
      onError: (error) => log.error('The spend report failed', error),
    }),
  );
  const usage: TreeSource<UsageNode> = {
    roots: async () => usageNodes(await report(30), conversationId()),
    onDidChange: (listener) => vscode.Disposable.from(onDidChange(listener), deps.conversations.onDidChange(listener)),
  };
  return {
    commands: {
      'svc.showSpend': () => panel.show(),
      'svc.exportSpend': (target: unknown) => exportSpend(ledger, target),
      'svc.setSpendLimit': (daily: unknown) => setSpendLimit(settings, limitChoice, daily),
    },
    usage,
  };
}

export function nameOfSurface(surface: string): string {
  const names: Record<Surface, string> = {
    chat: vscode.l10n.t('Chat and agent'),
    inline: vscode.l10n.t('Inline edit'),
    commit: vscode.l10n.t('Commit messages'),
    'native-chat': vscode.l10n.t("VS Code's chat"),
    'side-by-side': vscode.l10n.t('Side by side'),
    completion: vscode.l10n.t('Completions'),
    review: vscode.l10n.t('Reviews'),
    subagent: vscode.l10n.t('Subagents'),
    git: vscode.l10n.t('Commits and pull requests'),
  };
  return Object.hasOwn(names, surface) ? names[surface as Surface] : surface;
}
