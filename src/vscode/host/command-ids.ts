/**
 * A test keeps this list of palette and menu commands, with the twins below, equal to `contributes.commands` in
 * `package.json`.
 */
export const commandIds = [
  'svc.openChat',
  'svc.newChat',
  'svc.newWorktreeTask',
  'svc.stop',
  'svc.openConversation',
  'svc.exportConversation',
  'svc.renameConversation',
  'svc.pinConversation',
  'svc.unpinConversation',
  'svc.forkConversation',
  'svc.deleteConversation',
  'svc.deleteAllConversations',
  'svc.restoreConversation',
  'svc.importConversation',
  'svc.showAllConversations',
  'svc.showWorkspaceConversations',
  'svc.setApiKey',
  'svc.removeApiKey',
  'svc.setBaseUrl',
  'svc.selectModel',
  'svc.addToChat',
  'svc.explain',
  'svc.fix',
  'svc.refactor',
  'svc.addTests',
  'svc.addDocs',
  'svc.review',
  'svc.explainChange',
  'svc.reviewByHunk',
  'svc.reviewChanges',
  'svc.addComment',
  'svc.sendComments',
  'svc.discardComment',
  'svc.fixFinding',
  'svc.dismissFinding',
  'svc.nextFinding',
  'svc.previousFinding',
  'svc.generateCommitMessage',
  'svc.stopCommitMessage',
  'svc.splitCommit',
  'svc.writePullRequest',
  'svc.inlineEdit',
  'svc.completeHere',
  'svc.nextPlaces',
  'svc.explainTerminal',
  'svc.fixTestFailure',
  'svc.showService',
  'svc.replaceLeakedKey',
  'svc.openSettings',
  'svc.guardCredits',
  'svc.toggleInlineSuggestions',
  'svc.openDashboard',
  'svc.showSpend',
  'svc.showNextRequest',
  'svc.pickTools',
  'svc.createInstructions',
  'svc.showCustomizations',
  'svc.compactConversation',
  'svc.keepEdit',
  'svc.undoEdit',
  'svc.keepFileEdits',
  'svc.undoFileEdits',
  'svc.keepAllEdits',
  'svc.undoAllEdits',
  'svc.nextEdit',
  'svc.previousEdit',
  'svc.showEditDiff',
  'svc.copyMessage',
  'svc.copyCode',
  'svc.openChatInEditor',
  'svc.compareModels',
  'svc.help',
] as const;

/**
 * The manifest does not list these commands: pages, lenses and keys run them, or they were commands of their own
 * before they became part of a page. Old callers still find them.
 */
export const unlistedCommandIds = [
  'svc.showInstructions',
  'svc.showCapabilities',
  'svc.checkService',
  'svc.showModels',
  'svc.resetLearnedFacts',
  'svc.showSentRequest',
  'svc.exportSpend',
  'svc.setSpendLimit',
  'svc.exportConversationAsMarkdown',
  'svc.exportConversationAsJson',
  'svc.copyConversationId',
  'svc.olderInstruction',
  'svc.newerInstruction',
  'svc.stopInlineEdit',
  'svc.stopCompletion',
  'svc.keepInlineEdit',
  'svc.undoInlineEdit',
  'svc.retryInlineEdit',
  'svc.refineInlineEdit',
  'svc.showRemovedLines',
  'svc.undoGuardCredits',
  'svc.hideVsCodeAi',
  'svc.showMenu',
  'svc.newChatFromSummary',
  'svc.ask',
  'svc.focusApproval',
  'svc.nextConversation',
  'svc.previousConversation',
  'svc.restoreCheckpoint',
  'svc.showAccessibilityHelp',
  'svc.showLog',
  'svc.copySupportReport',
  'svc.selectMode',
] as const;

export type CommandId = (typeof commandIds)[number] | (typeof unlistedCommandIds)[number];

/**
 * VS Code does not report where a command was called, so each of these has a twin for the title bars of the side bar.
 * The palette and keys act on the view that had the focus last.
 */
export const sideBarCommandIds = [
  'svc.newChat',
  'svc.openConversation',
  'svc.openChatInEditor',
] as const satisfies readonly CommandId[];

export const inSideBar = (id: (typeof sideBarCommandIds)[number]) => `${id}InSideBar`;

/** The compiler names a missing handler. Anybody may call a command, so parse its arguments before use. */
export type CommandHandlers = Record<CommandId, (...args: unknown[]) => unknown>;

export const chatTabType = 'svc.chatEditor';
