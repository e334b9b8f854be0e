import * as vscode from 'vscode';
import { requestsWords } from '../../shared/charge-words.ts';
import { formatMicroUsd } from '../../shared/money.ts';
import type { NamedSum, SpendReport, SpendSum } from '../../shared/panel/spend-report.ts';

export interface UsageNode {
  item: vscode.TreeItem;
  children: readonly UsageNode[];
}

/** Returns no rows when nothing was ever sent, so that the welcome text shows. */
export function usageNodes(report: SpendReport, currentConversation: string): readonly UsageNode[] {
  if (report.conversations.length === 0 && report.total.requests === 0) return [];
  const row = (label: string, sum: SpendSum, icon?: string) => leaf(label, sum, report.locale, icon);
  const rows = (sums: readonly NamedSum[]) => sums.map((sum) => row(sum.name, sum));
  const current = report.conversations.find(({ id }) => id === currentConversation);
  return [
    row(vscode.l10n.t('Today'), report.today, 'calendar'),
    row(vscode.l10n.t('7 days'), report.week, 'calendar'),
    row(vscode.l10n.t('30 days'), report.month, 'calendar'),
    branch(vscode.l10n.t('By model'), 'symbol-method', rows(report.models)),
    branch(vscode.l10n.t('By feature'), 'extensions', rows(report.surfaces)),
    ...(current ? [row(vscode.l10n.t('This Conversation'), current, 'comment')] : []),
    branch(
      vscode.l10n.t('Conversations'),
      'comment-discussion',
      report.conversations.map((one) => {
        const node = row(one.name, one);
        if (one.exists) {
          const title = vscode.l10n.t('Open Conversation');
          node.item.command = { command: 'svc.openConversation', title, arguments: [one.id] };
        }
        return node;
      }),
    ),
  ];
}

function leaf(label: string, sum: SpendSum, locale: string, icon?: string): UsageNode {
  const item = new vscode.TreeItem(label);
  const spent = formatMicroUsd(sum.microUsd, sum.estimated, locale);
  const all = requestsWords(sum, locale);
  item.description = `${spent} · ${all}`;
  item.tooltip = vscode.l10n.t(
    '{0}: {1} in {2}; {3} tokens in, {4} out. Counted on this machine.',
    label,
    spent,
    all,
    sum.promptTokens.toLocaleString(locale),
    sum.completionTokens.toLocaleString(locale),
  );
  item.accessibilityInformation = { label: `${label}: ${spent}, ${all}` };
  if (icon !== undefined) item.iconPath = new vscode.ThemeIcon(icon);
  return { item, children: [] };
}

function branch(label: string, icon: string, children: readonly UsageNode[]): UsageNode {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.iconPath = new vscode.ThemeIcon(icon);
  return { item, children };
}
