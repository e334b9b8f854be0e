import { commandIds } from './manifest-command-ids.ts';

export { commandIds };

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
  'svc.showAccessibilityHelp',
  'svc.sendComments',
  'svc.replaceLeakedKey',
  'svc.toggleInlineSuggestions',
  'svc.showLog',
  'svc.copySupportReport',
  'svc.markState',
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
