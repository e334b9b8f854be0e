import type { FirstLook } from './first-look.ts';
import { createAccountCommands } from './vscode/account/account-commands.ts';
import { createChatCommands } from './vscode/chat/chat-commands.ts';
import { returningFocus } from './vscode/chat/return-focus.ts';
import { createEditorCommands } from './vscode/commands/create-commands.ts';
import { createGitCommands } from './vscode/git/create-git-commands.ts';
import type { TitleAndDescriptionProvider } from './vscode/git/github-view.ts';
import type { ConversationsView } from './vscode/history/conversations-view.ts';
import { createHistory } from './vscode/history/create-history.ts';
import type { CommandHandlers, CommandId } from './vscode/host/command-ids.ts';
import type { TreeSource } from './vscode/host/lazy-tree.ts';
import type { Register } from './vscode/host/owner.ts';
import { createInline } from './vscode/inline/create-inline.ts';
import { createNative } from './vscode/native-chat/create-native.ts';
import { createReviewComments } from './vscode/review-comments/create-review-comments.ts';
import { createSpend } from './vscode/spend/create-spend.ts';
import type { UsageNode } from './vscode/spend/usage-tree.ts';

/** Everything that nobody sees before they ask for it: commands, money, history, Git, edits in the editor, VS Code's own chat. */
export interface Features extends Omit<ReturnType<typeof createNative>, 'commands'> {
  commands: CommandHandlers;
  /** On the side bar's chat, wherever the focus was. */
  runInSideBar(id: CommandId): unknown;
  usage: TreeSource<UsageNode>;
  conversations: ConversationsView;
  givenText: TitleAndDescriptionProvider;
}

/** The second half of the composition root, around the first look. */
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
      ...createReviewComments(service, register, { ...chat, model, conversationId: () => viewModel().conversation().id }),
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
