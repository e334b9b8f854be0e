/** Every command of the product. A test holds this list equal to `contributes.commands` in `package.json`. */
export const commandIds = [
  'svc.openChat',
  'svc.newChat',
  'svc.ask',
  'svc.stop',
  'svc.openConversation',
  'svc.exportConversation',
  'svc.setApiKey',
  'svc.removeApiKey',
  'svc.setBaseUrl',
  'svc.selectModel',
  'svc.addToChat',
  'svc.explain',
  'svc.checkService',
  'svc.showCapabilities',
  'svc.copySupportReport',
  'svc.openDashboard',
  'svc.showLog',
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
  'svc.keepAllEdits',
  'svc.undoAllEdits',
  'svc.nextEdit',
  'svc.previousEdit',
  'svc.showEditDiff',
  'svc.openChatInEditor',
  'svc.nextConversation',
  'svc.previousConversation',
] as const;

export type CommandId = (typeof commandIds)[number];

/** One handler for every id; the compiler names a forgotten one. Arguments come from anywhere: parse before use. */
export type CommandHandlers = Record<CommandId, (...args: unknown[]) => unknown>;

/** The type under which VS Code keeps our editor tabs over a reload. */
export const chatTabType = 'svc.chatEditor';
