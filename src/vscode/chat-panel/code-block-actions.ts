import * as vscode from 'vscode';
import { commandForTerminal } from '../../shared/command-line.ts';
import { showMessage } from '../host/show-message.ts';
import { isWritable } from '../workspace/read-only.ts';
import { languageIdOf } from './code-coloring.ts';

/** Replaces the selection in the editor that was used last. Without an editor the text is put on the clipboard. */
export async function insertAtCursor(text: string): Promise<void> {
  const editor = lastEditor();
  const inserted = await editor?.edit((edit) => {
    for (const selection of editor.selections) {
      const before = editor.document.lineAt(selection.start).text.slice(0, selection.start.character);
      edit.replace(selection, indentedFor(text, before));
    }
  });
  if (inserted && editor) {
    await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn, preserveFocus: false });
    return;
  }
  await vscode.env.clipboard.writeText(text);
  showMessage(vscode.l10n.t('No editor can take the code right now, so it was copied to the clipboard.'));
}

/**
 * Opens an unsaved document, so that the user reads it first and saves it where they want. `language` is as the model
 * wrote it.
 */
export async function newFile(text: string, language: string): Promise<void> {
  const id = languageIdOf(language);
  const document = await vscode.workspace.openTextDocument({ content: text, language: id });
  await vscode.window.showTextDocument(document, { preview: false });
}

/**
 * Writes one command line into the terminal without running it: Enter is the user's. A terminal would run all but the
 * last of several lines at once, so those only go to the clipboard.
 */
export async function toTerminal(text: string): Promise<void> {
  const terminal = vscode.window.activeTerminal ?? vscode.window.createTerminal();
  terminal.show();
  const line = commandForTerminal(text);
  if (line !== undefined) {
    terminal.sendText(line, false);
    return;
  }
  await vscode.env.clipboard.writeText(text);
  showMessage(
    vscode.l10n.t(
      'A terminal would run these lines immediately, so they were copied to the clipboard instead. Paste them where you want them.',
    ),
  );
}

/**
 * Asks the model for the change rather than editing, so that the change gets the review that every edit has. It is
 * for the named file, or else the open one.
 */
export function applyPrompt(code: string, path: string | undefined): string {
  const first = code.split('\n').find((line) => line.trim() !== '') ?? '';
  const start = first.trim().slice(0, 80);
  const uri = lastEditor()?.document.uri;
  const open = uri === undefined || uri.scheme === 'untitled' ? undefined : vscode.workspace.asRelativePath(uri);
  const file = path ?? open;
  return file === undefined
    ? vscode.l10n.t('Apply the code that begins with "{0}" to the file it belongs to.', start)
    : vscode.l10n.t('Apply the code that begins with "{0}" to {1}.', start, file);
}

function lastEditor(): vscode.TextEditor | undefined {
  return [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(
    (editor) => editor !== undefined && isWritable(editor.document),
  );
}

/** Moves the lines of a block as one to the depth of the place, which is the first line's already. */
function indentedFor(text: string, before: string): string {
  if (before === '' || before.trim() !== '') return text;
  const [first = '', ...rest] = text.split('\n');
  const own = /^\s*/.exec(first)?.[0] ?? '';
  const moved = rest.map((line) =>
    line.trim() === '' ? line : before + (line.startsWith(own) ? line.slice(own.length) : line),
  );
  return [first.slice(own.length), ...moved].join('\n');
}
