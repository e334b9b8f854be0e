/**
 * Every command of the product. A test holds this list, with the twins below, equal to `contributes.commands` in
 * `package.json`.
 */
export const commandIds = [
  'svc.openChat',
  'svc.newChat',
  'svc.ask',
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
  'svc.exportConversationAsMarkdown',
  'svc.exportConversationAsJson',
  'svc.importConversation',
  'svc.copyConversationId',
  'svc.showAllConversations',
  'svc.showWorkspaceConversations',
  'svc.setApiKey',
  'svc.removeApiKey',
  'svc.setBaseUrl',
  'svc.selectModel',
  'svc.selectMode',
  'svc.addToChat',
  'svc.explain',
  'svc.fix',
  'svc.refactor',
  'svc.addTests',
  'svc.addDocs',
  'svc.review',
  'svc.explainChange',
  'svc.reviewChanges',
  'svc.generateCommitMessage',
  'svc.stopCommitMessage',
  'svc.inlineEdit',
  'svc.stopInlineEdit',
  'svc.keepInlineEdit',
  'svc.undoInlineEdit',
  'svc.retryInlineEdit',
  'svc.refineInlineEdit',
  'svc.olderInstruction',
  'svc.newerInstruction',
  'svc.explainTerminal',
  'svc.fixTestFailure',
  'svc.replaceLeakedKey',
  'svc.showModels',
  'svc.resetLearnedFacts',
  'svc.guardCredits',
  'svc.undoGuardCredits',
  'svc.checkService',
  'svc.toggleInlineSuggestions',
  'svc.showCapabilities',
  'svc.showAccessibilityHelp',
  'svc.copySupportReport',
  'svc.openDashboard',
  'svc.showLog',
  'svc.showSpend',
  'svc.exportSpend',
  'svc.setSpendLimit',
  'svc.openSettings',
  'svc.showMenu',
  'svc.focusApproval',
  'svc.showSentRequest',
  'svc.showNextRequest',
  'svc.newChatFromSummary',
  'svc.pickTools',
  'svc.showInstructions',
  'svc.compactConversation',
  'svc.restoreCheckpoint',
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
  'svc.askAgain',
  'svc.openAsMarkdown',
  'svc.openChatInEditor',
  'svc.compareModels',
  'svc.nextConversation',
  'svc.previousConversation',
] as const;

export type CommandId = (typeof commandIds)[number];

/**
 * What the title bars in the side bar offer that depends on a chat. VS Code does not tell a command where it was called, so
 * each has a twin for those title bars; the palette and keys act on the view that had the focus last.
 */
export const sideBarCommandIds = [
  'svc.newChat',
  'svc.openConversation',
  'svc.openChatInEditor',
  'svc.compareModels',
  'svc.exportConversation',
  'svc.forkConversation',
  'svc.compactConversation',
  'svc.restoreCheckpoint',
  'svc.showNextRequest',
  'svc.showSentRequest',
  'svc.showSpend',
  'svc.checkService',
  'svc.copySupportReport',
] as const satisfies readonly CommandId[];

/** The twin's id. */
export const inSideBar = (id: (typeof sideBarCommandIds)[number]) => `${id}InSideBar`;

/** One handler for every id; the compiler names a forgotten one. Arguments come from anywhere: parse before use. */
export type CommandHandlers = Record<CommandId, (...args: unknown[]) => unknown>;

/** The type under which VS Code keeps our editor tabs over a reload. */
export const chatTabType = 'svc.chatEditor';
