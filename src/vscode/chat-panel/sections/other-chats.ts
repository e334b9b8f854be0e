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
      const done = attention.unseenEnd();
      const running = conversations
        .all()
        .filter((one) => one !== shown && one.running && !widgets.showing(one)?.channel.visible())
        .map((one) => ({ id: one.id, state: one.state(), waits: waitsForUser(one.state()) }))
        .sort((one, other) => Number(other.waits) - Number(one.waits));
      return [
        ...running.map(({ id, state, waits }) => ({
          ...{ id, waits, isDone: false, cost: messageSpend(state) },
          text: waits ? vscode.l10n.t('Needs you: {0}', named(state)) : vscode.l10n.t('Running: {0}', named(state)),
        })),
        ...(done === undefined || done.conversationId === shown.id
          ? []
          : [
              {
                ...{ id: done.conversationId, waits: false, isDone: true, cost: done.cost },
                text: vscode.l10n.t('Done: {0}', named(done)),
              },
            ]),
      ];
    };
    return panelLine({
      line: 'otherChats',
      state() {
        const [first, ...more] = rows();
        if (first === undefined) return undefined;
        const { text, cost, waits, isDone } = first;
        const price = formatMicroUsd(cost.microUsd, cost.estimated, vscode.env.language);
        const others = more.length === 0 ? [] : [vscode.l10n.t('{0} more', more.length)];
        return {
          label: vscode.l10n.t('Other chats'),
          text: [text, ...(cost.microUsd > 0 ? [price] : []), ...others].join(' · '),
          ...(waits && { icon: 'alert' as const }),
          buttons: [
            { action: 'open', label: vscode.l10n.t('Open') },
            ...(isDone ? [{ action: 'dismiss', label: vscode.l10n.t('Dismiss'), icon: 'close' } as const] : []),
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

function named({ title }: { title: string }): string {
  return title || vscode.l10n.t('Untitled');
}
