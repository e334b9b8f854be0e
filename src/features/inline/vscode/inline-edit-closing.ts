import * as vscode from 'vscode';
import { openDocument } from '../../../vscode/workspace/place-uri.ts';
import { hunksOf, keepResult, type Result, type State } from './inline-edit-state.ts';

/** Closing an editor neither keeps nor undoes the edit: it stays marked, and the user is asked. */
export function askBeforeClosing(state: State): vscode.Disposable {
  const { results, refresh } = state;
  return vscode.Disposable.from(
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const uri of closed.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []))) {
        const result = results.get(uri.toString());
        if (result !== undefined && !isShown(uri)) void askAbout(state, result);
      }
    }),
    // Its lines are followed no more, so Retry and Refine would not know where. One that only changes its language is open
    // again at once.
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      queueMicrotask(() => {
        if (openDocument(uri) === undefined && results.delete(uri.toString())) refresh();
      });
    }),
  );
}

function isShown(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}

async function askAbout(state: State, result: Result): Promise<void> {
  const { pending } = state.deps;
  const { uri } = result.place;
  // What was not saved went with the editor.
  await pending.refresh(uri);
  if (uri.scheme === 'untitled' || pending.hunks(uri).length === 0) return;
  const buttons: Record<string, () => unknown> = {
    [vscode.l10n.t('Keep')]: () => keepResult(state, result),
    [vscode.l10n.t('Undo')]: () => pending.undoHunks(uri, hunksOf(state, result)),
    [vscode.l10n.t('Show')]: () => vscode.window.showTextDocument(uri),
  };
  const question = vscode.l10n.t(
    'The inline edit in {0} is pending. It stays marked until you keep or undo it.',
    vscode.workspace.asRelativePath(uri),
  );
  const picked = await vscode.window.showInformationMessage(question, ...Object.keys(buttons));
  if (picked !== undefined) await buttons[picked]?.();
}
