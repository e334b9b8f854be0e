import * as vscode from 'vscode';
import { ToolError } from '../../../agent/tool.ts';
import { isGitPath, isSecretPath } from '../../../files/file-class.ts';
import { resolveReadPlace } from '../../../files/read-place.ts';
import { displayPath, type Files, type Workspace } from '../../../files/workspace.ts';
import { mayAttach } from '../../../vscode/composer/read-context.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { cellOf, nameOfDocument } from '../../../vscode/workspace/notebook-cells.ts';
import { placeOf } from '../../../vscode/workspace/place-uri.ts';
import type { CompletionAsk } from '../core/completion-request.ts';

const maxLines = 3000;

export function askOf(document: vscode.TextDocument, caret: vscode.Position, shown: readonly string[]): CompletionAsk {
  const from = new vscode.Position(Math.max(0, caret.line - maxLines), 0);
  const to = document.validatePosition(new vscode.Position(caret.line + maxLines, Number.MAX_SAFE_INTEGER));
  const text = (start: vscode.Position, end: vscode.Position) =>
    document.getText(new vscode.Range(start, end)).replaceAll('\r\n', '\n');
  return {
    path: nameOfDocument(document),
    languageId: document.languageId,
    before: text(from, caret),
    after: text(caret, to),
    shown,
  };
}

/**
 * Decides whether a file may be sent. What ignore files exclude or what may hold secrets is refused with a message,
 * and the user is not asked.
 */
export function createMayRead(deps: { workspace: Workspace; files: Files }) {
  const agreed = new Set<string>();
  return async (document: vscode.TextDocument): Promise<boolean> => {
    const uri = cellOf(document.uri)?.notebook.uri ?? document.uri;
    if (uri.scheme === 'untitled' || agreed.has(uri.toString())) return true;
    const why = await whyNot(deps, uri);
    if (why !== undefined) {
      showMessage(why);
      return false;
    }
    if (placeOf(deps.workspace, uri) !== undefined) return true;
    const mayGo = await mayAttach(uri);
    if (mayGo) agreed.add(uri.toString());
    return mayGo;
  };
}

async function whyNot(deps: { workspace: Workspace; files: Files }, uri: vscode.Uri): Promise<string | undefined> {
  const secret = vscode.l10n.t('This file might contain secrets, so nothing of it was sent.');
  if (isSecretPath(uri.path) || isGitPath(uri.path)) return secret;
  const place = placeOf(deps.workspace, uri);
  if (place === undefined) return undefined;
  try {
    const { approval } = await resolveReadPlace(deps, displayPath(deps.workspace, place), 'file');
    if (approval === undefined) return undefined;
    const { subject } = approval;
    if (subject.kind === 'read' && subject.reason === 'secret') return secret;
    return vscode.l10n.t("Nothing of this file was sent: the project's ignore files exclude it.");
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}
