import * as vscode from 'vscode';

/**
 * The lightbulb's entries. Nothing is computed and nothing is sent here; an entry only names a command, without
 * arguments, because VS Code may drop the list before the command runs.
 */
export function registerCodeActions(enabled: () => boolean): vscode.Disposable {
  const kind = vscode.CodeActionKind.RefactorRewrite.append('svc');
  const problemKind = vscode.CodeActionKind.Empty.append('svc');
  return vscode.languages.registerCodeActionsProvider(
    { pattern: '**' },
    {
      provideCodeActions(_document, range, { diagnostics }) {
        if (!enabled()) return [];
        if (range.isEmpty) return diagnostics.length === 0 ? [] : [addProblem(problemKind)];
        const action = new vscode.CodeAction(vscode.l10n.t('svc: Explain'), kind);
        action.command = { command: 'svc.explain', title: vscode.l10n.t('Explain') };
        return [action];
      },
    },
    { providedCodeActionKinds: [kind, problemKind] },
  );
}

/** It mends nothing by itself, so it is no quick fix. */
function addProblem(kind: vscode.CodeActionKind): vscode.CodeAction {
  const action = new vscode.CodeAction(vscode.l10n.t('svc: Add to Chat'), kind);
  action.command = { command: 'svc.addToChat', title: vscode.l10n.t('Add to Chat') };
  return action;
}
