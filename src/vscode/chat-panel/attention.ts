import * as vscode from 'vscode';
import { createEmitter, disposeAll, type Event } from '../../base/emitter.ts';
import type { OpenConversations } from '../../chat/open-conversations.ts';
import { type Waiting, waitingIn } from '../../chat/waiting.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { answerOf } from '../../shared/chat/chat-state.ts';
import { waiting } from '../../shared/event-traits.ts';
import type { DurableEvent } from '../../shared/events.ts';
import { type InteractionKind, interactionKinds } from '../../shared/interaction.ts';
import type { Cost } from '../../shared/messages.ts';
import { formatMicroUsd } from '../../shared/money.ts';
import type { CommandId } from '../host/command-ids.ts';
import { openSetting, type Settings } from '../host/settings.ts';
import type { ChatWidgets } from './chat-widgets.ts';

export interface UnseenEnd {
  conversationId: string;
  title: string;
  cost: Pick<Cost, 'microUsd' | 'estimated'>;
}

/**
 * Notifies the user that conversations wait for them or have ended: by a number on the side bar's view, in the status
 * bar, and by one message at a time where they are out of sight.
 */
export interface Attention extends vscode.Disposable {
  badgeOn(view: vscode.WebviewView): void;
  waiting(): Waiting;
  /** Returns the turns that ended unseen and were not shown since, the last one first. */
  unseenEnds(): readonly UnseenEnd[];
  forgetEnd(conversationId: string): void;
  onDidChange: Event;
}

export interface AttentionDeps {
  conversations: OpenConversations;
  widgets: ChatWidgets;
  settings: Pick<Settings, 'onCompletion'>;
}

const worthShowingMs = 10_000;

type TurnEnded = Extract<DurableEvent, { type: 'turnEnded' }>;

export function createAttention({ conversations, widgets, settings }: AttentionDeps): Attention {
  let badged: vscode.WebviewView | undefined;
  const ends = new Map<string, UnseenEnd>();
  const changes = createEmitter();
  const isSeen = (conversation: Conversation) =>
    vscode.window.state.focused &&
    widgets.all().some(({ viewModel, channel }) => viewModel.conversation() === conversation && channel.visible());
  const announce = createNotices();
  const waitingNow = () => waitingIn(conversations.all());
  const updateBadge = () => {
    if (!badged) return;
    const open = waitingNow();
    const count = open.approvals + open.questions;
    const badge = count === 0 ? undefined : { value: count, tooltip: waitingText(open) };
    if (badged.badge?.value !== badge?.value) badged.badge = badge;
  };
  const look = () => {
    updateBadge();
    const shown = widgets.all().filter(({ viewModel }) => isSeen(viewModel.conversation()));
    const seen = shown.filter(({ viewModel }) => ends.delete(viewModel.conversation().id));
    if (seen.length > 0) changes.fire();
  };
  const turnEnded = (conversation: Conversation, event: TurnEnded) => {
    const answer = answerOf(conversation.state(), event.turnId);
    const ranMs = answer ? event.at - answer.at : 0;
    const how = settings.onCompletion();
    if (event.outcome === 'stopped' || ranMs <= worthShowingMs) return;
    const isUnseen = !isSeen(conversation);
    if (isUnseen) {
      ends.delete(conversation.id);
      const { title } = conversation.state();
      ends.set(conversation.id, { conversationId: conversation.id, title, cost: event.cost });
      changes.fire();
    }
    if (how === 'always' || (how === 'unseen' && isUnseen)) {
      const open: CommandId = 'svc.openConversation';
      announce('end', endText(conversation, event), [open, conversation.id]);
    }
  };
  const asked = (conversation: Conversation, kind: InteractionKind) => {
    if (isSeen(conversation) || settings.onCompletion() === 'never') return;
    const approve: CommandId = 'svc.focusApproval';
    const text =
      kind === 'approval'
        ? vscode.l10n.t('svc needs your approval to continue.')
        : vscode.l10n.t('svc has a question for you.');
    announce('question', text, [approve]);
  };
  const listening = [
    conversations.onDidEmit((conversation, events) => {
      for (const event of events) {
        if (event.type === 'turnEnded') turnEnded(conversation, event);
        else if (event.type === 'asked' && interactionKinds[event.kind].waitsForUser) asked(conversation, event.kind);
      }
      updateBadge();
      if (events.some((event) => waiting(event) !== undefined)) changes.fire();
    }),
    conversations.onDidChange(look),
    widgets.onDidShow(look),
  ];
  const windowState = vscode.window.onDidChangeWindowState(look);
  return {
    badgeOn(view) {
      badged = view;
      updateBadge();
    },
    waiting: waitingNow,
    unseenEnds: () => [...ends.values()].toReversed(),
    forgetEnd(conversationId) {
      ends.delete(conversationId);
      changes.fire();
    },
    onDidChange: changes.event,
    dispose() {
      windowState.dispose();
      disposeAll(listening);
    },
  };
}

/**
 * Shows one message of a kind at a time. Another would say nothing new: both lead to the chat, and the status bar has
 * the rest.
 */
function createNotices() {
  const open = new Set<string>();
  return (kind: 'end' | 'question', text: string, [command, ...args]: [CommandId, ...unknown[]]): void => {
    if (open.has(kind)) return;
    open.add(kind);
    const show = vscode.l10n.t('Show Chat');
    const never = vscode.l10n.t("Don't Show Again");
    void vscode.window.showInformationMessage(text, show, never).then((answer) => {
      open.delete(kind);
      if (answer === show) void vscode.commands.executeCommand(command, ...args);
      if (answer === never) void turnOff();
    });
  };
}

/**
 * Only the user's own setting is changed. Where a workspace setting overrides it, that one is shown, because it is
 * the user's to change.
 */
async function turnOff(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('svc');
  await settings.update('notifications.onCompletion', 'never', vscode.ConfigurationTarget.Global);
  if (vscode.workspace.getConfiguration('svc').get('notifications.onCompletion') !== 'never') {
    await openSetting('notifications.onCompletion');
  }
}

function endText(conversation: Conversation, { turnId, outcome, cost }: TurnEnded): string {
  const state = conversation.state();
  const files = answerOf(state, turnId)?.checkpoint?.paths.length ?? 0;
  const what =
    outcome !== 'finished'
      ? vscode.l10n.t('stopped early')
      : files === 0
        ? vscode.l10n.t('done')
        : files === 1
          ? vscode.l10n.t('edited 1 file')
          : vscode.l10n.t('edited {0} files', files);
  const price = formatMicroUsd(cost.microUsd, cost.estimated, vscode.env.language);
  return vscode.l10n.t('{0}: {1} · {2}', state.title || vscode.l10n.t('New Chat'), what, price);
}

function waitingText({ approvals, questions }: Waiting): string {
  if (approvals === 0) return vscode.l10n.t('svc has a question for you.');
  const count = approvals + questions;
  return count === 1 ? vscode.l10n.t('1 approval needed') : vscode.l10n.t('{0} approvals needed', count);
}
