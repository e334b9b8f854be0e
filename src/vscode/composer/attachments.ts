import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { maxAttachedCharacters } from '../../conversation/attachment-source.ts';
import type { Attachment, AttachmentKind } from '../../shared/messages.ts';
import { nameOfDocument } from '../workspace/notebook-cells.ts';

/** Reads a file, a range or a selection into an attachment, whose text never changes afterwards. */
export async function attachmentOf(target: vscode.Uri | vscode.Location): Promise<Attachment> {
  const uri = target instanceof vscode.Location ? target.uri : target;
  const range = target instanceof vscode.Location ? target.range : undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  return attachmentOfDocument(document, range);
}

export function attachmentOfSelection(editor: vscode.TextEditor): Attachment | undefined {
  return editor.selection.isEmpty ? undefined : attachmentOfDocument(editor.document, editor.selection);
}

/** `name` is shown instead of the path and its lines. */
export function attachmentOfDocument(document: vscode.TextDocument, range?: vscode.Range, name?: string): Attachment {
  const lines = range && { startLine: range.start.line + 1, endLine: lastLine(range) };
  const path = nameOfDocument(document);
  const place = lines ? `${path}:${lines.startLine}-${lines.endLine}` : path;
  return {
    ...cutAttachment(
      name === undefined ? 'file' : 'symbol',
      name === undefined ? place : `${name} · ${place}`,
      document.getText(range),
    ),
    uri: document.uri.toString(),
    ...lines,
    languageId: document.languageId,
  };
}

/** Keeps only the beginning of a text that is too large and marks it as cut. */
export function cutAttachment(kind: AttachmentKind, label: string, text: string): Attachment {
  const cut = text.length > maxAttachedCharacters;
  return {
    id: randomUUID(),
    kind,
    label: cut ? vscode.l10n.t('{0} (first {1} characters)', label, maxAttachedCharacters) : label,
    text: cut ? text.slice(0, maxAttachedCharacters).toWellFormed() : text,
  };
}

/** A selection that ends at the start of a line does not include that line. */
export function lastLine(range: vscode.Range): number {
  const endsBeforeLine = range.end.character === 0 && range.end.line > range.start.line;
  return range.end.line + (endsBeforeLine ? 0 : 1);
}
