import * as vscode from 'vscode';
import { ignoreToolError } from '../../../agent/tool.ts';
import { isSecretPath } from '../../../files/file-class.ts';
import { resolveReadPlace } from '../../../files/read-place.ts';
import { readText } from '../../../files/read-text.ts';
import { displayPath, type Files, type Place, type Workspace } from '../../../files/workspace.ts';
import type { PendingEdits } from '../../../vscode/edits/create-review.ts';
import { placeOf } from '../../../vscode/workspace/place-uri.ts';
import { repositoryHolding } from '../../../vscode/workspace/repository-changes.ts';
import { type ChangedPart, changedParts, countLines, linesOf, maxChangedLines, partAt } from '../core/changed-parts.ts';
import type { EarlierTexts } from '../core/earlier-texts.ts';
import type { FileChange } from '../core/find-places.ts';

export interface ChangeDeps {
  workspace: Workspace;
  files: Files;
  pending: Pick<PendingEdits, 'hunks'>;
}

/**
 * `long` means that the change at the cursor has too many lines to be carried over, and `none` that nothing was
 * changed.
 */
export type UserChange = { changes: readonly FileChange[] } | { why: 'long' | 'none' };

const maxFileBytes = 2 * 1024 * 1024;

/**
 * Returns all recent edits of the user where they are few, else those at the cursor. Recent is what differs from the
 * text of some minutes ago or, where that is unknown, from the file on disk; a text without such differences is
 * compared with the last commit. Pending edits of a model are not the user's, unless the cursor is on one.
 */
export async function userChange(
  deps: ChangeDeps,
  earlier: Pick<EarlierTexts, 'before'>,
  editor: vscode.TextEditor,
): Promise<UserChange> {
  const recent: FileChange[] = [];
  for (const document of vscode.workspace.textDocuments) {
    const place = placeOf(deps.workspace, document.uri);
    if (place === undefined) continue;
    const before = await textBefore(deps, earlier, document);
    if (before === undefined) continue;
    const lines = linesOf(document.getText());
    const parts = withoutPending(deps, document, changedParts(linesOf(before), lines));
    const mayGo = document === editor.document || (parts.length > 0 && (await isReadUnasked(deps, place)));
    if (parts.length > 0 && mayGo) recent.push({ place, lines, parts });
  }
  const count = recent.reduce((sum, { parts }) => sum + countLines(parts), 0);
  if (count > 0 && count <= maxChangedLines) return { changes: recent };
  return changeAtCursor(deps, earlier, editor);
}

async function isReadUnasked(deps: ChangeDeps, place: Place): Promise<boolean> {
  const read = await resolveReadPlace(deps, displayPath(deps.workspace, place), 'file').catch(ignoreToolError);
  return read !== undefined && read.approval === undefined;
}

async function changeAtCursor(
  deps: ChangeDeps,
  earlier: Pick<EarlierTexts, 'before'>,
  { document, selection }: vscode.TextEditor,
): Promise<UserChange> {
  const place = placeOf(deps.workspace, document.uri);
  if (place === undefined) return { why: 'none' };
  const lines = linesOf(document.getText());
  let isLong = false;
  for (const textOf of [() => textBefore(deps, earlier, document), () => committedText(document.uri)]) {
    const before = await textOf();
    if (before === undefined) continue;
    const part = partAt(changedParts(linesOf(before), lines), selection.active.line);
    if (part === undefined) continue;
    if (countLines([part]) <= maxChangedLines) return { changes: [{ place, lines, parts: [part] }] };
    isLong = true;
  }
  return { why: isLong ? 'long' : 'none' };
}

async function textBefore(
  { workspace, files }: ChangeDeps,
  earlier: Pick<EarlierTexts, 'before'>,
  document: vscode.TextDocument,
): Promise<string | undefined> {
  const place = placeOf(workspace, document.uri);
  if (place === undefined || isSecretPath(place.path)) return undefined;
  const known = earlier.before(document.uri.toString());
  if (known !== undefined || !document.isDirty) return known;
  const disk = { files, workspace: { codec: workspace.codec, unsavedText: () => undefined } };
  return (await readText(disk, place, { max: maxFileBytes, checked: undefined })).text;
}

async function committedText(uri: vscode.Uri): Promise<string | undefined> {
  const repository = await repositoryHolding(uri);
  return repository?.show('HEAD', uri.fsPath).catch(() => undefined);
}

function withoutPending(
  { pending }: ChangeDeps,
  { uri }: vscode.TextDocument,
  parts: readonly ChangedPart[],
): ChangedPart[] {
  const hunks = pending.hunks(uri).map(({ after }) => after);
  const touches = ({ first, after }: ChangedPart) =>
    hunks.some(({ start, count }) => first <= start + count && first + after.length >= start);
  return parts.filter((part) => !touches(part));
}
