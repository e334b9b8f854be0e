import type { MenuAction } from '../../shared/menu-action.ts';
import type { Service } from '../account/create-service.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import type { Reports } from '../reports/create-reports.ts';
import { openNeighbour, showPendingApproval } from './chat-panes.ts';
import type { Chat } from './create-chat.ts';
import type { Views } from './create-views.ts';
import { selectMode } from './select-mode.ts';

export type ChatCommands = Pick<
  CommandHandlers,
  | 'svc.openChat'
  | 'svc.openChatInEditor'
  | 'svc.nextConversation'
  | 'svc.previousConversation'
  | 'svc.newChat'
  | 'svc.newChatFromSummary'
  | 'svc.compactConversation'
  | 'svc.stop'
  | 'svc.compareModels'
  | 'svc.selectModel'
  | 'svc.selectMode'
  | 'svc.focusApproval'
  | 'svc.copyMessage'
  | 'svc.copyCode'
  | 'svc.askAgain'
  | 'svc.openAsMarkdown'
  | 'svc.showSentRequest'
  | 'svc.showNextRequest'
>;

/** What is done in the view of the chat that had the focus last. */
export function createChatCommands(
  { settings }: Service,
  chat: Chat,
  views: Views,
  reports: Pick<Reports, 'showSent'>,
): ChatCommands {
  const { panes, conversations, turns } = chat;
  const session = () => panes.active().session;
  const menu = (action: MenuAction) => () => panes.active().view.post({ type: 'menuAction', action });
  return {
    'svc.openChat': views.sideBar.show,
    'svc.openChatInEditor': (from) => views.tabs.open(idIn(from)),
    'svc.nextConversation': () => openNeighbour(session(), 1),
    'svc.previousConversation': () => openNeighbour(session(), -1),
    'svc.newChat': async () => {
      session().newChat();
      await panes.active().show();
    },
    'svc.newChatFromSummary': () => panes.active().newChatFromSummary(),
    'svc.compactConversation': () => panes.active().compact(),
    'svc.stop': () => views.compared.stop(session().conversation()),
    'svc.compareModels': views.compareModels,
    'svc.selectModel': async (id) => {
      const current = session().conversation().model() || settings.model();
      const chosen = typeof id === 'string' ? id : await views.pickModel(current);
      if (chosen === undefined) return;
      session().setModel(chosen);
      await settings.setModel(chosen);
    },
    'svc.selectMode': (mode) => selectMode(settings.chatMode(), mode),
    'svc.focusApproval': () => showPendingApproval(panes, conversations.all()),
    'svc.copyMessage': menu('copyMessage'),
    'svc.copyCode': menu('copyCode'),
    'svc.askAgain': menu('askAgain'),
    'svc.openAsMarkdown': menu('openAsMarkdown'),
    'svc.showSentRequest': () => reports.showSent(turns.lastRequest(session().conversation().id)),
    'svc.showNextRequest': () => panes.active().showNext(),
  };
}

/** From an id or a row of the list of conversations. */
function idIn(from: unknown): string | undefined {
  if (typeof from === 'object' && from !== null && 'id' in from) return idIn(from.id);
  return typeof from === 'string' ? from : undefined;
}
