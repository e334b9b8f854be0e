import * as vscode from 'vscode';
import { disposeAll } from '../../../base/emitter.ts';
import type { OpenConversations } from '../../../chat/open-conversations.ts';
import { type CreateSection, panelLine } from '../../../chat/panel-sections.ts';
import { messageSpend, waitsForUser } from '../../../shared/chat/chat-state.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import type { Attention } from '../attention.ts';
import type { ChatWidgets } from '../chat-widgets.ts';

const maxRows = 3;

/**
 * Lists the chats out of sight, tasks in worktrees among them, each with what its message has cost: those that wait for
 * their user, those that run, and those that ended unseen.
 */
export const otherChatsSection =
  (
    conversations: Pick<OpenConversations, 'all' | 'onDidChange'>,
    widgets: Pick<ChatWidgets, 'showing'>,
    attention: Pick<Attention, 'unseenEnds' | 'forgetEnd' | 'onDidChange'>,
  ): CreateSection =>
  ({ viewModel, run }) => {
    const rows = () => {
      const shown = viewModel.conversation();
      const running = conversations.all().flatMap((one) => {
        if (one === shown || !one.running || widgets.showing(one)?.channel.visible()) return [];
        const state = one.state();
        const is: 'waiting' | 'running' = waitsForUser(state) ? 'waiting' : 'running';
        return [{ id: one.id, title: state.title, cost: messageSpend(state), is }];
      });
      const done = attention.unseenEnds().filter(({ conversationId }) => conversationId !== shown.id);
      return [
        ...running.filter(({ is }) => is === 'waiting'),
        ...running.filter(({ is }) => is === 'running'),
        ...done.map(({ conversationId: id, title, cost }) => ({ id, title, cost, is: 'done' as const })),
      ];
    };
    return panelLine({
      line: 'otherChats',
      state() {
        const all = rows();
        return all.slice(0, maxRows).map(({ id, title, cost, is }, at) => {
          const price = formatMicroUsd(cost.microUsd, cost.estimated, vscode.env.language);
          const more = at === maxRows - 1 ? all.length - maxRows : 0;
          return {
            of: id,
            label: vscode.l10n.t('Other chats'),
            text: [
              states[is](),
              ...(cost.microUsd > 0 ? [price] : []),
              title || vscode.l10n.t('Untitled'),
              ...(more > 0 ? [vscode.l10n.t('{0} more', more)] : []),
            ].join(' · '),
            ...(is === 'waiting' && { icon: 'alert' as const }),
            buttons: [
              { action: 'open', label: vscode.l10n.t('Open') },
              ...(is === 'done'
                ? [{ action: 'dismiss', label: vscode.l10n.t('Dismiss'), icon: 'close' } as const]
                : []),
            ],
          };
        });
      },
      actions: {
        open: (_page, id) => run('svc.openConversation', id),
        dismiss: (_page, id) => id !== undefined && attention.forgetEnd(id),
      },
      onDidChange(listener) {
        const listening = [conversations.onDidChange(listener), attention.onDidChange(listener)];
        return { dispose: () => disposeAll(listening) };
      },
    });
  };

const states = {
  waiting: () => vscode.l10n.t('Needs you'),
  running: () => vscode.l10n.t('Running'),
  done: () => vscode.l10n.t('Done'),
};
