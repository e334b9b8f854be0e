import * as vscode from 'vscode';

export type ContextKey =
  | 'svc.hasKey'
  | 'svc.hasSentMessage'
  | 'svc.walkthroughKeyStored'
  | 'svc.walkthroughModelPicked'
  | 'svc.walkthroughAsked'
  | 'svc.chatFocused'
  | 'svc.chatInputFocused'
  | 'svc.requestInProgress'
  | 'svc.hasPendingApproval'
  | 'svc.hasUndecidedEdits'
  | 'svc.editorHasInlineEdit'
  | 'svc.showsAllConversations'
  | 'svc.cursorInEdit'
  | 'svc.isGeneratingCommit'
  | 'svc.isCompleting'
  | 'svc.hasFindings'
  | 'svc.hasComments'
  | 'svc.inlineEditActive'
  | 'svc.inlineEditRunning'
  | 'svc.cursorInInlineEdit'
  | 'svc.inlineEditInput';

const current = new Map<ContextKey, boolean>();

export function setContextKey(key: ContextKey, value: boolean): void {
  if (current.get(key) === value) return;
  current.set(key, value);
  void vscode.commands.executeCommand('setContext', key, value);
}
