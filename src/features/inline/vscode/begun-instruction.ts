import * as vscode from 'vscode';

/** The box for an instruction, open before the code that answers it is loaded. */
export interface BegunInstruction {
  editor: vscode.TextEditor;
  box: vscode.InputBox;
  /** Set when the box is accepted or left before somebody listens. */
  done?: 'send' | 'cancel';
  isTaken?: true;
}

/** Takes the focus at once, so that nothing typed meanwhile lands in the code. The caller disposes the box. */
export function beginInstruction(): BegunInstruction | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const box = vscode.window.createInputBox();
  const begun: BegunInstruction = { editor, box };
  // A title now, so that the box does not grow with the one that comes.
  box.title = vscode.l10n.t('Edit {0}', vscode.workspace.asRelativePath(editor.document.uri));
  box.prompt = vscode.l10n.t('Finding the code around the cursor…');
  box.ignoreFocusOut = true;
  box.onDidAccept(() => {
    begun.done ??= 'send';
  });
  box.onDidHide(() => {
    begun.done ??= 'cancel';
  });
  box.show();
  return begun;
}
