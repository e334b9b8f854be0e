import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import type { TextFormat } from '../../files/file-text.ts';

/**
 * The document, read and to be saved in this format. One that is open with unsaved changes stays as it is: its encoding is its
 * own. Rejects when the editor does not open the file.
 */
export async function openInFormat(uri: vscode.Uri, format: TextFormat): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  const encoding = editorEncoding(format);
  if (document.isDirty || document.encoding === encoding) return document;
  return vscode.workspace.openTextDocument(uri, { encoding });
}

/** VS Code's name of it. */
export function editorEncoding({ encoding, mark }: TextFormat): string {
  return encoding === 'utf8' && mark ? 'utf8bom' : encoding;
}

/** UTF-16 gets a mark whenever the editor saves it. */
export function isSavedUnchanged({ encoding, mark }: TextFormat): boolean {
  return mark || !encoding.startsWith('utf16');
}

/** Throws `ToolError`, with what did not happen, unless the document has no unsaved changes any more. */
export async function saveOrRefuse(document: vscode.TextDocument, path: string, consequence: string): Promise<void> {
  if (await trySave(document)) return;
  throw new ToolError(`The unsaved changes of ${path} could not be saved, so ${consequence}. Ask the user to save it.`);
}

/** False: the changes are still only in the editor. */
export async function trySave(document: Pick<vscode.TextDocument, 'isDirty' | 'save'>): Promise<boolean> {
  try {
    return (await document.save()) && !document.isDirty;
  } catch {
    return false;
  }
}

const reloadMs = 2000;

/** An editor notices a little later that a program wrote its file. False when it has not within two seconds. */
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
