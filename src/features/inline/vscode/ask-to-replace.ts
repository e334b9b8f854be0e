import * as vscode from 'vscode';

/** Asks whether `message` replaces what was typed. *Copy* puts it on the clipboard and resolves with false. */
export async function askToReplace(question: string, message: string): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const copy = vscode.l10n.t('Copy');
  const answer = await vscode.window.showInformationMessage(question, replace, copy);
  if (answer === copy) await vscode.env.clipboard.writeText(message);
  return answer === replace;
}
