import { createAccountCommands } from '../vscode/account/account-commands.ts';
import { createChatCommands } from '../vscode/chat-panel/chat-commands.ts';
import { returningFocus } from '../vscode/chat-panel/return-focus.ts';
import { createEditorCommands } from '../vscode/commands/create-commands.ts';
import type { FirstLook } from '../vscode/first-look.ts';
import type { ConversationsView } from '../vscode/history/conversations-view.ts';
import { createHistory } from '../vscode/history/create-history.ts';
import type { CommandHandlers, CommandId } from '../vscode/host/command-ids.ts';
import { handlersOf } from '../vscode/host/contribution.ts';
import type { Register } from '../vscode/host/disposable-store.ts';
import type { TreeSource } from '../vscode/host/lazy-tree.ts';
import { createSpend } from '../vscode/spend/create-spend.ts';
import type { UsageNode } from '../vscode/spend/usage-tree.ts';
import { bestOf } from './best-of/index.ts';
import { completion } from './completion/index.ts';
import type { FeatureWindow } from './feature-window.ts';
import { git } from './git/index.ts';
import type { TitleAndDescriptionProvider } from './git/vscode/github-view.ts';
import { hunkReview } from './hunk-review/index.ts';
import { inline } from './inline/index.ts';
import type { InlineEdit } from './inline/vscode/inline-edit.ts';
import { nativeChat } from './native-chat/index.ts';
import { nextPlaces } from './next-places/index.ts';
import { reviewComments } from './review-comments/index.ts';

export interface Features extends Omit<ReturnType<typeof nativeChat>, 'commands'> {
  commands: CommandHandlers;
  runInSideBar(id: CommandId): unknown;
  usage: TreeSource<UsageNode>;
  conversations: ConversationsView;
  givenText: TitleAndDescriptionProvider;
  editAfter: InlineEdit['editAfter'];
}

/** Connects what is loaded after the first look. A new feature is one more line in the list. */
export function createFeatures(firstLook: FirstLook, register: Register): Features {
  const window: FeatureWindow = { ...firstLook, register };
  const { service, chat, reports, composers, views, model } = window;
  const { widgets, focus } = chat.panel;
  const viewModel = () => widgets.active().viewModel;
  const history = createHistory(service, register, chat);
  const spend = createSpend(service, register, {
    viewModel,
    model,
    conversations: chat.conversations.open,
    attention: views.attention,
  });
  const gitTexts = git(window);
  const inlineEdit = inline(window);
  const { commands: nativeCommands, ...native } = nativeChat(window);
  const contributions = [
    { commands: createChatCommands(service, chat, views, reports) },
    { commands: createAccountCommands(service, register, reports) },
    { commands: createEditorCommands(service, chat, composers) },
    chat.tools.review,
    history,
    reports,
    spend,
    { commands: nativeCommands },
    gitTexts,
    bestOf(window),
    hunkReview(window),
    inlineEdit,
    completion(window),
    nextPlaces(window),
    reviewComments(window),
  ] as const;
  const commands = returningFocus(handlersOf(contributions), {
    active: widgets.active,
    commandBegins: focus.commandBegins,
    focused: focus.focused,
  });
  return {
    ...native,
    givenText: gitTexts.givenText,
    editAfter: inlineEdit.editAfter,
    commands,
    runInSideBar(command) {
      focus.activate(views.sideBar.viewModel);
      return commands[command]();
    },
    usage: spend.usage,
    conversations: history.view,
  };
}
