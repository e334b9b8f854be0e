import * as vscode from 'vscode';

/** Short texts occur anywhere; only a selection says where they are from. */
const leastLines = 3;

/**
 * Where in a visible editor a pasted text was copied from: it is what is selected there, or stands there exactly once.
 * Undefined when nobody can tell.
 */
export function pastedOrigin(pasted: string, editors: readonly vscode.TextEditor[]): vscode.Location | undefined {
  const wanted = plain(pasted);
  if (wanted.trim() === '') return undefined;
  for (const { document, selections } of editors) {
    const selection = selections.find((range) => !range.isEmpty && plain(document.getText(range)) === wanted);
    // One word that happens to be selected is a word, not a piece of code.
    if (selection && (selection.end.line > selection.start.line || wanted.trim().length >= leastLetters)) {
      return new vscode.Location(document.uri, selection);
    }
  }
  if (wanted.trim().split('\n').length < leastLines) return undefined;
  const found = editors.flatMap(({ document }) => {
    const text = plain(document.getText());
    const at = text.indexOf(wanted);
    if (at < 0 || text.indexOf(wanted, at + 1) >= 0) return [];
    const startLine = text.slice(0, at).split('\n').length - 1;
    const endLine = startLine + wanted.replace(/\n$/, '').split('\n').length - 1;
    return [
      new vscode.Location(document.uri, new vscode.Range(startLine, 0, endLine, document.lineAt(endLine).text.length)),
    ];
  });
  return found.length === 1 ? found[0] : undefined;
}

const leastLetters = 40;

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
