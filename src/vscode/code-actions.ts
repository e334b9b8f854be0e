import * as vscode from 'vscode';

/**
 * The lightbulb's entries. Nothing is computed and nothing is sent here; an entry only names a command, without
 * arguments, because VS Code may drop the list before the command runs.
 */
export function registerCodeActions(enabled: () => boolean): vscode.Disposable {
  const kind = vscode.CodeActionKind.RefactorRewrite.append('svc');
  return vscode.languages.registerCodeActionsProvider(
    { pattern: '**' },
    {
      provideCodeActions(_document, range) {
        if (range.isEmpty || !enabled()) return [];
        const action = new vscode.CodeAction(vscode.l10n.t('svc: Explain'), kind);
        action.command = { command: 'svc.explain', title: vscode.l10n.t('Explain') };
        return [action];
      },
    },
    { providedCodeActionKinds: [kind] },
  );
}
