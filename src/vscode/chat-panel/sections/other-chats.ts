import * as vscode from 'vscode';
import { disposeAll } from '../../../base/emitter.ts';
import type { OpenConversations } from '../../../chat/open-conversations.ts';
import { type CreateSection, panelLine } from '../../../chat/panel-sections.ts';
import { messageSpend, waitsForUser } from '../../../shared/chat/chat-state.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import type { Attention } from '../attention.ts';
import type { ChatWidgets } from '../chat-widgets.ts';

/**
 * Names the chat out of sight that most needs its user, with what its message has cost: one that waits, else one that
 * runs, else the last that ended unseen.
 */
export const otherChatsSection =
  (
    conversations: Pick<OpenConversations, 'all' | 'onDidChange'>,
    widgets: Pick<ChatWidgets, 'showing'>,
    attention: Pick<Attention, 'unseenEnd' | 'forgetEnds' | 'onDidChange'>,
  ): CreateSection =>
  ({ viewModel, run }) => {
    const rows = () => {
      const shown = viewModel.conversation();
      const ended = attention.unseenEnd();
      const running = conversations.all().flatMap((one) => {
        if (one === shown || !one.running || widgets.showing(one)?.channel.visible()) return [];
        const state = one.state();
        const is: 'waiting' | 'running' = waitsForUser(state) ? 'waiting' : 'running';
        return [{ id: one.id, title: state.title, cost: messageSpend(state), is }];
      });
      const done = ended === undefined || ended.conversationId === shown.id ? [] : [ended];
      return [
        ...running.filter(({ is }) => is === 'waiting'),
        ...running.filter(({ is }) => is === 'running'),
        ...done.map(({ conversationId: id, title, cost }) => ({ id, title, cost, is: 'done' as const })),
      ];
    };
    return panelLine({
      line: 'otherChats',
      state() {
        const [first, ...more] = rows();
        if (first === undefined) return undefined;
        const { title, cost, is } = first;
        const price = formatMicroUsd(cost.microUsd, cost.estimated, vscode.env.language);
        const others = more.length === 0 ? [] : [vscode.l10n.t('{0} more', more.length)];
        return {
          label: vscode.l10n.t('Other chats'),
          text: [textOf(is, title || vscode.l10n.t('Untitled')), ...(cost.microUsd > 0 ? [price] : []), ...others].join(
            ' · ',
          ),
          ...(is === 'waiting' && { icon: 'alert' as const }),
          buttons: [
            { action: 'open', label: vscode.l10n.t('Open') },
            ...(is === 'done' ? [{ action: 'dismiss', label: vscode.l10n.t('Dismiss'), icon: 'close' } as const] : []),
          ],
        };
      },
      actions: {
        open: () => run('svc.openConversation', rows()[0]?.id),
        dismiss: attention.forgetEnds,
      },
      onDidChange(listener) {
        const listening = [conversations.onDidChange(listener), attention.onDidChange(listener)];
        return { dispose: () => disposeAll(listening) };
      },
    });
  };

function textOf(is: 'waiting' | 'running' | 'done', title: string): string {
  if (is === 'waiting') return vscode.l10n.t('Needs you: {0}', title);
  return is === 'running' ? vscode.l10n.t('Running: {0}', title) : vscode.l10n.t('Done: {0}', title);
}
