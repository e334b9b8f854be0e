import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import type { TextFormat } from '../../files/file-text.ts';

/**
 * Opens the document so that it is read and saved in this format. A document with unsaved changes keeps its encoding.
 * Rejects when the editor cannot open the file.
 */
export async function openInFormat(uri: vscode.Uri, format: TextFormat): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  const encoding = editorEncoding(format);
  if (document.isDirty || document.encoding === encoding) return document;
  return vscode.workspace.openTextDocument(uri, { encoding });
}

export function editorEncoding({ encoding, mark }: TextFormat): string {
  return encoding === 'utf8' && mark ? 'utf8bom' : encoding;
}

/** The editor always adds a byte-order mark to UTF-16 when it saves. */
export function isSavedUnchanged({ encoding, mark }: TextFormat): boolean {
  return mark || !encoding.startsWith('utf16');
}

/** Throws `ToolError`, which names `consequence`, unless the document has no unsaved changes afterwards. */
export async function saveOrRefuse(document: vscode.TextDocument, path: string, consequence: string): Promise<void> {
  if (await trySave(document)) return;
  throw new ToolError(`The unsaved changes of ${path} could not be saved, so ${consequence}. Ask the user to save it.`);
}

export async function trySave(document: Pick<vscode.TextDocument, 'isDirty' | 'save'>): Promise<boolean> {
  try {
    return (await document.save()) && !document.isDirty;
  } catch {
    return false;
  }
}

const reloadMs = 2000;

/** Waits for the editor to notice that a program wrote its file. Resolves with false after two seconds. */
export async function textArrives(
  document: vscode.TextDocument,
  isIt: (document: vscode.TextDocument) => boolean,
): Promise<boolean> {
  const arrived = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => arrived.resolve(isIt(document)), reloadMs);
  const subscription = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document === document && isIt(document)) arrived.resolve(true);
  });
  try {
    return await arrived.promise;
  } finally {
    clearTimeout(timer);
    subscription.dispose();
  }
}
