import * as vscode from 'vscode';
import type { Assistant } from './assistant.ts';
import { messageOf } from './base/message-of.ts';
import type { Features } from './features/features.ts';
import { registerGitHubView } from './features/git/vscode/github-view.ts';
import { beginInstruction } from './features/inline/vscode/begun-instruction.ts';
import { registerModels } from './features/native-chat/vscode/register-models.ts';
import { registerNativeTools } from './features/native-chat/vscode/register-native-tools.ts';
import { registerParticipant } from './features/native-chat/vscode/register-participant.ts';
import { beginPage } from './vscode/chat-panel/preloaded-webview.ts';
import { registerCodeActions } from './vscode/commands/code-actions.ts';
import { createUriHandler } from './vscode/commands/uri-handler.ts';
import { registerConversations } from './vscode/history/register-conversations.ts';
import {
  chatTabType,
  commandIds,
  inSideBar,
  sideBarCommandIds,
  unlistedCommandIds,
} from './vscode/host/command-ids.ts';
import { createLazyAssistant } from './vscode/host/lazy-assistant.ts';
import { registerLazyTree } from './vscode/host/lazy-tree.ts';

const maxPageWaitMs = 500;

/**
 * VS Code activates this shim. It registers what must exist at once, and loads the assistant when something is first
 * used; `assistant.ts` is the composition root.
 */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const assistant = createLazyAssistant<Assistant, Features>({
    create: async () => (await import('./assistant.ts')).createAssistant(context),
    onFailure: (error) =>
      void vscode.window.showErrorMessage(vscode.l10n.t("svc Assistant couldn't start: {0}", messageOf(error))),
  });
  const models = registerModels(context, async () => (await assistant.features()).nativeModels);
  assistant.onFeatures(({ nativeModels, onModelsChanged }) =>
    models.attach({ models: async () => nativeModels, onDidChange: onModelsChanged }),
  );
  context.subscriptions.push(models);
  const codeActions = registerCodeActions(() =>
    vscode.workspace.getConfiguration('svc').get('codeActions.enabled', true),
  );
  const preloadedWebview = Promise.withResolvers<void>();
  /**
   * The page begins to load first. VS Code asks for it only after the command has ended, and never where the view is
   * hidden, so the wait has a limit.
   */
  const focusChat = async () => {
    await vscode.commands.executeCommand('svc.chat.focus');
    await Promise.race([preloadedWebview.promise, new Promise((resolve) => setTimeout(resolve, maxPageWaitMs))]);
  };
  for (const id of [...commandIds, ...unlistedCommandIds]) {
    context.subscriptions.push(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        if (id === 'svc.openChat' && assistant.isAtRest()) await focusChat();
        const all = args.length === 0 ? codeActions.argumentsOf(id) : args;
        const begun =
          id === 'svc.inlineEdit' && all.length === 0 && !assistant.isLoaded() ? beginInstruction() : undefined;
        try {
          const { commands, editAfter } = await assistant.features();
          return await (begun ? editAfter(begun) : commands[id](...all));
        } finally {
          begun?.box.dispose();
        }
      }),
    );
  }
  for (const id of sideBarCommandIds) {
    context.subscriptions.push(
      vscode.commands.registerCommand(inSideBar(id), async () => (await assistant.features()).runInSideBar(id)),
    );
  }
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('svc.chat', {
      async resolveWebviewView(view) {
        let isGone = false;
        view.onDidDispose(() => {
          isGone = true;
        });
        const page = beginPage(view.webview, context.extensionUri);
        const { shown } = assistant.pageBegins();
        // Loading keeps this thread busy, and what was sent leaves only in between. Messages arrive in order: the answer to
        // a later one proves that VS Code has the page.
        await vscode.commands.executeCommand('setContext', 'svc.chatHasBegun', true);
        preloadedWebview.resolve();
        const { resolveChatView } = await assistant.load();
        if (!isGone) resolveChatView(view, page, shown);
      },
    }),
    vscode.window.registerWebviewPanelSerializer(chatTabType, {
      deserializeWebviewPanel: async (panel, state) => (await assistant.load()).restoreChatTab(panel, state),
    }),
    registerConversations(async () => (await assistant.features()).conversations),
    registerNativeTools(context.extension, async () => (await assistant.features()).nativeTool),
    registerParticipant(context.extensionUri, async () => (await assistant.features()).participant),
    vscode.window.registerUriHandler(
      createUriHandler({
        run: (command, argument) => vscode.commands.executeCommand(command, argument),
        refuse: () =>
          void vscode.window.showWarningMessage(
            vscode.l10n.t("The link wasn't followed. svc Assistant links open only conversations and the walkthrough."),
          ),
      }),
    ),
    registerGitHubView(async () => (await assistant.features()).givenText),
    registerLazyTree('svc.usage', async () => (await assistant.features()).usage),
    codeActions,
  );
  // Pending edits have their lenses, findings their comments, restored tabs their texts, whatever activated us.
  // A start that fails has said so; the next use tries again.
  const { workspaceState } = context;
  const shows =
    workspaceState.get('svc.hasUndecidedEdits') === true ||
    workspaceState.get('svc.findings') !== undefined ||
    workspaceState.get('svc.hasComments') === true;
  if (shows) await assistant.features().catch(() => undefined);
}
