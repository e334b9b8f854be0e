import * as vscode from 'vscode';

/**
 * Text that these commands of the editor, tried in turn, copy from the terminal in front; undefined when the user keeps
 * their clipboard to themselves. There is no other way to a terminal's text than the clipboard, which gets its own
 * back. A picture could not be given back, and looks like an empty clipboard: then the user is asked.
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
