import { modelFor } from '../../customizations/agent-text.ts';
import type { MenuAction } from '../../shared/panel/protocol.ts';
import type { Service } from '../account/create-service.ts';
import { pickModel } from '../account/model-picker.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import type { Reports } from '../reports/create-reports.ts';
import { openNeighbour, showPendingApproval } from './chat-widgets.ts';
import type { Chat } from './create-chat.ts';
import type { Views } from './create-views.ts';
import { selectMode } from './mode-picker.ts';

export type ChatCommands = Pick<
  CommandHandlers,
  | 'svc.openChat'
  | 'svc.openChatInEditor'
  | 'svc.nextConversation'
  | 'svc.previousConversation'
  | 'svc.newChat'
  | 'svc.newWorktreeTask'
  | 'svc.newChatFromSummary'
  | 'svc.compactConversation'
  | 'svc.stop'
  | 'svc.compareModels'
  | 'svc.selectModel'
  | 'svc.selectMode'
  | 'svc.focusApproval'
  | 'svc.addContext'
  | 'svc.copyMessage'
  | 'svc.copyCode'
  | 'svc.showSentRequest'
  | 'svc.showNextRequest'
>;

/** The commands act on the view of the chat that had the focus last. */
export function createChatCommands(
  service: Service,
  chat: Chat,
  views: Views,
  reports: Pick<Reports, 'showSent'>,
): ChatCommands {
  const { settings, models } = service;
  const { customizations, turns } = chat.tools;
  const { open: conversations, tasks } = chat.conversations;
  const { widgets } = chat.panel;
  const viewModel = () => widgets.active().viewModel;
  const menu = (action: MenuAction) => () => widgets.active().channel.post({ type: 'menuAction', action });
  return {
    'svc.openChat': views.sideBar.show,
    'svc.openChatInEditor': (from) => views.tabs.open(idIn(from)),
    'svc.nextConversation': () => openNeighbour(viewModel(), 1),
    'svc.previousConversation': () => openNeighbour(viewModel(), -1),
    'svc.newChat': async () => {
      viewModel().newChat();
      await widgets.active().show();
    },
    'svc.newWorktreeTask': () => tasks.start(viewModel()),
    'svc.newChatFromSummary': () => widgets.active().compaction.newChatFromSummary(),
    'svc.compactConversation': () => widgets.active().compaction.compact(),
    'svc.stop': () => views.compared.stop(viewModel().conversation()),
    'svc.compareModels': views.compareModels,
    'svc.selectModel': async (id) => {
      const current = viewModel().conversation().model() || settings.model();
      const chosen = typeof id === 'string' ? id : await pickModel(service, current);
      if (chosen === undefined) return;
      views.walkthrough.done('svc.walkthroughModelPicked');
      viewModel().setModel(chosen);
      await settings.setModel(chosen);
    },
    'svc.selectMode': async (wanted) => {
      const agent = await selectMode(settings.chatMode(), wanted, customizations);
      const model = agent && modelFor(agent, models.ids());
      if (model !== undefined) viewModel().setModel(model);
    },
    'svc.focusApproval': () => showPendingApproval(widgets, conversations.all()),
    'svc.addContext': () => widgets.active().addContext(),
    'svc.copyMessage': menu('copyMessage'),
    'svc.copyCode': menu('copyCode'),
    'svc.showSentRequest': () => reports.showSent(turns.last(viewModel().conversation().id)),
    'svc.showNextRequest': () => widgets.active().showNext(),
  };
}

function idIn(from: unknown): string | undefined {
  if (typeof from === 'object' && from !== null && 'id' in from) return idIn(from.id);
  return typeof from === 'string' ? from : undefined;
}
