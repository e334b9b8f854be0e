import { worktreesDir } from '../../vscode/chat-panel/create-tools.ts';
import { selectMode } from '../../vscode/chat-panel/mode-picker.ts';
import { type FeatureWindow, requestDeps } from '../feature-window.ts';

export function bestOf(window: FeatureWindow) {
  const { service, chat, pages } = window;
  const { settings, models, log, context, record } = service;
  const { contests, open: conversations, tasks } = chat.conversations;
  const deps = {
    ...requestDeps(window),
    ...{ contests, conversations, tasks, pages, log, record },
    ...{ worktrees: chat.tools.worktrees, commands: chat.tools.commands, left: chat.money.left },
    worktreesDir: worktreesDir(context),
    modelIds: models.ids,
    viewModel: () => chat.panel.widgets.active().viewModel,
    setAgentMode: async () => void (await selectMode(settings.chatMode(), 'agent', chat.tools.customizations)),
  };
  return {
    commands: {
      'svc.bestOf': async (argument?: unknown) =>
        (await import('./vscode/contests.ts')).runContestCommand(deps, argument),
    },
  };
}
