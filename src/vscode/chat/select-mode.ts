import * as vscode from 'vscode';
import { type ChatMode, chatModes } from '../../shared/chat-mode.ts';

/** With a mode (from a keybinding) it is set; else the picker opens. What runs goes on as it began. */
export async function selectMode(current: ChatMode, wanted: unknown): Promise<void> {
  const mode = chatModes.find((known) => known === wanted) ?? (await pickMode(current));
  if (mode === undefined) return;
  await vscode.workspace.getConfiguration('svc').update('chat.mode', mode, vscode.ConfigurationTarget.Global);
}

async function pickMode(current: ChatMode): Promise<ChatMode | undefined> {
  const items = chatModes.map((mode) => ({
    mode,
    ...textOf(mode),
    ...(mode === current && { description: vscode.l10n.t('current') }),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Mode'),
    placeHolder: vscode.l10n.t('What the model may do from the next message on'),
  });
  return picked?.mode;
}

function textOf(mode: ChatMode): { label: string; detail: string } {
  switch (mode) {
    case 'ask':
      return {
        label: vscode.l10n.t('Ask'),
        detail: vscode.l10n.t('Reads and searches the workspace. Fewer tools are sent, so a message costs less.'),
      };
    case 'edit':
      return {
        label: vscode.l10n.t('Edit'),
        detail: vscode.l10n.t('Edits files too, with your review. Runs no commands and no tools of other extensions.'),
      };
    case 'agent':
      return {
        label: vscode.l10n.t('Agent'),
        detail: vscode.l10n.t('Runs commands and tools of other extensions too. You are asked before.'),
      };
  }
}
