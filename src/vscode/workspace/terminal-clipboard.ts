import * as vscode from 'vscode';

/**
 * Runs the command sequences in turn until one copies text from the active terminal; undefined when the user does not
 * want their clipboard used. A terminal's text can be had only through the clipboard, which is restored afterwards.
 * An image cannot be restored and reads as an empty clipboard, so the user is asked first.
 */
export async function copiedFromTerminal(tries: readonly (readonly string[])[]): Promise<string | undefined> {
  const before = await vscode.env.clipboard.readText();
  if (before === '' && !(await mayReplaceClipboard())) return undefined;
  try {
    for (const commands of tries) {
      await vscode.env.clipboard.writeText('');
      for (const command of commands) await vscode.commands.executeCommand(command);
      const text = await vscode.env.clipboard.readText();
      if (text.trim() !== '') return text;
    }
    return '';
  } finally {
    await vscode.env.clipboard.writeText(before);
  }
}

async function mayReplaceClipboard(): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const detail = vscode.l10n.t(
    "A terminal's text can be read only through the clipboard. Any image or files on the clipboard would be lost.",
  );
  const question = vscode.l10n.t('Replace the clipboard contents?');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, replace)) === replace;
}
