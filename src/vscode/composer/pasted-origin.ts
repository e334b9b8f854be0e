import * as vscode from 'vscode';
import { findPasted, isPastedSelection } from '../../conversation/composing/find-pasted.ts';

/**
 * Where in a visible editor a pasted text was copied from: it is what is selected there, or stands there exactly once.
 * Undefined when nobody can tell.
 */
export function pastedOrigin(pasted: string, editors: readonly vscode.TextEditor[]): vscode.Location | undefined {
  for (const { document, selections } of editors) {
    const selection = selections.find((range) => isPastedSelection(pasted, document.getText(range)));
    if (selection) return new vscode.Location(document.uri, selection);
  }
  const found = editors.flatMap(({ document }) => {
    const place = findPasted(pasted, document.getText());
    if (!place) return [];
    const end = document.lineAt(place.endLine).text.length;
    return [new vscode.Location(document.uri, new vscode.Range(place.startLine, 0, place.endLine, end))];
  });
  return found.length === 1 ? found[0] : undefined;
}
