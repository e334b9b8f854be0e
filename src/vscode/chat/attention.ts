import * as vscode from 'vscode';
import type { OpenConversations } from '../../chat/open-conversations.ts';
import { type Waiting, waitingIn } from '../../chat/waiting.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { CommandId } from '../host/command-ids.ts';
import type { ChatPanes } from './chat-panes.ts';

/**
 * Tells the user that conversations wait for them: by a number on the side bar's view, and where they are out of sight
 * by a message.
 */
export interface Attention extends vscode.Disposable {
  /** The view that has the number from now on. */
  badgeOn(view: vscode.WebviewView): void;
}

export function createAttention(conversations: OpenConversations, panes: ChatPanes): Attention {
  let badged: vscode.WebviewView | undefined;
  const update = () => {
    if (!badged) return;
    const waiting = waitingIn(conversations.all());
    const count = waiting.approvals + waiting.questions;
    const badge = count === 0 ? undefined : { value: count, tooltip: waitingText(waiting) };
    if (badged.badge?.value !== badge?.value) badged.badge = badge;
  };
  const stopListening = [
    conversations.onEvents((conversation, events) => {
      for (const kind of ['approvalRequested', 'questionAsked', 'costAsked'] as const) {
        if (events.some((event) => event.type === kind)) askForAttention(kind, conversation, panes);
      }
      update();
    }),
    conversations.onDidChange(update),
  ];
  return {
    badgeOn(view) {
      badged = view;
      update();
    },
    dispose() {
      for (const stop of stopListening) stop();
    },
  };
}

/** The chat asks inside its own view; only when that cannot be seen a message leads there. */
function askForAttention(
  kind: 'approvalRequested' | 'questionAsked' | 'costAsked',
  conversation: Conversation,
  panes: ChatPanes,
): void {
  if (panes.showing(conversation)?.wire.visible()) return;
  const show = vscode.l10n.t('Show Chat');
  const text =
    kind === 'approvalRequested'
      ? vscode.l10n.t('svc needs your approval to continue.')
      : vscode.l10n.t('svc has a question for you.');
  void vscode.window.showInformationMessage(text, show).then((answer) => {
    const approve: CommandId = 'svc.focusApproval';
    if (answer === show) void vscode.commands.executeCommand(approve);
  });
}

function waitingText({ approvals, questions }: Waiting): string {
  if (approvals === 0) return vscode.l10n.t('svc has a question for you.');
  const count = approvals + questions;
  return count === 1 ? vscode.l10n.t('1 approval needed') : vscode.l10n.t('{0} approvals needed', count);
}
