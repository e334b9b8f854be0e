import * as vscode from 'vscode';
import type { CompletionCache } from '../core/completion-cache.ts';

/**
 * Gives the editor the completion that is kept for a caret. This provider cannot send anything, which guarantees that
 * typing, hovering or asking for the next suggestion sends nothing.
 */
export function registerCompletionProvider(held: CompletionCache): vscode.Disposable {
  const provider: vscode.InlineCompletionItemProvider = {
    provideInlineCompletionItems(document, position) {
      return held.restAt(document.uri.toString(), position).map(({ text, typed, closed }) => {
        // Begins with what was typed of it, so that VS Code compares letters that are typed meanwhile and doubles none.
        const range = new vscode.Range(position.translate(0, -typed.length), position.translate(0, closed));
        return new vscode.InlineCompletionItem(typed + text, range);
      });
    },
  };
  return vscode.Disposable.from(
    vscode.languages.registerInlineCompletionItemProvider({ pattern: '**' }, provider),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const changes = contentChanges.map(({ range, text }) => ({ start: range.start, end: range.end, text }));
      held.changed(document.uri.toString(), changes);
    }),
  );
}
