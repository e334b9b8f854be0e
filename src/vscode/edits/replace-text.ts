import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import { diffLineHunks, splitLines } from '../../edits/apply/line-diff.ts';

/**
 * Replaces only the lines that differ, so that cursors, folding and decorations elsewhere stay. The document keeps
 * its line ends.
 */
export function addReplacement(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, text: string): void {
  const fresh = linesOf(text);
  for (const { before, after } of diffLineHunks(linesOf(document.getText()), fresh)) {
    const end = before.start + before.count;
    const range = document.validateRange(new vscode.Range(before.start, 0, end, 0));
    const replacement = fresh.slice(after.start, after.start + after.count).join('');
    edit.replace(document.uri, range, replacement);
  }
}

function linesOf(text: string): string[] {
  return splitLines(text.replaceAll('\r\n', '\n'));
}

/** Compares texts as an editor does, which gives all lines the same end. */
export function sameText(one: string, other: string): boolean {
  return one === other || one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

/** Throws `ToolError` when VS Code refuses, as it does when the document changed since it was read. */
export async function applyEdit(edit: vscode.WorkspaceEdit, path: string): Promise<void> {
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new ToolError(`The editor did not take the change: ${path} may have changed just now. Read it again.`);
}
