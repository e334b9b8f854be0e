import { createAccountCommands } from '../vscode/account/account-commands.ts';
import { createChatCommands } from '../vscode/chat-panel/chat-commands.ts';
import { returningFocus } from '../vscode/chat-panel/return-focus.ts';
import { createEditorCommands } from '../vscode/commands/create-commands.ts';
import type { FirstLook } from '../vscode/first-look.ts';
import type { ConversationsView } from '../vscode/history/conversations-view.ts';
import { createHistory } from '../vscode/history/create-history.ts';
import type { CommandHandlers, CommandId } from '../vscode/host/command-ids.ts';
import type { Register } from '../vscode/host/disposable-store.ts';
import type { TreeSource } from '../vscode/host/lazy-tree.ts';
import { createSpend } from '../vscode/spend/create-spend.ts';
import type { UsageNode } from '../vscode/spend/usage-tree.ts';
import { createGitCommands } from './git/vscode/create-git-commands.ts';
import type { TitleAndDescriptionProvider } from './git/vscode/github-view.ts';
import { createInline } from './inline/vscode/create-inline.ts';
import { createNative } from './native-chat/vscode/create-native.ts';
import { createReviewComments } from './review-comments/vscode/create-review-comments.ts';

/** Holds what nobody sees before asking for it: commands, money, history, Git, edits in the editor, VS Code's own chat. */
export interface Features extends Omit<ReturnType<typeof createNative>, 'commands'> {
  commands: CommandHandlers;
  /** Runs the command on the side bar's chat, wherever the focus was. */
  runInSideBar(id: CommandId): unknown;
  usage: TreeSource<UsageNode>;
  conversations: ConversationsView;
  givenText: TitleAndDescriptionProvider;
}

export function createFeatures(
  { service, chat, reports, pages, composers, views, model }: FirstLook,
  register: Register,
): Features {
  const { widgets, focus, conversations } = chat;
  const viewModel = () => widgets.active().viewModel;
  const history = createHistory(service, register, chat);
  const spend = createSpend(service, register, { viewModel, model, conversations, attention: views.attention });
  const git = createGitCommands(service, { ...chat, model, pages });
  const { commands: nativeCommands, ...native } = createNative(service, chat, composers.read);
  const commands = returningFocus(
    {
      ...createChatCommands(service, chat, views, reports),
      ...createAccountCommands(service, register, { shareReport: reports.share, versions: reports.versions }),
      ...createEditorCommands(service, chat, composers),
      ...createInline(service, register, { ...chat, model, pages }),
      ...git.commands,
      ...createReviewComments(service, register, {
        ...chat,
        model,
        conversationId: () => viewModel().conversation().id,
      }),
      ...chat.review.commands,
      ...history.commands,
      ...reports.commands,
      ...spend.commands,
      ...nativeCommands,
    },
    { active: widgets.active, commandBegins: focus.commandBegins, focused: focus.focused },
  );
  return {
    ...native,
    givenText: git.givenText,
    commands,
    runInSideBar(id) {
      focus.activate(views.sideBar.viewModel);
      return commands[id]();
    },
    usage: spend.usage,
    conversations: history.view,
  };
}
