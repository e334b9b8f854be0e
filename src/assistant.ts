import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createAccountCommands } from './vscode/account/account-commands.ts';
import { createService } from './vscode/account/create-service.ts';
import type { BegunPage } from './vscode/chat/begun-page.ts';
import { createChatCommands } from './vscode/chat/chat-commands.ts';
import { createChat } from './vscode/chat/create-chat.ts';
import { createViews } from './vscode/chat/create-views.ts';
import { sideBarHost } from './vscode/chat/panel-wire.ts';
import { returningFocus } from './vscode/chat/return-focus.ts';
import { createEditorCommands } from './vscode/commands/create-commands.ts';
import { createComposers } from './vscode/composer/create-composer.ts';
import { createGitCommands } from './vscode/git/create-git-commands.ts';
import type { TitleAndDescriptionProvider } from './vscode/git/github-view.ts';
import type { ConversationsView } from './vscode/history/conversations-view.ts';
import { createHistory } from './vscode/history/create-history.ts';
import type { CommandHandlers, CommandId } from './vscode/host/command-ids.ts';
import type { TreeSource } from './vscode/host/lazy-tree.ts';
import { createOwner, type Own } from './vscode/host/owner.ts';
import { createPages } from './vscode/host/pages.ts';
import { createInline } from './vscode/inline/create-inline.ts';
import { createNative } from './vscode/native-chat/create-native.ts';
import { createReports } from './vscode/reports/create-reports.ts';
import { createReviewComments } from './vscode/review-comments/create-review-comments.ts';
import { createSpend } from './vscode/spend/create-spend.ts';
import type { UsageNode } from './vscode/spend/usage-tree.ts';

/** The shim's way to the assistant once it is loaded. */
export interface Assistant extends Omit<ReturnType<typeof createNative>, 'commands'> {
  commands: CommandHandlers;
  /** On the side bar's chat, wherever the focus was. */
  runInSideBar(id: CommandId): unknown;
  usage: TreeSource<UsageNode>;
  /** `page`: begun in the view. */
  resolveChatView(view: vscode.WebviewView, page: BegunPage): void;
  /** Fills an editor tab that VS Code kept; `state` is what its page stored. */
  restoreChatTab(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  conversations: ConversationsView;
  givenText: TitleAndDescriptionProvider;
}

/** Builds every part in order. Knows everything, decides nothing. What was built before a failure is taken down again. */
export async function createAssistant(context: vscode.ExtensionContext): Promise<Assistant> {
  const owner = createOwner();
  try {
    const assistant = await compose(context, owner.own);
    context.subscriptions.push(owner);
    return assistant;
  } catch (error) {
    owner.dispose();
    throw error;
  }
}

async function compose(context: vscode.ExtensionContext, own: Own): Promise<Assistant> {
  // What host and pages share makes its texts without VS Code's API.
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  const service = await createService(context, own);
  const chat = await createChat(service, own);
  const { panes, focus, conversations } = chat;
  const seat = () => panes.active().seat;
  const model = () => seat().conversation().model() || service.settings.model();
  const pages = own(createPages());
  const reports = createReports(service, { pages, seat, model });
  const composers = createComposers(service, own, chat);
  const views = createViews({ service, own, chat, reports, pages, createComposer: composers.createComposer });
  const history = createHistory(service, own, chat);
  const spend = createSpend(service, own, { seat, model, conversations, attention: views.attention });
  const git = createGitCommands(service, { ...chat, model, pages });
  const { commands: nativeCommands, ...native } = createNative(service, chat, composers.read);
  const commands = returningFocus(
    {
      ...createChatCommands(service, chat, views, reports),
      ...createAccountCommands(service, own, { shareReport: reports.share, versions: reports.versions }),
      ...createEditorCommands(service, chat, composers),
      ...createInline(service, own, { ...chat, model, pages }),
      ...git.commands,
      ...createReviewComments(service, own, { ...chat, model, conversationId: () => seat().conversation().id }),
      ...chat.review.commands,
      ...history.commands,
      ...reports.commands,
      ...spend.commands,
      ...nativeCommands,
    },
    { active: panes.active, commandBegins: focus.commandBegins, focused: focus.focused },
  );
  return {
    ...native,
    givenText: git.givenText,
    commands,
    runInSideBar(id) {
      focus.activate(views.sideBar.seat);
      return commands[id]();
    },
    usage: spend.usage,
    resolveChatView(view, page) {
      views.sideBar.wire.resolve(sideBarHost(view, page));
      views.attention.badgeOn(view);
    },
    restoreChatTab: views.tabs.restore,
    conversations: history.view,
  };
}
