import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Attachment } from '../shared/messages.ts';

/** What one attachment may weigh; more is cut and the label says so, because every character is paid for. */
const mostCharacters = 100_000;

/** Reads a file, a range or a selection into an attachment. The text is taken now and never changes. */
export async function attachmentOf(target: vscode.Uri | vscode.Location): Promise<Attachment> {
  const uri = target instanceof vscode.Location ? target.uri : target;
  const range = target instanceof vscode.Location ? target.range : undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  return fromDocument(document, range);
}

/** The selection, or undefined when it is empty. */
export function attachmentOfSelection(editor: vscode.TextEditor): Attachment | undefined {
  return editor.selection.isEmpty ? undefined : fromDocument(editor.document, editor.selection);
}

function fromDocument(document: vscode.TextDocument, range?: vscode.Range): Attachment {
  const text = document.getText(range);
  const cut = text.length > mostCharacters;
  const lines = range && { startLine: range.start.line + 1, endLine: lastLine(range) };
  const path = vscode.workspace.asRelativePath(document.uri);
  const place = lines ? `${path}:${lines.startLine}-${lines.endLine}` : path;
  return {
    id: randomUUID(),
    label: cut ? vscode.l10n.t('{0} (first {1} characters)', place, mostCharacters) : place,
    uri: document.uri.toString(),
    ...lines,
    languageId: document.languageId,
    text: cut ? text.slice(0, mostCharacters).toWellFormed() : text,
  };
}

/** A selection that ends at the start of a line does not include that line. */
function lastLine(range: vscode.Range): number {
  const endsBeforeLine = range.end.character === 0 && range.end.line > range.start.line;
  return range.end.line + (endsBeforeLine ? 0 : 1);
}
