import * as vscode from 'vscode';
import { diffLineHunks } from '../tools/line-diff.ts';
import { toLines } from './pending-text.ts';

/**
 * Adds to `edit` what turns the text of the document into `text`: only the lines that differ, so that cursors, folding and
 * decorations elsewhere stay. The document keeps its line ends.
 */
export function addReplacement(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, text: string): void {
  const fresh = toLines(text);
  for (const { before, after } of diffLineHunks(toLines(document.getText()), fresh)) {
    const end = before.start + before.count;
    const range = document.validateRange(new vscode.Range(before.start, 0, end, 0));
    const replacement = fresh.slice(after.start, after.start + after.count).join('');
    edit.replace(document.uri, range, replacement);
  }
}
