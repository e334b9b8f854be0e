/**
 * The commands of the palette and of menus. A test holds this list, with the twins below, equal to `contributes.commands` in
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
  'svc.showInstructions',
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
 * Commands that the manifest does not list: what pages, lenses and keys run, and what was a command of its own before it became part
 * of a page. Whoever calls them finds them.
 */
export const unlistedCommandIds = [
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
 * Commands in title bars of the side bar that depend on a chat. VS Code does not tell a command where it was called, so
 * each has a twin for those title bars; the palette and keys act on the view that had the focus last.
 */
export const sideBarCommandIds = [
  'svc.newChat',
  'svc.openConversation',
  'svc.openChatInEditor',
] as const satisfies readonly CommandId[];

/** The twin's id. */
export const inSideBar = (id: (typeof sideBarCommandIds)[number]) => `${id}InSideBar`;

/** One handler for every id; the compiler names a forgotten one. Arguments come from anywhere: parse before use. */
export type CommandHandlers = Record<CommandId, (...args: unknown[]) => unknown>;

/** The type under which VS Code keeps our editor tabs over a reload. */
export const chatTabType = 'svc.chatEditor';
